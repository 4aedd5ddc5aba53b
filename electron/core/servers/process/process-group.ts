/** Process groups: whether one is alive, how to end it, and when a process started. */
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Signals every process of the group; on Windows, the process tree. Returns true if there was a process. */
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

/** Whether any process of the group still runs. */
function groupAlive(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0);
  } catch (error) {
    // EPERM: a process exists that we are not allowed to signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // In a container whose init process does not reap, dead grandchildren remain as zombies that still accept signals.
  return process.platform !== 'linux' || isRunning(statFields(pid)) || runningMembers(pid);
}

const isRunning = ([state]: (string | undefined)[]) => state !== undefined && !isDead(state);

function runningMembers(group: number): boolean {
  return readdirSync('/proc').some((name) => {
    const [state, , memberOf] = /^\d+$/.test(name) ? statFields(Number(name)) : [];
    return Number(memberOf) === group && !isDead(state);
  });
}

/** Fields of /proc/PID/stat starting with the third, the state. The second may contain spaces and parentheses. */
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

/** Resolves with true when the group has ended, or with false after `timeoutMs`. */
export async function waitForGroupExit(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  for (let wait = 5; ; wait = Math.min(wait * 2, 100)) {
    if (!groupAlive(pid)) return true;
    if (Date.now() >= deadline) return false;
    await sleep(wait);
  }
}

/** Sends SIGTERM, then SIGKILL after `graceMs`. Resolves when every process of the group has exited. */
export async function endGroup(pid: number, graceMs: number): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM')) return;
  if (await waitForGroupExit(pid, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await waitForGroupExit(pid, 1_000);
}

/** The start time of a process, to detect a reused pid; undefined if there is no such process. */
export function processBirth(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const fields = statFields(pid);
      // Field 22 of the line.
      return isDead(fields[0]) ? undefined : fields[19];
    }
    if (process.platform === 'win32') return undefined;
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
