/** Starts a Core for bridges that find none: the installed app, or a headless Core that ends with its last client. */
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isProcessAlive } from '../../shared/protocol/bridge-protocol.ts';
import coreFlags from '../core-flags.json' with { type: 'json' };
import { launches, type Started, startFirst } from './launch.ts';

/** One that ends at once, with an error that its log has, is not started in a tight loop. */
const minIntervalMs = 500;

export interface CoreStarter {
  /** Starts a Core, unless this or another bridge, or an app that takes over, is starting one. */
  start(): void;
  /** A Core answers: others may start one again when it has ended. */
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
      // One that ended without ever answering, or was killed, is replaced.
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

/** Takes the lock. A lock of a process that ended is broken. */
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
  // The Core needs Node 24; an older one may run the bridge.
  const bin = process.platform === 'win32' ? 'node.cmd' : 'node';
  const own = join(dirname(script), '..', 'node_modules', '.bin', bin);
  const isRecent = Number(process.versions.node.split('.')[0]) >= 24;
  return [!isRecent && existsSync(own) ? own : process.execPath, ...coreFlags, script, '--on-demand'];
}

/** The bundle knows its folder, whatever launcher required it; from source, the entry's folder is above this one. */
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
