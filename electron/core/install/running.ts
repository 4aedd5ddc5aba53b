/** Whether a client runs at the moment, by the names of processes. */
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** True when a process of one of these names runs; undefined when the system does not tell. */
export async function isRunning(processes: string[], platform: NodeJS.Platform): Promise<boolean | undefined> {
  if (processes.length === 0) return undefined;
  try {
    const windows = platform === 'win32';
    const { stdout } = windows
      ? await run('tasklist', ['/fo', 'csv', '/nh'], { windowsHide: true, maxBuffer: 16 * 1024 * 1024 })
      : await run('ps', ['-A', '-o', 'comm='], { maxBuffer: 16 * 1024 * 1024 });
    const names = new Set(
      stdout.split('\n').map((line) => (windows ? (line.split('","')[0] ?? '').slice(1) : basename(line.trim()))),
    );
    return processes.some((name) => names.has(name));
  } catch {
    return undefined;
  }
}
