/** Reads files that anyone may have put in their place: neither waits for another program nor reads without end. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

/** Does not wait for the writer of a pipe that has taken the place of a file. Windows has no such pipes. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Files in /proc have no size, and some of them have no end. */
const unsizedBytes = 64 * 1024;
const pieceBytes = 64 * 1024;

const isReadable = (found: Stats, limit: number) => found.isFile() && found.size <= limit;

/** Opens a regular file with at most `limit` bytes; of anything else, returns what it is. */
export async function openRegularFile(file: string, limit: number): Promise<FileHandle | Stats> {
  // Checked before opening, which could have an effect on a device.
  const found = await stat(file);
  if (!isReadable(found, limit)) return found;
  const handle = await open(file, flags);
  const opened = await handle.stat();
  if (isReadable(opened, limit)) return handle;
  await handle.close();
  return opened;
}

/** The bytes of an open file, in pieces. Ends early if the file does. */
export async function* readRange(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, end - at));
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Returns the bytes of a regular file with at most `limit` bytes; of anything else, what it is. */
export async function readRegularFile(file: string, limit: number): Promise<Buffer | Stats> {
  const handle = await openRegularFile(file, limit);
  if ('isFile' in handle) return handle;
  try {
    const opened = await handle.stat();
    const bytes = Buffer.allocUnsafe(opened.size || unsizedBytes);
    let length = 0;
    let read: number;
    do {
      ({ bytesRead: read } = await handle.read(bytes, length, bytes.length - length, null));
      length += read;
    } while (read > 0);
    return contentOf(file, bytes.subarray(0, length), opened);
  } finally {
    await handle.close();
  }
}

/** The same for a small file, which must not be a device. */
export function readRegularFileSync(file: string, limit: number): Buffer | Stats {
  const handle = openSync(file, flags);
  try {
    const opened = fstatSync(handle);
    if (!isReadable(opened, limit)) return opened;
    const bytes = Buffer.allocUnsafe(opened.size || unsizedBytes);
    let length = 0;
    let read: number;
    do {
      read = readSync(handle, bytes, length, bytes.length - length, null);
      length += read;
    } while (read > 0);
    return contentOf(file, bytes.subarray(0, length), opened);
  } finally {
    closeSync(handle);
  }
}

function contentOf(file: string, bytes: Buffer, { size }: Stats): Buffer {
  if (size === 0 && bytes.length === unsizedBytes)
    throw Object.assign(new Error(`${file} has no end.`), { code: 'EFBIG' });
  return bytes;
}
