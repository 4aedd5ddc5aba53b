/** Decodes and encodes text files: UTF-8 or UTF-16, with or without a byte order mark, bounded in size. */
import { type Failure, fail } from '../../../shared/failure.ts';
import { limits } from '../../../shared/limits.ts';
import { readRegularFile } from './regular-file.ts';

/** A `~/.claude.json` of 238 MB has been seen in practice. */
const maxBytes = limits.file.readClientFileBytes;

export type Encoding = 'utf8' | 'utf16le' | 'utf16be';

export interface DecodedText {
  text: string;
  encoding: Encoding;
  /** Whether the file begins with a byte order mark, which `text` does not include. */
  bom: boolean;
}

/** Decodes `bytes`. Fails with CLIENT_FILE_INVALID if they are neither UTF-8 nor UTF-16. */
export function decodeText(bytes: Uint8Array, file?: string): DecodedText {
  const { encoding, bomLength } = detectEncoding(bytes);
  const label = encoding === 'utf8' ? 'utf-8' : encoding === 'utf16le' ? 'utf-16le' : 'utf-16be';
  try {
    const text = new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes.subarray(bomLength));
    return { text, encoding, bom: bomLength > 0 };
  } catch (cause) {
    const error = fail('CLIENT_FILE_INVALID', `${file ?? 'The file'} is not text in UTF-8 or UTF-16.`, {
      file,
      hint: 'Open it in an editor and save it as UTF-8.',
    });
    error.cause = cause;
    throw error;
  }
}

/** The inverse of `decodeText`: keeps the encoding and the byte order mark. */
export function encodeText({ text, encoding, bom }: DecodedText): Buffer {
  const marked = bom ? `\uFEFF${text}` : text;
  if (encoding === 'utf8') return Buffer.from(marked, 'utf8');
  const little = Buffer.from(marked, 'utf16le');
  return encoding === 'utf16le' ? little : little.swap16();
}

/** UTF-8 without its byte order mark. */
export function withoutMark(bytes: Buffer): Buffer {
  const { encoding, bomLength } = detectEncoding(bytes);
  return encoding === 'utf8' ? bytes.subarray(bomLength) : bytes;
}

function detectEncoding(bytes: Uint8Array): { encoding: Encoding; bomLength: number } {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf8', bomLength: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf16le', bomLength: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf16be', bomLength: 2 };
  // Config files begin with ASCII, so without a mark every second byte of UTF-16 is zero.
  if (bytes.length >= 4 && bytes.length % 2 === 0) {
    if (a !== 0 && b === 0 && c !== 0 && bytes[3] === 0) return { encoding: 'utf16le', bomLength: 0 };
    if (a === 0 && b !== 0 && c === 0 && bytes[3] !== 0) return { encoding: 'utf16be', bomLength: 0 };
  }
  return { encoding: 'utf8', bomLength: 0 };
}

export type ReadBytes = { kind: 'bytes'; bytes: Buffer } | { kind: 'missing' } | { kind: 'problem'; failure: Failure };

/** Reads a whole regular file. Never throws: returns a missing, unreadable or oversized file as data. */
export async function readBytes(file: string): Promise<ReadBytes> {
  const problem = (message: string, hint: string): ReadBytes => ({
    kind: 'problem',
    failure: { code: 'CLIENT_FILE_INVALID', message, hint, file },
  });
  try {
    const read = await readRegularFile(file, maxBytes);
    if (Buffer.isBuffer(read)) return { kind: 'bytes', bytes: read };
    if (read.isDirectory()) return problem(`${file} is a folder, not a file.`, 'Move the folder out of the way.');
    if (!read.isFile()) return problem(`${file} is not a regular file.`, 'Put a regular file in its place.');
    const megabytes = Math.round(read.size / 1024 / 1024);
    return problem(`${file} is ${megabytes} MB; the limit is ${maxBytes / 1024 / 1024} MB.`, 'Make the file smaller.');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    if (code === 'EACCES' || code === 'EPERM') {
      return problem(`${file} cannot be read with your user account.`, 'Give your user account permission to read it.');
    }
    if (code === 'ELOOP') return problem(`${file} is a symbolic link to itself.`, 'Fix the link.');
    return problem(`${file} could not be read (${code ?? 'unknown error'}).`, 'Check the file and try again.');
  }
}
