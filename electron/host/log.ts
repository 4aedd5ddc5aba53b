/** The log: one line an event in logs/gatehouse.log, kept small, readable by this person only. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../core/host.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;
const rotateAtBytes = 2_000_000;

/** Debug lines only when `level` is "debug". Written at once, so that the last lines before a crash are there. */
export function openLog(folder: string, options: { verbose: boolean; level?: string | undefined }): Host['log'] {
  const file = join(folder, 'gatehouse.log');
  const least = Math.max(0, levels.indexOf((options.level ?? 'info') as 'info'));
  let size = sizeOf(file);
  return (level, message) => {
    if (levels.indexOf(level) < least) return;
    // A message is one line, whatever a server or a file put into it.
    const line = `${new Date().toISOString()} ${level} ${message.replace(/[\r\n]+/g, ' ⏎ ')}\n`;
    try {
      if (size > rotateAtBytes) {
        renameSync(file, `${file}.1`);
        size = 0;
      }
      appendFileSync(file, line, { mode: 0o600 });
      size += line.length;
    } catch {
      // A full disk must not stop what was about to be told.
    }
    if (options.verbose && (level === 'warn' || level === 'error')) process.stderr.write(`${message}\n`);
  };
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
