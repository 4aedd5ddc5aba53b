/** The log file logs/gatehouse.log: one line per event, rotated at 2 MB, mode 0600. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../core/host.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;
const rotateAtBytes = 2_000_000;

/**
 * Writes debug lines only if `level` is "debug"; `verbose` also prints warnings and errors to the terminal. Writes
 * synchronously, so that the last lines before a crash reach the disk.
 */
export function openLog(folder: string, options: { verbose?: boolean; level?: string }): Host['log'] {
  const file = join(folder, 'gatehouse.log');
  const least = Math.max(0, levels.indexOf((options.level ?? 'info') as 'info'));
  let size = sizeOf(file);
  return (level, message) => {
    if (levels.indexOf(level) < least) return;
    // Messages may contain text from servers, so remove their line breaks.
    const line = `${new Date().toISOString()} ${level} ${message.replace(/[\r\n]+/g, ' ⏎ ')}\n`;
    try {
      if (size > rotateAtBytes) {
        renameSync(file, `${file}.1`);
        size = 0;
      }
      appendFileSync(file, line, { mode: 0o600 });
      size += line.length;
    } catch {
      // A full disk must not stop Gatehouse.
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
