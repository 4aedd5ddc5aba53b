/** Takes over the data folder from its current holder: a short-lived command, or a Core that a bridge started. */
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toFailure } from '../../shared/failure.ts';
import type { CoreRequest } from '../../shared/protocol/bridge-protocol.ts';
import { reachCore, readCoreFile } from '../bridge/reach-core.ts';
import { isAlive } from '../core/files/process-alive.ts';
import { dataFolder } from './host.ts';

/** Shorter than the 20 s that a bridge waits for a Core that it started. */
const waitTimeoutMs = 18_000;
const connectTimeoutMs = 1_000;

/**
 * Calls `open` until it gets the data folder's lock. With `takesOver`, asks a Core that a bridge started to exit; its
 * bridges then reconnect to this one. Fails with CORE_RUNNING immediately if the other Core stays, or when `over`
 * resolves first.
 */
export async function onceFree<H>(
  open: () => Promise<H>,
  env: NodeJS.ProcessEnv,
  { over, onWait, takesOver }: { over?: Promise<unknown>; onWait?: () => void; takesOver?: boolean } = {},
): Promise<H> {
  const dataDir = dataFolder(env);
  let hasReported = false;
  let isYielding = false;
  for (const deadline = Date.now() + waitTimeoutMs; ; ) {
    try {
      return await open();
    } catch (error) {
      if (toFailure(error).code !== 'CORE_RUNNING' || Date.now() > deadline) throw error;
      if (!isYielding && (await isServed(dataDir))) {
        isYielding = takesOver === true && (await takeOver(dataDir));
        // The other Core may have exited in the meantime.
        if (!isYielding && (await isServed(dataDir))) throw error;
      }
      if (!hasReported) onWait?.();
      hasReported = true;
      const isOver = await Promise.race([delay(50, false), ...(over ? [over.then(() => true)] : [])]);
      if (isOver) throw error;
    }
  }
}

/** Asks the running Core to exit. Returns false for a Core that the user started, which stays. */
async function takeOver(dataDir: string): Promise<boolean> {
  const releaseBridges = holdBridges(dataDir);
  const isYielding = (await ask(dataDir, 'yield')) !== undefined;
  if (!isYielding) releaseBridges();
  return isYielding;
}

/**
 * Takes the lock under which bridges start a Core, so that they wait until this process serves a Core or exits. Bridges
 * remove the lock of a process that has exited. With `forMs`, they wait that long even then, for an installer that this
 * process starts.
 */
export function holdBridges(dataDir: string, { forMs = 0 } = {}): () => void {
  const lock = join(dataDir, 'run', 'start.lock');
  const held = forMs > 0 ? `${process.pid} ${Date.now() + forMs}` : String(process.pid);
  // The installer takes the lock for itself.
  const release = () => {
    if (existsSync(lock) && readFileSync(lock, 'utf8') === held) rmSync(lock, { force: true });
  };
  writeFileSync(lock, held, { mode: 0o600 });
  setTimeout(release, waitTimeoutMs).unref();
  if (forMs === 0) process.once('exit', release);
  return release;
}

/**
 * True if the Core that run/core.json names listens. A killed Core leaves the file behind, and another process may have its ID by
 * now, for example the Core that is starting.
 */
async function isServed(dataDir: string): Promise<boolean> {
  const core = readCoreFile(dataDir);
  if (core === undefined || !isAlive(core.pid)) return false;
  const socket = connect(core.socket);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectTimeoutMs) });
    return true;
  } catch (error) {
    // A Core that is busy or suspended still serves.
    return (error as Error).name === 'AbortError';
  } finally {
    socket.destroy();
  }
}

/** A new address of the running Core's page; undefined if no Core is running or it serves no page. */
export async function runningPage(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return (await ask(dataFolder(env), 'page'))?.pageUrl;
}

async function ask(dataDir: string, purpose: CoreRequest['purpose']) {
  const reached = await reachCore(dataDir, { purpose }).catch(() => undefined);
  reached?.socket.destroy();
  return reached?.reply;
}
