/**
 * Files that values come from. A password manager may offer one as a named pipe, which answers when somebody has unlocked it
 * and perhaps never; opening it here would stop everything, so a process of its own waits at it, for a while.
 */
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { fail } from '../../../shared/failure.ts';
import { late, secretPatienceMs } from './patience.ts';

const run = promisify(execFile);
const maxBytes = 1_000_000;

/** What came out of each of the pipes among `files`. Rejects with SECRET_TIMEOUT when nothing comes. */
export async function readPipes(files: string[]): Promise<Map<string, string>> {
  const pipes = [...new Set(files)].filter(isPipe);
  const texts = await Promise.all(pipes.map(readPipe));
  return new Map(texts.map((text, index) => [pipes[index] as string, text]));
}

async function readPipe(file: string): Promise<string> {
  try {
    const { stdout } = await run('cat', [file], {
      timeout: secretPatienceMs,
      killSignal: 'SIGKILL',
      maxBuffer: maxBytes,
    });
    return stdout;
  } catch (error) {
    if ((error as { killed?: boolean }).killed) throw late(`The pipe ${file}`, 'Start or unlock what fills it');
    throw fail('SECRET_MISSING', `The pipe ${file} cannot be read.`, {
      file,
      hint: 'Give your user permission to read it.',
    });
  }
}

/** Throws when it cannot be read. A pipe that `pipes` does not know is there, and empty: nobody waits for it here. */
export function readText(file: string, pipes: ReadonlyMap<string, string> | undefined): string {
  const known = pipes?.get(file);
  if (known !== undefined) return known;
  const kind = statSync(file);
  if (kind.isFIFO()) return '';
  if (!kind.isFile()) throw new Error(`${file} is no file`);
  return readFileSync(file, 'utf8');
}

function isPipe(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFIFO() === true;
}
