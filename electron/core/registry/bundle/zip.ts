/** Reads zip files strictly: refuses everything that two programs could interpret differently. */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { limits } from '../../../../shared/limits.ts';
import { createSlices } from '../../async/slices.ts';
import { openRegularFile, readRange } from '../../files/regular-file.ts';
import { Refused } from '../launch.ts';
import { checkNames } from './entry-names.ts';

export interface ZipEntry {
  /** The path in the archive; folders end with a slash. */
  name: string;
  /** Bytes after unpacking. */
  size: number;
  isExecutable: boolean;
  method: number;
  crc: number;
  packedSize: number;
  offset: number;
}

export interface Zip {
  handle: FileHandle;
  entries: ZipEntry[];
}

const { bundle } = limits;
const endLength = 22;
const folderMode = 0o40000;
const linkMode = 0o120000;

/** Opens a bundle, whose path may lead to anything. Throws `Refused`. The caller closes it. */
export async function openBundle(file: string): Promise<FileHandle> {
  const opened = await openRegularFile(file, bundle.fileBytes).catch(() => {
    throw new Refused(`${file} cannot be read. Check the path and its permissions.`);
  });
  if (!('isFile' in opened)) return opened;
  throw new Refused(
    opened.isFile()
      ? `The bundle is larger than ${bundle.fileBytes / 1024 / 1024} MB.`
      : `${file} is not a regular file.`,
  );
}

/** All bytes of an open bundle. */
export const bytesOf = (handle: FileHandle) => readRange(handle, 0, bundle.fileBytes);

/** Reads the list of entries. Throws `Refused` for an archive that is unsafe to unpack. */
export async function readZip(handle: FileHandle): Promise<Zip> {
  const end = await findEnd(handle, (await handle.stat()).size);
  const directory = await readAt(handle, end.directoryOffset, end.directorySize);
  const entries = await readDirectory(directory, end.count);
  await checkEntries(handle, entries, end.directoryOffset);
  return { handle, entries };
}

async function findEnd(handle: FileHandle, size: number) {
  const tailStart = Math.max(0, size - 1024 * 1024);
  const tail = withoutSignature(await readAt(handle, tailStart, size - tailStart));
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (at === -1 || at + endLength > tail.length) throw new Refused('The file is not a bundle.');
  const [disk, directoryDisk] = [tail.readUInt16LE(at + 4), tail.readUInt16LE(at + 6)];
  const [here, count] = [tail.readUInt16LE(at + 8), tail.readUInt16LE(at + 10)];
  const [directorySize, directoryOffset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  const isWhole = at + endLength + tail.readUInt16LE(at + 20) === tail.length;
  const isPlain = disk === 0 && directoryDisk === 0 && here === count;
  if (!isWhole || !isPlain || directoryOffset + directorySize !== tailStart + at)
    throw new Refused('The archive is damaged, or has more than one part.');
  if (count > bundle.files || directorySize > bundle.fileListBytes)
    throw new Refused(`The bundle has too many files: more than ${bundle.files}, or a list of more than 8 MB.`);
  return { count, directorySize, directoryOffset };
}

/**
 * The end of the archive without the signature that `mcpb` writes after it, which Toolkeep does not read. `mcpb` may count the
 * signature as the comment of the archive; then it stays.
 */
function withoutSignature(tail: Buffer): Buffer {
  const start = tail.lastIndexOf('MCPB_SIG_V1');
  const isSigned = start >= endLength && tail.subarray(-'MCPB_SIG_END'.length).toString('latin1') === 'MCPB_SIG_END';
  return isSigned && tail.readUInt16LE(start - 2) === 0 ? tail.subarray(0, start) : tail;
}

async function readDirectory(directory: Buffer, count: number): Promise<ZipEntry[]> {
  const slice = createSlices();
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50)
      throw new Refused('The list of files in the archive is damaged.');
    const [flags, method] = [directory.readUInt16LE(at + 8), directory.readUInt16LE(at + 10)];
    const lengths = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset)) as [number, number, number];
    const bytes = directory.subarray(at + 46, at + 46 + lengths[0]);
    const name = bytes.toString('utf8');
    if (!Buffer.from(name).equals(bytes)) throw new Refused('A file name in the archive is not valid text.');
    if ((flags & 0x41) !== 0) throw new Refused(`"${name}" is encrypted.`);
    if (method !== 0 && method !== 8) throw new Refused(`"${name}" uses an unknown compression method.`);
    const mode = directory.readUInt32LE(at + 38) >>> 16;
    const type = mode & 0o170000;
    if (type === linkMode) throw new Refused(`"${name}" is a link.`);
    if (type !== 0 && type !== 0o100000 && type !== folderMode) throw new Refused(`"${name}" is not a file.`);
    entries.push({
      ...{ name, method, crc: directory.readUInt32LE(at + 16) },
      packedSize: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      isExecutable: (mode & 0o111) !== 0,
      offset: directory.readUInt32LE(at + 42),
    });
    at += 46 + lengths[0] + lengths[1] + lengths[2];
    await slice();
  }
  if (at !== directory.length) throw new Refused('The list of files in the archive is damaged.');
  return entries;
}

/** Refuses entries that overlap in the file, because one byte could be unpacked many times. */
async function checkEntries(handle: FileHandle, entries: ZipEntry[], end: number): Promise<void> {
  await checkNames(entries.map(({ name }) => name));
  const slice = createSlices();
  let total = 0;
  let next = 0;
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    total += entry.size;
    const isBomb = entry.size > 1024 * 1024 && entry.size > entry.packedSize * bundle.compressionRatio;
    if (isBomb || total > bundle.unpackedBytes) throw new Refused('The bundle would be far too large after unpacking.');
    if (entry.method === 0 && entry.size !== entry.packedSize) throw new Refused(`"${entry.name}" is damaged.`);
    if (entry.offset < next) throw new Refused('Files in the archive overlap.');
    next = (await dataStart(handle, entry)) + entry.packedSize;
    if (next > end) throw new Refused(`"${entry.name}" is damaged.`);
    await slice();
  }
}

/** Checks that the entry's own header matches the list, and returns the offset of its data. */
async function dataStart(handle: FileHandle, { name, offset }: ZipEntry): Promise<number> {
  const header = await readAt(handle, offset, 30);
  if (header.readUInt32LE(0) !== 0x04034b50) throw new Refused(`"${name}" is damaged.`);
  const length = header.readUInt16LE(26);
  const own = await readAt(handle, offset + 30, length);
  if (own.toString('utf8') !== name) throw new Refused(`"${name}" has two different names.`);
  return offset + 30 + length + header.readUInt16LE(28);
}

async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, offset);
  if (bytesRead !== length) throw new Refused('The archive is damaged.');
  return buffer;
}

/** Returns the content of one entry; undefined if no entry has this name. Throws `Refused` above `maxBytes`. */
export async function readEntry({ handle, entries }: Zip, name: string, maxBytes: number): Promise<Buffer | undefined> {
  const entry = entries.find((one) => one.name === name);
  if (!entry) return undefined;
  if (entry.size > maxBytes) throw new Refused(`"${name}" is larger than ${maxBytes} bytes.`);
  const chunks: Buffer[] = [];
  await unpackEntry(handle, entry, async (source) => {
    for await (const chunk of source) chunks.push(chunk as Buffer);
  });
  return Buffer.concat(chunks);
}

/** Unpacks all entries into a new folder. Throws `Refused` if a file does not match the list. */
export async function unpack({ handle, entries }: Zip, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const entry of entries) {
    const target = join(folder, ...entry.name.split('/'));
    await mkdir(entry.name.endsWith('/') ? target : dirname(target), { recursive: true, mode: 0o700 });
    if (entry.name.endsWith('/')) continue;
    await unpackEntry(handle, entry, async (source) => {
      await using unpacked = await open(target, 'wx', entry.isExecutable ? 0o700 : 0o600);
      await unpacked.writeFile(source as AsyncIterable<Uint8Array>);
      await unpacked.sync();
    });
  }
}

async function unpackEntry(
  handle: FileHandle,
  entry: ZipEntry,
  consume: (source: AsyncIterable<unknown>) => Promise<void>,
): Promise<void> {
  const start = await dataStart(handle, entry);
  let size = 0;
  let sum = 0;
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      sum = crc32(chunk, sum);
      done(size > entry.size ? new Refused(`"${entry.name}" is larger than the archive says.`) : null, chunk);
    },
  });
  if (entry.packedSize > 0) {
    const source = readRange(handle, start, start + entry.packedSize);
    try {
      if (entry.method === 8) await pipeline(source, createInflateRaw(), check, consume);
      else await pipeline(source, check, consume);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw new Refused(`"${entry.name}" is damaged.`);
      throw error;
    }
  } else
    await consume(
      (async function* () {
        // Nothing to read.
      })(),
    );
  if (size !== entry.size || sum !== entry.crc) throw new Refused(`"${entry.name}" is damaged.`);
}

/** SHA-256 of an open bundle, in hexadecimal. */
export async function hashOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytesOf(handle)) hash.update(piece);
  return hash.digest('hex');
}
