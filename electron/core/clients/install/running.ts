/** Checks by process name whether a client is running. */
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How long a process list is reused, in milliseconds, so that plans for several clients share one list. */
const freshMs = 1000;
let last: { at: number; platform: NodeJS.Platform; names: Promise<Set<string>> } | undefined;

/** True if a process with one of these names is running; undefined if that cannot be determined. */
export async function isRunning(processes: string[], platform: NodeJS.Platform): Promise<boolean | undefined> {
  if (processes.length === 0) return undefined;
  if (!last || last.platform !== platform || performance.now() - last.at > freshMs)
    last = { at: performance.now(), platform, names: namesOf(platform) };
  try {
    const names = await last.names;
    return processes.some((name) => names.has(name));
  } catch {
    return undefined;
  }
}

async function namesOf(platform: NodeJS.Platform): Promise<Set<string>> {
  const windows = platform === 'win32';
  const options = { windowsHide: true, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = windows
    ? await run('tasklist', ['/fo', 'csv', '/nh'], options)
    : await run('ps', ['-A', '-o', 'comm='], options);
  const nameIn = (line: string) => (windows ? (line.split('","')[0] ?? '').slice(1) : basename(line.trim()));
  return new Set(stdout.split('\n').map(nameIn));
}
