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

interface Folder {
  /** What matters in it; `*` for everything. */
  names: Set<string>;
  identity: string;
}
type Watched = Folder & { watcher: FSWatcher };

/**
 * Calls `onChange` after any client's file changed, came, or went. Folders are watched instead of files, so that atomic
 * replacement and links are survived. Returns the function that ends it.
 */
export function watchSources(machine: Machine, onChange: () => void): () => void {
  const watched = new Map<string, Watched>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let fingerprint: string | undefined;
  let running = Promise.resolve();

  /** Looks at everything; tells only when sizes, times or targets of the files differ from the last look. */
  const sweep = async () => {
    if (closed) return;
    const { folders, state } = await look(machine);
    if (closed) return;
    for (const [folder, { watcher, identity }] of watched) {
      // One that went and came again under the same name is another folder.
      if (folders.get(folder)?.identity === identity) continue;
      watcher.close();
      watched.delete(folder);
    }
    let isNew = false;
    for (const [folder, { names, identity }] of folders) {
      const known = watched.get(folder);
      if (known) known.names = names;
      else isNew = watchFolder(folder, { names, identity }) || isNew;
    }
    // What happened between the look and the watching was seen by neither.
    if (isNew) soon();
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
  /** A folder may vanish at any moment; the next sweep sees to that. */
  const watchFolder = (folder: string, { names, identity }: Folder): boolean => {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        // In a home folder much happens that is none of our business.
        if (name === null || entry.names.has(name) || entry.names.has('*')) soon();
      });
      const entry: Watched = { names, identity, watcher: watcher.on('error', () => watcher.close()) };
      watched.set(folder, entry);
      return true;
    } catch {
      return false;
    }
  };
  const interval = setInterval(queue, sweepMs);
  interval.unref();
  queue();
  return () => {
    closed = true;
    clearTimeout(timer);
    clearInterval(interval);
    for (const { watcher } of watched.values()) watcher.close();
    watched.clear();
  };
}

/** The folders to watch with the names that matter in each, and a text that differs when any file differs. */
async function look(machine: Machine): Promise<{ folders: Map<string, Folder>; state: string }> {
  const folders = new Map<string, Folder>();
  const lines: string[] = [];
  const note = async (folder: string, name: string): Promise<boolean> => {
    const identity = await identityOf(folder);
    if (identity === undefined) return false;
    const known = folders.get(folder) ?? { names: new Set(), identity };
    known.names.add(name);
    folders.set(folder, known);
    return true;
  };
  const add = async (path: string) => {
    const folder = dirname(path);
    if (!(await note(folder, basename(path))) && dirname(folder) !== folder) await add(folder);
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
    // New matches of a `*` appear in the folder above it.
    if (pattern.includes('*')) await note(dirname(`${pattern.slice(0, pattern.indexOf('*'))}x`), '*');
  }
  return { folders, state: lines.join('\n') };
}

/** Tells a folder from another one of its name; the number alone is soon given again. Undefined when it is no folder. */
async function identityOf(path: string): Promise<string | undefined> {
  const info = await stat(path).catch(() => undefined);
  return info?.isDirectory() ? `${info.ino} ${info.birthtimeMs}` : undefined;
}
