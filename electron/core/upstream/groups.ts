/** Process groups: is one alive, end it step by step, and since when does a process run. */
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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

/** Whether anyone of the group still runs. */
function groupAlive(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0);
  } catch (error) {
    // EPERM: someone is there, but not ours to signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // In a container whose first process reaps nobody, dead grandchildren stay as zombies and still take signals.
  return process.platform !== 'linux' || runningMembers(pid);
}

function runningMembers(group: number): boolean {
  return readdirSync('/proc').some((name) => {
    const [state, , memberOf] = /^\d+$/.test(name) ? statFields(Number(name)) : [];
    return Number(memberOf) === group && !isDead(state);
  });
}

/** Fields of /proc/PID/stat from the third, the state, on; the second may hold spaces and brackets. */
function statFields(pid: number): (string | undefined)[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function isDead(state: string | undefined): boolean {
  return state === 'Z' || state === 'X';
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

/** SIGTERM, then SIGKILL after `graceMs`. Resolves when nobody of the group runs. */
export async function endGroup(pid: number, graceMs: number): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM')) return;
  if (await groupGone(pid, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await groupGone(pid, 1_000);
}

/** Something that differs between two processes that had the same pid; undefined when no such process lives. */
export function processBirth(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const fields = statFields(pid);
      // Field 22 of the whole line is the start time.
      return isDead(fields[0]) ? undefined : fields[19];
    }
    if (process.platform === 'win32') return undefined;
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
