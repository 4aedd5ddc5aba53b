/** The log file logs/toolkeep.log: one line per event, rotated at 2 MB, mode 0600. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { withEscapes } from '../../shared/visible-text.ts';
import type { Host } from '../core/host.ts';

const levels = ['debug', 'info', 'warn', 'error'] as const;
const rotateAtBytes = 2_000_000;
const recentLines = 200;
const recentBytes = 64_000;
/** In characters. Lines are written synchronously. */
const maxMessage = 10_000;

/**
 * Writes debug lines only if `level` is "debug"; `verbose` also prints warnings and errors to the terminal. Writes
 * synchronously, so that the last lines before a crash reach the disk.
 */
export function openLog(folder: string, options: { verbose?: boolean; level?: string }): Host['log'] {
  const file = join(folder, 'toolkeep.log');
  const least = Math.max(0, levels.indexOf((options.level ?? 'info') as 'info'));
  let size = sizeOf(file);
  return (level, message) => {
    if (levels.indexOf(level) < least) return;
    const text = shown(message);
    const line = `${new Date().toISOString()} ${level} ${text}\n`;
    try {
      if (size > rotateAtBytes) {
        renameSync(file, `${file}.1`);
        size = 0;
      }
      appendFileSync(file, line, { mode: 0o600 });
      size += line.length;
    } catch {
      // A full disk must not stop Toolkeep.
    }
    if (options.verbose && (level === 'warn' || level === 'error')) process.stderr.write(`${text}\n`);
  };
}

/** Messages may contain text from servers and clients: of any length, with line breaks, and with commands for a terminal. */
function shown(message: string): string {
  const text = message.length > maxMessage ? `${message.slice(0, maxMessage)}… (shortened)` : message;
  return withEscapes(text.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ⏎ '));
}

/** The last 200 lines, oldest first; fewer if they are long. */
export async function readLog(folder: string): Promise<string[]> {
  const file = join(folder, 'toolkeep.log');
  const newest = await lastLines(file);
  return newest.length < recentLines ? [...(await lastLines(`${file}.1`)), ...newest].slice(-recentLines) : newest;
}

async function lastLines(path: string): Promise<string[]> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const start = Math.max(0, size - recentBytes);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(recentBytes), position: start });
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n').slice(0, -1);
    // The first line may have lost its beginning.
    return lines.slice(start > 0 ? 1 : 0).slice(-recentLines);
  } catch {
    return [];
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
