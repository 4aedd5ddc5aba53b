/** A command of the command line has the data folder to itself for a moment; what is to stay waits for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toFailure } from '../../shared/failure.ts';
import { isAlive } from '../core/is-alive.ts';
import { dataFolder } from '../host/host.ts';

/** A little less than a bridge waits for the Core that it started. */
const patienceMs = 18_000;

/**
 * Opens the host as soon as nobody holds the data folder. Fails with CORE_RUNNING at once where a Core serves, or when `over`
 * comes first.
 */
export async function onceFree<H>(
  open: () => Promise<H>,
  env: NodeJS.ProcessEnv,
  { over, onWait }: { over?: Promise<unknown>; onWait?: () => void } = {},
): Promise<H> {
  let told = false;
  for (const deadline = Date.now() + patienceMs; ; ) {
    try {
      return await open();
    } catch (error) {
      const isHeld = toFailure(error).code === 'CORE_RUNNING' && !isServed(env);
      if (!isHeld || Date.now() > deadline) throw error;
      if (!told) onWait?.();
      told = true;
      const isOver = await Promise.race([delay(100, false), ...(over ? [over.then(() => true)] : [])]);
      if (isOver) throw error;
    }
  }
}

/** Who serves says where; one that was killed could not take it back. */
function isServed(env: NodeJS.ProcessEnv): boolean {
  try {
    const { pid } = JSON.parse(readFileSync(join(dataFolder(env), 'run', 'core.json'), 'utf8')) as { pid: number };
    return isAlive(pid);
  } catch {
    return false;
  }
}
