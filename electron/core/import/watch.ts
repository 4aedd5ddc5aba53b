/** Watching the files of clients: says that something changed, a moment after the last change. */
import { type FSWatcher, watch } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { expandPath, type Machine } from './places.ts';
import { clientSources } from './sources.ts';

/** Long enough for an app to write all of its files. */
const quietMs = 300;
/** Folders that came into being, and changes that a network home does not announce, are found at this pace. */
const sweepMs = 15_000;

/**
 * Calls `onChange` after any client's file changed, came, or went. Folders are watched instead of files, so that atomic
 * replacement and links are survived. Returns the function that ends it.
 */
export function watchSources(machine: Machine, onChange: () => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let fingerprint: string | undefined;
  let running = Promise.resolve();

  /** Looks at everything; tells only when sizes, times or targets of the files differ from the last look. */
  const sweep = async () => {
    if (closed) return;
    const { folders, state } = await look(machine);
    if (closed) return;
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const [folder, names] of folders) {
      if (watchers.has(folder)) continue;
      const watcher = watchFolder(folder, names, soon);
      if (watcher) watchers.set(folder, watcher);
    }
    const changed = fingerprint !== undefined && fingerprint !== state;
    fingerprint = state;
    if (changed) onChange();
  };
  const queue = () => {
    running = running.then(sweep).catch(() => {});
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(queue, quietMs);
  };
  const interval = setInterval(queue, sweepMs);
  interval.unref();
  queue();
  return () => {
    closed = true;
    clearTimeout(timer);
    clearInterval(interval);
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
}

/** A folder may vanish at any moment; the next sweep sees to that. */
function watchFolder(folder: string, names: Set<string>, soon: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      // In a home folder much happens that is none of our business.
      if (name === null || names.has(name) || names.has('*')) soon();
    });
    return watcher.on('error', () => watcher.close());
  } catch {
    return undefined;
  }
}

/** The folders to watch with the names that matter in each, and a text that differs when any file differs. */
async function look(machine: Machine): Promise<{ folders: Map<string, Set<string>>; state: string }> {
  const folders = new Map<string, Set<string>>();
  const lines: string[] = [];
  const add = async (path: string) => {
    const folder = dirname(path);
    const names = folders.get(folder) ?? new Set<string>();
    if (await isFolder(folder)) folders.set(folder, names.add(basename(path)));
    else if (dirname(folder) !== folder) await add(folder);
  };
  const patterns = clientSources.flatMap((source) => source.places(machine)).map(({ path }) => path);
  for (const pattern of new Set(patterns)) {
    for (const path of await expandPath(pattern)) {
      await add(path);
      const target = await realpath(path).catch(() => path);
      if (target !== path) await add(target);
      const info = await stat(path).catch(() => undefined);
      if (info) lines.push(`${path}\n${target} ${info.ino} ${info.size} ${info.mtimeMs}`);
    }
    if (pattern.includes('*')) await addPattern(pattern, folders);
  }
  return { folders, state: lines.join('\n') };
}

/** New matches of a `*` appear in the folder above it. */
async function addPattern(pattern: string, folders: Map<string, Set<string>>): Promise<void> {
  const segmentStart = pattern.slice(0, pattern.indexOf('*'));
  const folder = dirname(`${segmentStart}x`);
  if (await isFolder(folder)) folders.set(folder, (folders.get(folder) ?? new Set()).add('*'));
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
