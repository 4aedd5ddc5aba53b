/**
 * Reads zip files strictly: refuses everything that two programs could interpret differently. `yauzl` parses them; the checks of
 * names, overlap, size and content are here.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
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
  crc: number;
  isExecutable: boolean;
  source: Entry;
}

export interface Zip {
  archive: ZipFile;
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

/** Reads the list of entries. Throws `Refused` for an archive that is unsafe to unpack. The file must stay open. */
export async function readZip(handle: FileHandle): Promise<Zip> {
  const size = await archiveSize(handle, (await handle.stat()).size);
  return refusing(async () => {
    const options = { autoClose: false, decodeStrings: false };
    const archive = await fromRandomAccessReaderPromise(new FileReader(handle), size, options);
    const { directoryOffset, directorySize } = await readEnd(handle, archive, size);
    const entries = await readEntries(archive, directorySize);
    await checkEntries(archive, entries, directoryOffset);
    return { archive, entries };
  });
}

class FileReader extends RandomAccessReader {
  readonly #handle: FileHandle;
  constructor(handle: FileHandle) {
    super();
    this.#handle = handle;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(readRange(this.#handle, start, end));
  }
  override read(
    to: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    const read = this.#handle.read(to, offset, length, position);
    read.then(({ bytesRead }) => done(bytesRead === length ? null : new Refused('The archive is damaged.')), done);
  }
}

/** Throws `Refused` for an archive that `yauzl` or zlib cannot read. Errors of the file system stay. */
async function refusing<T>(work: () => Promise<T>, name?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof Refused || (code !== undefined && !code.startsWith('Z_'))) throw error;
    if (message.startsWith('End of central directory')) throw new Refused('The file is not a bundle.');
    if (name === undefined) throw new Refused('The archive is damaged, or has more than one part.');
    throw new Refused(
      message.startsWith('too many bytes') ? `"${name}" is larger than the archive says.` : `"${name}" is damaged.`,
    );
  }
}

/**
 * The size without the signature that `mcpb` writes after the archive, which Toolkeep does not read. `mcpb` may count the
 * signature as the comment of the archive; then it is a part.
 */
async function archiveSize(handle: FileHandle, size: number): Promise<number> {
  const tail = await readAt(handle, Math.max(0, size - 1024 * 1024), Math.min(size, 1024 * 1024));
  const start = tail.lastIndexOf('MCPB_SIG_V1');
  const isSigned = start >= endLength && tail.subarray(-'MCPB_SIG_END'.length).toString('latin1') === 'MCPB_SIG_END';
  return isSigned && tail.readUInt16LE(start - 2) === 0 ? size - tail.length + start : size;
}

/** Where the list of entries is. `yauzl` ignores its size, and any bytes between it and the end of the archive. */
async function readEnd(handle: FileHandle, { entryCount, comment }: ZipFile, size: number) {
  const at = size - endLength - comment.length;
  const end = await readAt(handle, at, endLength);
  const [here, count, directoryDisk] = [end.readUInt16LE(8), end.readUInt16LE(10), end.readUInt16LE(6)];
  const [directorySize, directoryOffset] = [end.readUInt32LE(12), end.readUInt32LE(16)];
  if (directoryDisk !== 0 || here !== count || count !== entryCount || directoryOffset + directorySize !== at)
    throw new Refused('The archive is damaged, or has more than one part.');
  if (count > bundle.files || directorySize > bundle.fileListBytes)
    throw new Refused(`The bundle has too many files: more than ${bundle.files}, or a list of more than 8 MB.`);
  return { directoryOffset, directorySize };
}

async function readEntries(archive: ZipFile, directorySize: number): Promise<ZipEntry[]> {
  const slice = createSlices();
  const entries: ZipEntry[] = [];
  let read = 0;
  for await (const source of archive.eachEntry()) {
    entries.push(entryOf(source));
    read += 46 + source.fileNameLength + source.extraFieldLength + source.fileCommentLength;
    await slice();
  }
  if (read !== directorySize) throw new Refused('The list of files in the archive is damaged.');
  return entries;
}

function entryOf(source: Entry): ZipEntry {
  const { fileNameRaw, compressionMethod, externalFileAttributes, uncompressedSize: size, crc32: crc } = source;
  const name = fileNameRaw.toString('utf8');
  if (!Buffer.from(name).equals(fileNameRaw)) throw new Refused('A file name in the archive is not valid text.');
  if (source.isEncrypted()) throw new Refused(`"${name}" is encrypted.`);
  if (compressionMethod !== 0 && compressionMethod !== 8)
    throw new Refused(`"${name}" uses an unknown compression method.`);
  const mode = externalFileAttributes >>> 16;
  const type = mode & 0o170000;
  if (type === linkMode) throw new Refused(`"${name}" is a link.`);
  if (type !== 0 && type !== 0o100000 && type !== folderMode) throw new Refused(`"${name}" is not a file.`);
  return { name, size, crc, isExecutable: (mode & 0o111) !== 0, source };
}

/** Refuses entries that overlap in the file, because one byte could be unpacked many times. */
async function checkEntries(archive: ZipFile, entries: ZipEntry[], end: number): Promise<void> {
  await checkNames(entries.map(({ name }) => name));
  const slice = createSlices();
  let total = 0;
  let next = 0;
  const offset = ({ source }: ZipEntry) => source.relativeOffsetOfLocalHeader;
  for (const entry of entries.toSorted((a, b) => offset(a) - offset(b))) {
    const { name, size, source } = entry;
    total += size;
    const isBomb = size > 1024 * 1024 && size > source.compressedSize * bundle.compressionRatio;
    if (isBomb || total > bundle.unpackedBytes) throw new Refused('The bundle would be far too large after unpacking.');
    if (offset(entry) < next) throw new Refused('Files in the archive overlap.');
    const header = await refusing(() => archive.readLocalFileHeaderPromise(source), name);
    if (!header.fileName.equals(source.fileNameRaw)) throw new Refused(`"${name}" has two different names.`);
    next = header.fileDataStart + source.compressedSize;
    if (next > end) throw new Refused(`"${name}" is damaged.`);
    await slice();
  }
}

async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, offset);
  if (bytesRead !== length) throw new Refused('The archive is damaged.');
  return buffer;
}

/** Returns the content of one entry; undefined if no entry has this name. Throws `Refused` above `maxBytes`. */
export async function readEntry(
  { archive, entries }: Zip,
  name: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const entry = entries.find((one) => one.name === name);
  if (!entry) return undefined;
  if (entry.size > maxBytes) throw new Refused(`"${name}" is larger than ${maxBytes} bytes.`);
  const chunks: Buffer[] = [];
  await unpackEntry(archive, entry, async (source) => {
    for await (const chunk of source) chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/** Unpacks all entries into a new folder. Throws `Refused` if a file does not match the list. */
export async function unpack({ archive, entries }: Zip, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const entry of entries) {
    const target = join(folder, ...entry.name.split('/'));
    await mkdir(entry.name.endsWith('/') ? target : dirname(target), { recursive: true, mode: 0o700 });
    if (entry.name.endsWith('/')) continue;
    await unpackEntry(archive, entry, async (source) => {
      await using unpacked = await open(target, 'wx', entry.isExecutable ? 0o700 : 0o600);
      await unpacked.writeFile(source);
      await unpacked.sync();
    });
  }
}

/** `yauzl` compares the size with the list, but not the checksum. */
async function unpackEntry(
  archive: ZipFile,
  { name, crc, source }: ZipEntry,
  consume: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  let sum = 0;
  await refusing(async () => {
    const content = await archive.openReadStreamPromise(source);
    async function* summed(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        sum = crc32(chunk, sum);
        yield chunk;
      }
    }
    await pipeline(content, summed, consume);
  }, name);
  if (sum !== crc) throw new Refused(`"${name}" is damaged.`);
}

/** SHA-256 of an open bundle, in hexadecimal. */
export async function hashOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytesOf(handle)) hash.update(piece);
  return hash.digest('hex');
}
