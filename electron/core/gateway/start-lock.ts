/** A lock held for the moment in which a Core takes its socket, so that of two that start at once one wins. */
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '../../../shared/failure.ts';
import { isAlive } from '../is-alive.ts';

const pollMs = 20;
const patienceMs = 10_000;
/** A lock file that is empty so long was left by a process killed between making and filling it. */
const emptyMs = 1000;

/** Waits for the lock; resolves with its release. A lock left by a killed process is taken over. */
export async function takeStartLock(file: string): Promise<() => void> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (isAbandoned(file)) breakLock(file);
    else await delay(pollMs);
  }
  throw fail('CORE_RUNNING', `Another Gatehouse has been starting for ${patienceMs / 1000} seconds (${file}).`);
}

function isAbandoned(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid > 0) return !isAlive(pid);
    return Date.now() - statSync(file).mtimeMs > emptyMs;
  } catch {
    return false;
  }
}

/** Moves the lock away before deleting it: only one of several who see it abandoned can, and it can look again. */
function breakLock(file: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (!isAbandoned(aside)) linkSync(aside, file);
  } catch {
    // Someone else was first.
  } finally {
    rmSync(aside, { force: true });
  }
}
