/**
 * Reads files that supply values. A password manager may provide one as a named pipe, which responds only when
 * unlocked. Opening a pipe would block this process, so a child process reads it with a timeout.
 */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';
import { fail } from '../../../shared/failure.ts';
import { limits } from '../../../shared/limits.ts';
import { readRegularFileSync } from '../files/regular-file.ts';
import { secretTimeout, secretTimeoutMs } from './timeout.ts';

const run = promisify(execFile);
const maxBytes = limits.file.secretBytes;

/** Returns the content of each named pipe among `files`. Rejects with SECRET_TIMEOUT if a pipe does not respond. */
export async function readPipes(files: string[]): Promise<Map<string, string>> {
  const pipes = [...new Set(files)].filter(isPipe);
  const texts = await Promise.all(pipes.map(readPipe));
  return new Map(texts.map((text, index) => [pipes[index] as string, text]));
}

async function readPipe(file: string): Promise<string> {
  try {
    const { stdout } = await run('cat', [file], {
      timeout: secretTimeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: maxBytes,
    });
    return stdout;
  } catch (error) {
    if ((error as { killed?: boolean }).killed)
      throw secretTimeout(`The pipe ${file}`, 'Start or unlock the program that writes to it');
    throw fail('SECRET_MISSING', `The pipe ${file} cannot be read.`, {
      file,
      hint: 'Give your user account permission to read it.',
    });
  }
}

/** Returns the content of `file`. Throws when it cannot be read. A pipe that is not in `pipes` reads as empty. */
export function readText(file: string, pipes: ReadonlyMap<string, string> | undefined): string {
  const known = pipes?.get(file);
  if (known !== undefined) return known;
  const kind = statSync(file);
  if (kind.isFIFO()) return '';
  const read = kind.isFile() ? readRegularFileSync(file, maxBytes) : kind;
  if (Buffer.isBuffer(read)) return read.toString('utf8');
  throw new Error(`${file} is not a file of at most ${maxBytes} bytes`);
}

function isPipe(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFIFO() === true;
}
