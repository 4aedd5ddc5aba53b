/** The paths that a string among a call's arguments may mean to a server. */
import { existsSync, lstatSync, statSync } from 'node:fs';
import { lstat, opendir, statfs } from 'node:fs/promises';
import { dirname, normalize, sep } from 'node:path';
import { createSlices } from '../async/slices.ts';

/** No operating system opens a longer path, but a server may shorten one. */
const maxPath = 64 * 1024;
const maxOpened = 4096;
/** It is faster to look up this many names than to read a folder. */
const maxLookups = 4;
const maxHoldMs = 5;

const isOneLine = (text: string) => text.length <= maxOpened || !/[\r\n]/.test(text);

/** Whether the text is an absolute path, a path from the home folder (also by a variable) or a `file:` URL. */
export const isPath = (text: string) =>
  text.length <= maxPath &&
  /^(?:[\\/~]|\$HOME|\$\{HOME\}|%USERPROFILE%|file:|[A-Za-z]:[\\/])/i.test(text) &&
  isOneLine(text);

/** A single name may be that of a link. Common file systems have no names of more than 255 characters. */
export const isRelative = (text: string) =>
  text.length <= maxPath && /^[^\\/]{1,255}(?:[\\/]|$)/.test(text) && isOneLine(text);

/** Whether the text may be a path that is too long to check, but short once a server has removed its detours. */
export const isHuge = (text: string) =>
  text.length > maxPath && /^\s*(?:[\\/~.]|[A-Za-z]:[\\/])/.test(text.slice(0, 100));
/** Detours are parts that lead nowhere. Base64 has no such parts. */
export const hasDetours = (slice: string) => /[\\/](?:\.{1,2}[\\/]|[\\/]{7})/.test(slice);

/**
 * The path as the operating system reads it, and as a server reads it that removes `..` before it follows links. Neither has
 * `.` or repeated separators. A URL needs no second reading, because every URL parser removes `..`.
 */
export function readings(path: string): string[] {
  if (/^file:/i.test(path) || (sep === '/' && !mayHaveDetours.test(path))) return [path];
  const short = path.replace(/\/(?:\.?\/)+/g, '/').replace(/^(?:\.\/)+/, '');
  const normalized = normalize(path);
  return short === normalized ? [short] : [short, normalized];
}

const mayHaveDetours = /(?:^|\/)\.|\/\//;

/** A relative path, with its first part as written, and in the form that a system that ignores case compares. */
interface RelativePath {
  first: string;
  plain: string;
  further: string;
}

interface Entry {
  name: string;
  isLink: boolean;
}
/** The entries of a folder by name, as an operating system that ignores case would find them. */
type Entries = Map<string, Entry[]> | 'unknown';

/**
 * The absolute paths that relative ones may mean to a server: those whose first part is in the folder, and single names of
 * links, because a repository may contain a link to Toolkeep's files. Stops when there are more than `max`.
 */
export async function completedIn(
  folders: Iterable<string>,
  relatives: ReadonlySet<string>,
  max: number,
): Promise<Set<string>> {
  const rest = relatives.size > maxLookups ? createSlices(maxHoldMs) : undefined;
  const parsed: RelativePath[] = [];
  for (const text of relatives) {
    if (rest) await rest();
    parsed.push(...readings(text).map(parsedPath));
  }
  const wanted = parsed.length > maxLookups ? new Set(parsed.map(({ plain }) => plain)) : undefined;
  const listed: [string, Entries][] = [];
  for (const folder of new Set([...folders].flatMap(readings))) {
    const entries = wanted ? await entriesOf(folder, wanted) : await entriesNamed(parsed, folder);
    if (entries !== undefined) listed.push([folder, entries]);
  }
  const paths = new Set<string>();
  for (const { first, plain, further } of listed.length > 0 ? parsed : []) {
    if (rest) await rest();
    for (const [folder, entries] of listed)
      for (const { name, isLink } of found(entries, first, plain))
        if (isLink || further !== '') paths.add(`${folder}/${name}${further}`);
    if (paths.size > max) return paths;
  }
  return paths;
}

function parsedPath(path: string): RelativePath {
  const first = path.split(/[\\/]/, 1)[0] ?? '';
  return { first, plain: plainName(first), further: path.slice(first.length) };
}

const none: Entry[] = [];
const ignoredEnd = /[. ]+$/;
const plainName = (name: string) => name.normalize('NFKC').toLowerCase().replace(ignoredEnd, '');

function found(entries: Entries, first: string, plain: string): Entry[] {
  return entries === 'unknown' ? [{ name: first, isLink: true }] : (entries.get(plain) ?? none);
}

/** The entries with which these paths begin; undefined if none exists. A name that cannot be looked up may be that of a link. */
async function entriesNamed(paths: RelativePath[], folder: string): Promise<Entries | undefined> {
  // On a local disk, waiting for an asynchronous lookup takes 40 times as long as the lookup.
  const isFast = localFolders.get(folder) ?? (await learn(folder));
  if (isFast && !isFolder(folder)) return undefined;
  const entries = new Map<string, Entry[]>();
  const names = new Set(paths.flatMap(({ first }) => [first, first.replace(ignoredEnd, '')]));
  for (const name of names) {
    try {
      const path = `${folder}/${name}`;
      const entry = isFast ? lstatSync(path, { throwIfNoEntry: false }) : await lstat(path);
      if (entry) addTo(entries, { name, isLink: entry.isSymbolicLink() });
    } catch (error) {
      if (!isMissing(error)) addTo(entries, { name, isLink: true });
    }
  }
  return entries.size > 0 ? entries : undefined;
}

/** True also if that cannot be found out. An exception for each name takes longer than one check. */
function isFolder(path: string): boolean {
  if (existsSync(`${path}/.`)) return true;
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    return !isMissing(error);
  }
}

/** By folder, whether its file system is on a local disk. Others, such as network drives, may not answer for minutes. */
const localFolders = new Map<string, boolean>();
const maxLearned = 1_000;
/** ext4, XFS, Btrfs, tmpfs, overlay, ZFS and F2FS on Linux; APFS on macOS. */
const localTypes = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0x1a]);

async function learn(folder: string): Promise<boolean> {
  // A missing folder would be created on its parent's file system.
  const { type } = await statfs(folder)
    .catch(() => statfs(dirname(folder)))
    .catch(() => ({ type: undefined }));
  if (type === undefined) return false;
  if (localFolders.size >= maxLearned) localFolders.clear();
  localFolders.set(folder, localTypes.has(type));
  return localTypes.has(type);
}

/**
 * The `wanted` entries of a folder, which is read once, however many names a call has. If it cannot be read, it may contain
 * any name. Undefined if there is no such folder.
 */
async function entriesOf(folder: string, wanted: ReadonlySet<string>): Promise<Entries | undefined> {
  const entries = new Map<string, Entry[]>();
  for (const name of ['.', '..']) addTo(entries, { name, isLink: false });
  try {
    for await (const entry of await opendir(folder, { bufferSize: 256 }))
      if (wanted.has(plainName(entry.name))) addTo(entries, { name: entry.name, isLink: entry.isSymbolicLink() });
    return entries;
  } catch (error) {
    return isMissing(error) ? undefined : 'unknown';
  }
}

function addTo(entries: Map<string, Entry[]>, entry: Entry): void {
  const name = plainName(entry.name);
  const same = entries.get(name);
  if (same) same.push(entry);
  else entries.set(name, [entry]);
}

const isMissing = (error: unknown) =>
  ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '');
