/** Searches a secret in everything that a server has: the memory and the environment of its processes, and its files. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** The places that contain it. */
export function placesOf(secret: string, pids: readonly number[], folders: readonly string[]): string[] {
  const wanted = [
    Buffer.from(secret),
    Buffer.from(secret, 'utf16le'),
    ...encodedIn(secret).map((text) => Buffer.from(text)),
  ];
  const contains = (data: Buffer) => wanted.some((one) => data.includes(one));
  const ofProcesses = pids.flatMap((pid) => [
    ...['environ', 'cmdline']
      .filter((file) => contains(read(`/proc/${pid}/${file}`)))
      .map((file) => `${file} of ${pid}`),
    ...(inMemory(pid, contains) ? [`memory of ${pid}`] : []),
  ]);
  const ofFolders = folders.flatMap(filesIn).filter((file) => contains(read(file)));
  return [...ofProcesses, ...ofFolders];
}

/** The part of its base64 text that does not depend on what follows, by the position of its first character in a group of three. */
const encodedIn = (secret: string) =>
  [0, 1, 2].map((before) =>
    Buffer.from(' '.repeat(before) + secret)
      .toString('base64')
      .slice(4, -4),
  );

const chunkBytes = 4 * 1024 * 1024;

function inMemory(pid: number, contains: (data: Buffer) => boolean): boolean {
  const chunk = Buffer.alloc(chunkBytes);
  const maps = read(`/proc/${pid}/maps`).toString();
  // It has ended since it was listed.
  if (maps === '') return false;
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    return maps.split('\n').some((line) => {
      const [, from = '', to = ''] = /^([\da-f]+)-([\da-f]+) rw/.exec(line) ?? [];
      const end = Number.parseInt(to, 16);
      for (let at = Number.parseInt(from, 16); at < end; at += chunkBytes - 1024) {
        const length = readAt(memory, chunk, at, Math.min(chunkBytes, end - at));
        if (contains(chunk.subarray(0, length))) return true;
      }
      return false;
    });
  } finally {
    closeSync(memory);
  }
}

/** 0 for a region without pages. */
function readAt(file: number, into: Buffer, at: number, length: number): number {
  try {
    return readSync(file, into, 0, length, at);
  } catch {
    return 0;
  }
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

/** None in the folder of a process that has ended since it was listed. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}
