/** Process groups: is one alive, end it step by step, and since when does a process run. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Signals every process of the group; true if there was one. On Windows the tree below the process. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {});
    return true;
  }
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

export function groupAlive(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0);
    return true;
  } catch (error) {
    // EPERM: someone is there, but not ours to signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Resolves with true once the group is gone, with false after `withinMs`. */
export async function groupGone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (let wait = 5; ; wait = Math.min(wait * 2, 100)) {
    if (!groupAlive(pid)) return true;
    if (Date.now() >= deadline) return false;
    await sleep(wait);
  }
}

/** SIGTERM, then SIGKILL after `graceMs`. Resolves when the group is gone, or only zombies of a sleepy parent are left. */
export async function endGroup(pid: number, graceMs: number): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM')) return;
  if (await groupGone(pid, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await groupGone(pid, 1_000);
}

/** Something that differs between two processes that had the same pid; undefined when there is no such process. */
export function processBirth(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      // The command name in field 2 may hold spaces and brackets, so count from the last bracket: field 22 is starttime.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    }
    if (process.platform === 'win32') return undefined;
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
