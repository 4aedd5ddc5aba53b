/**
 * Starts a Core for bridges that find none: the installed app, or a headless Core that exits after its last client
 * leaves.
 */
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isProcessAlive } from '../../shared/protocol/bridge-protocol.ts';
import coreFlags from '../core-flags.json' with { type: 'json' };
import { launches, type Started, startFirst } from './launch.ts';

/** Prevents a tight loop of starts if each Core exits at once. Its log contains the error. */
const minIntervalMs = 500;

export interface CoreStarter {
  /** Starts a Core, unless this bridge, another bridge or an app that takes over is already starting one. */
  start(): void;
  /** Call when a Core answers. Others may then start a new Core after this one ends. */
  done(): void;
}

export function createCoreStarter(dataDir: string): CoreStarter {
  const lock = join(dataDir, 'run', 'start.lock');
  let isHolder = false;
  let started: Started | undefined;
  let startedAt = 0;
  const done = () => {
    started = undefined;
    if (isHolder) rmSync(lock, { force: true });
    isHolder = false;
  };
  process.on('exit', done);
  return {
    start() {
      // Replace a Core that exited or was killed before it answered.
      if (started?.isRunning()) return;
      if (Date.now() - startedAt < minIntervalMs) return;
      isHolder ||= take(lock);
      if (!isHolder) return;
      startedAt = Date.now();
      started = startBest(dataDir);
    },
    done,
  };
}

/** Takes the lock; returns false if another process holds it. Breaks the lock of a process that has exited. */
function take(lock: string): boolean {
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
  for (const attempt of [1, 2]) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      if (attempt === 2 || isProcessAlive(Number(readText(lock)), process.kill)) return false;
      rmSync(lock, { force: true });
    }
  }
  return false;
}

function startBest(dataDir: string): Started {
  const { resourcesPath } = process as { resourcesPath?: string };
  return startFirst(
    launches({
      dataDir,
      platform: process.platform,
      env: process.env,
      execPath: process.execPath,
      isElectron: process.versions.electron !== undefined,
      resourcesPath,
      headless: headless(),
      coreFlags,
      uid: process.getuid?.(),
    }),
  );
}

function headless(): string[] {
  const script = ['headless.js', 'headless.ts']
    .flatMap((name) => folders().map((folder) => join(folder, name)))
    .find((file) => existsSync(file));
  if (!script) return [];
  // Core needs Node 24, and the bridge may run on an older version.
  const bin = process.platform === 'win32' ? 'node.cmd' : 'node';
  const own = join(dirname(script), '..', 'node_modules', '.bin', bin);
  const isRecent = Number(process.versions.node.split('.')[0]) >= 24;
  return [!isRecent && existsSync(own) ? own : process.execPath, ...coreFlags, script, '--on-demand'];
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
