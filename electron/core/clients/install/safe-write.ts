/** Replaces a client's file atomically, without losing a concurrent change. */
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { fail } from '../../../../shared/failure.ts';
import { limits } from '../../../../shared/limits.ts';
import { isAlive } from '../../files/process-alive.ts';

/** A file's bytes at one point in time. `hash` is undefined if there was no file. */
export interface Snapshot {
  /** The path with all links resolved. */
  target: string;
  bytes: Buffer | undefined;
  hash: string | undefined;
}

/** Larger files also contain chat histories, so editing them is not worth the risk. */
const maxBytes = limits.file.changedClientFileBytes;

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Reads `file` for editing. Fails with the reason if it cannot be replaced safely. */
export function takeSnapshot(file: string): Snapshot {
  const refuse = (reason: string, hint: string) =>
    fail('CLIENT_FILE_INVALID', `${file} was not changed: ${reason}.`, { file, hint });
  const target = resolveLink(file, refuse);
  let info: ReturnType<typeof statSync>;
  try {
    info = statSync(target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { target, bytes: undefined, hash: undefined };
    throw refuse('it cannot be accessed', 'Give your user account access to its folder.');
  }
  if (!info.isFile()) throw refuse('it is not a regular file', 'Replace it with a regular file.');
  if (info.size > maxBytes)
    throw refuse(
      `it is larger than 64 MB (${Math.round(info.size / 1048576)} MB)`,
      "Add Toolkeep with the client's own command.",
    );
  if ((info.mode & 0o222) === 0) throw refuse('it is write-protected', 'Remove the write protection, then try again.');
  if (info.nlink > 1)
    throw refuse('it has a hard link, which replacing the file would break', 'Remove the hard link, then try again.');
  try {
    const bytes = readFileSync(target);
    return { target, bytes, hash: hashOf(bytes) };
  } catch {
    throw refuse('you do not have permission to read it', 'Give your user account permission to read it.');
  }
}

function resolveLink(file: string, refuse: (reason: string, hint: string) => Error): string {
  try {
    return realpathSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
    if (code === 'ENOENT' && !isLink) return file;
    if (code === 'ENOENT' || code === 'ELOOP') throw refuse('it is a broken link', 'Fix or remove the link.');
    throw refuse('it cannot be accessed', 'Give your user account access to its folder.');
  }
}

/** Edits of the same file wait for each other. The lock of the data folder keeps other processes of Toolkeep out. */
const queues = new Map<string, LimitFunction>();

/** Runs `work` while nothing else in Toolkeep edits `target`. */
export function whileLocked<T>(target: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(target) ?? pLimit(1);
  queues.set(target, queue);
  return queue(work);
}

/**
 * Replaces the file with `bytes` (undefined deletes it) if it still has the content of `before`. Otherwise, fails with
 * CLIENT_FILE_CHANGED without writing. A reader always finds either the complete old version or the complete new
 * version.
 */
export async function replaceFile(before: Snapshot, bytes: Buffer | undefined): Promise<void> {
  const { target } = before;
  if (bytes === undefined) return removeFile(before);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  sweepLeftovers(target);
  const temp = join(dirname(target), `${tempPrefix(target)}${process.pid}-${randomBytes(6).toString('hex')}`);
  const old = openOld(before);
  try {
    writeTemp(temp, bytes, old);
    await renameUnchanged(temp, before, old);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  } finally {
    if (old !== undefined) closeSync(old);
  }
  syncFolder(dirname(target));
}

function changed(target: string): Error {
  return fail('CLIENT_FILE_CHANGED', `${target} changed while it was being edited. Nothing was written.`, {
    file: target,
    hint: 'Preview the change again.',
  });
}

/** Opens the file to replace and keeps it open, to compare it immediately before and after the rename. */
function openOld({ target, hash }: Snapshot): number | undefined {
  try {
    return openSync(target, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && hash === undefined) return undefined;
    throw changed(target);
  }
}

function writeTemp(temp: string, bytes: Buffer, old: number | undefined): void {
  const handle = openSync(temp, 'wx', 0o600);
  try {
    writeFileSync(handle, bytes);
    if (old !== undefined) {
      const { mode, uid, gid } = fstatSync(old);
      try {
        fchownSync(handle, uid, gid);
      } catch {
        // Only root can change the owner; otherwise the file already belongs to the user.
      }
      fchmodSync(handle, mode & 0o7777);
    }
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Compares and renames synchronously, so that another process can intervene only between two system calls. */
async function renameUnchanged(temp: string, before: Snapshot, old: number | undefined): Promise<void> {
  const { target, hash } = before;
  for (let attempt = 1; ; attempt += 1) {
    if (!isUnchanged(before, old)) throw changed(target);
    try {
      renameSync(temp, target);
      break;
    } catch (error) {
      // On Windows, a virus scanner or the client may briefly lock the file.
      const { code } = error as NodeJS.ErrnoException;
      if (attempt >= 10 || (code !== 'EPERM' && code !== 'EBUSY' && code !== 'EACCES')) throw error;
      await delay(20 * attempt);
    }
  }
  if (old === undefined || hash === undefined) return;
  // A process that had the old file open may have written to it in the meantime; that change must not be lost.
  if (hashOf(readAll(old)) === hash) return;
  const late = await written(old);
  if (late.length === 0) return;
  await replaceFile(takeSnapshot(target), late);
  throw changed(target);
}

function isUnchanged({ target, hash }: Snapshot, old: number | undefined): boolean {
  if (old === undefined || hash === undefined) return lstatSync(target, { throwIfNoEntry: false }) === undefined;
  if (hashOf(readAll(old)) !== hash) return false;
  const held = fstatSync(old);
  const named = statSync(target, { throwIfNoEntry: false });
  return (
    named !== undefined &&
    named.ino === held.ino &&
    named.dev === held.dev &&
    named.size === held.size &&
    named.mtimeMs === held.mtimeMs
  );
}

function readAll(handle: number): Buffer {
  const { size } = fstatSync(handle);
  const buffer = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const read = readSync(handle, buffer, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

/** Waits until a process that has truncated the file finishes writing it. */
async function written(handle: number): Promise<Buffer> {
  let last = readAll(handle);
  for (let look = 0; look < 20; look += 1) {
    await delay(50);
    const now = readAll(handle);
    if (now.length > 0 && now.equals(last)) break;
    last = now;
  }
  return last;
}

async function removeFile(before: Snapshot): Promise<void> {
  const old = openOld(before);
  try {
    if (!isUnchanged(before, old)) throw changed(before.target);
    if (old !== undefined) unlinkSync(before.target);
  } finally {
    if (old !== undefined) closeSync(old);
  }
  syncFolder(dirname(before.target));
}

function tempPrefix(target: string): string {
  return `.${basename(target)}.toolkeep-`;
}

/** Removes temporary files that a killed process left next to the file. */
export function sweepLeftovers(target: string): void {
  if (!existsSync(dirname(target))) return;
  for (const name of readdirSync(dirname(target))) {
    if (!name.startsWith(tempPrefix(target))) continue;
    const pid = Number(/toolkeep-(\d+)-[0-9a-f]{12}$/.exec(name)?.[1]);
    if (pid > 0 && pid !== process.pid && !isAlive(pid)) rmSync(join(dirname(target), name), { force: true });
  }
}

/** Makes the rename durable. Some systems do not support this for folders. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Not supported on Windows and in some network folders.
  }
}
