/**
 * Detects calls whose arguments name Gatehouse's own files or address. With access to those, an agent could rewrite the
 * rules, add grants or read the key of the local socket, and thus approve its own calls. Every such call needs
 * approval, whatever the tool.
 */
import { lstat, opendir, readdir } from 'node:fs/promises';
import { join, normalize, relative } from 'node:path';
import { isObject } from '../../../shared/is-object.ts';
import { createSlices, ownTurn } from '../async/slices.ts';
import type { Host } from '../host.ts';
import type { RegisteredTool } from '../types.ts';
import type { Arguments } from './argument-values.ts';
import { isInside, writtenPath } from './paths.ts';

export interface OwnFiles {
  /**
   * Why the call needs the user, as a sentence for the question; undefined if it names nothing that belongs to
   * Gatehouse. The names in `args` itself come from Core. Without `called`, any server may receive the call.
   */
  reasonToAsk(args: Arguments, called?: Called): Promise<string | undefined>;
}

type CalledTool = Pick<RegisteredTool, 'server' | 'inputSchema'>;

export interface Called {
  tool: CalledTool;
  /** The folders that the server knows from the client; called only if there are relative paths. */
  foldersOfCaller(): Promise<readonly string[]>;
}

/** More paths than a user would read in a question. */
const maxPaths = 500;
/** The same for relative paths, each of which may exist in several folders. */
const maxCompleted = 10 * maxPaths;
/** The folder's usual name as a complete path segment, as in `~/.gatehouse/config.json` or `$HOME/.gatehouse`. */
const folderName = /(?<![\w.-])\.gatehouse(?![\w.-])/i;

/** Quick checks before the slower ones: twenty times as fast as the patterns, and usually false. */
const mayNameFolder = (text: string) => text.includes('.g') || text.includes('.G');
const mayHaveEscapes = (text: string) => text.includes('%') || text.includes('\\');

type Places = Pick<Host, 'dataDir' | 'homeDir' | 'platform' | 'env'>;

/**
 * `port` is the port of the local HTTP endpoint, if it is listening; `workingFolders` are those of a server, or of all servers,
 * other than the home folder.
 */
export function createOwnFiles(
  host: Places,
  port: () => number | undefined,
  workingFolders: (server?: string) => readonly string[],
): OwnFiles {
  const { dataDir, homeDir, platform, env } = host;
  const places = [dataDir, env.GATEHOUSE_PASSPHRASE_FILE].filter((place) => place !== undefined);
  const ignoresCase = platform === 'darwin' || platform === 'win32';
  const folded = (text: string) => (ignoresCase ? text.replaceAll('\\', '/').toLowerCase() : text);
  // Servers start in the home folder.
  const relativePlaces = places.map((place) => relative(homeDir, place)).filter((path) => /^[^.].*[\\/]/.test(path));
  const written = [...places, ...relativePlaces].map(folded);
  const namesPlace = (text: string) =>
    (mayNameFolder(text) && folderName.test(text)) || written.some((place) => folded(text).includes(place));

  const inHome = (path: string) => path.replace(/^~(?=[\\/]|$)/, homeDir);

  async function leadsInside(path: string, real: readonly string[]): Promise<boolean> {
    for (const one of readings(inHome(path))) {
      const place = await writtenPath(one);
      if (place !== undefined && real.some((own) => isInside(own, place))) return true;
    }
    return false;
  }

  /** Includes where links in the data folder lead: the user may keep the configuration elsewhere. */
  async function readPlaces(): Promise<string[]> {
    const entries = await readdir(dataDir, { withFileTypes: true }).catch(() => none);
    const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(dataDir, name));
    const real = await Promise.all([...places, ...links].map(writtenPath));
    return real.filter((place) => place !== undefined);
  }

  let known: { until: number; places: Promise<string[]> } | undefined;
  /** Read again after a second, because only the user or an approved call can change them. */
  function realPlaces(): Promise<string[]> {
    const now = performance.now();
    if (!known || now > known.until) known = { until: now + 1_000, places: readPlaces() };
    return known.places;
  }

  /** The reason to ask if a slice of text names Gatehouse's files or its port, `own`; otherwise undefined. */
  function reasonIn(text: string, own: number | undefined): string | undefined {
    if (namesPlace(text) || (mayHaveEscapes(text) && namesPlace(decoded(text)))) return ownFile;
    return own !== undefined && text.includes(String(own)) && namesPort(text, own) ? ownAddress : undefined;
  }

  return {
    async reasonToAsk(args, called) {
      const own = port();
      const paths = new Set<string>();
      const relatives = new Set<string>();
      const open: Value[] = Object.entries(args).map(([name, value]) => ({ name, value, depth: 1 }));
      let since = performance.now();
      for (let next = open.pop(); next; next = open.pop()) {
        const { name, value, depth } = next;
        if (depth > maxDepth) return tooDeep;
        if (own !== undefined && /port/i.test(name) && isNumber(value, own)) return ownAddress;
        if (typeof value === 'object' && value !== null) pushInner(open, next, called?.tool);
        const text = typeof value === 'string' ? value.trim() : '';
        if (isPath(text)) paths.add(text);
        else if (isRelative(text)) relatives.add(text);
        for (const slice of slicesOf(value)) {
          const reason = reasonIn(slice, own);
          if (reason !== undefined) return reason;
          // Let other work of Core run in between, however many and long the strings are.
          if (performance.now() - since < maxHoldMs) continue;
          await ownTurn();
          since = performance.now();
        }
      }
      if (paths.size > maxPaths) return tooMany(paths);
      const callerFolders = called && relatives.size > 0 ? await called.foldersOfCaller() : none;
      // A server may resolve a relative path against another path of the call.
      const folders = () =>
        new Set([homeDir, ...workingFolders(called?.tool.server), ...callerFolders, ...paths].map(inHome));
      const completed = relatives.size > 0 ? await completedIn(folders(), relatives) : none;
      const checked = new Set([...paths, ...callerFolders, ...completed]);
      if (checked.size > maxCompleted) return tooMany(checked);
      if (checked.size === 0) return undefined;
      const real = await realPlaces();
      for (const path of checked) if (await leadsInside(path, real)) return ownFile;
      return undefined;
    },
  };
}

const tooMany = ({ size }: ReadonlySet<string>) =>
  `It names ${size} paths, too many to check whether they lead to files of Gatehouse.`;
const tooDeep = 'Its arguments are nested too deeply to check whether they name files of Gatehouse.';
const ownFile =
  'It names files of Gatehouse itself. An agent that reads or changes them can change your rules and approve calls in your place.';
const ownAddress = 'It names the address of Gatehouse itself, through which calls can be approved.';

const isPath = (text: string) =>
  text.length <= sliceLength && /^(?:[\\/~]|file:|[A-Za-z]:[\\/])/i.test(text) && !/[\r\n]/.test(text);

/** The path as the operating system reads it, and as a server does that removes `..` before it follows links. */
const readings = (path: string) => (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path) ? [path, normalize(path)] : [path]);

/** A single name may be that of a link. Common file systems have no names of more than 255 characters. */
const isRelative = (text: string) => text.length <= maxRelative && /^[^\\/\r\n]{1,255}(?:[\\/][^\r\n]*)?$/.test(text);
const maxRelative = 4096;

/**
 * The absolute paths that relative ones may mean to a server, if the folder contains their first part, and single names if
 * they are links: a repository may contain a link to Gatehouse's files. Stops when there are too many to check.
 */
async function completedIn(folders: Iterable<string>, relatives: Iterable<string>): Promise<Set<string>> {
  const texts = new Set([...relatives].flatMap(readings));
  const paths = new Set<string>();
  const listed: [string, Entries][] = [];
  for (const folder of folders) {
    const entries = texts.size > maxLookups ? await entriesOf(folder) : await entriesNamed(texts, folder);
    if (entries !== undefined) listed.push([folder, entries]);
  }
  const rest = createSlices(maxHoldMs);
  for (const text of texts) {
    await rest();
    const first = firstPart(text);
    const further = text.slice(first.length);
    const plain = plainName(first);
    for (const [folder, entries] of listed)
      for (const { name, isLink } of found(entries, first, plain))
        if (isLink || further !== '') paths.add(`${folder}/${name}${further}`);
    if (paths.size > maxCompleted) return paths;
  }
  return paths;
}

/** It is faster to look up this many names than to read a folder. */
const maxLookups = 4;

const firstPart = (path: string) => path.split(/[\\/]/, 1)[0] ?? '';

interface Entry {
  name: string;
  isLink: boolean;
}
/** The entries of a folder by name, as an operating system that ignores case would find them. */
type Entries = Map<string, Entry[]> | 'unknown';

const ignoredEnd = /[. ]+$/;
const plainName = (name: string) => name.normalize('NFKC').toLowerCase().replace(ignoredEnd, '');

function found(entries: Entries, first: string, plain: string): Entry[] {
  return entries === 'unknown' ? [{ name: first, isLink: true }] : (entries.get(plain) ?? none);
}

/** The entries with which these paths begin. A name that cannot be looked up may be that of a link. */
async function entriesNamed(paths: Iterable<string>, folder: string): Promise<Entries> {
  const entries = new Map<string, Entry[]>();
  const names = [...paths].map(firstPart).flatMap((name) => [name, name.replace(ignoredEnd, '')]);
  const lookups = [...new Set(names)].map(async (name) => {
    try {
      addTo(entries, { name, isLink: (await lstat(`${folder}/${name}`)).isSymbolicLink() });
    } catch (error) {
      if (!isMissing(error)) addTo(entries, { name, isLink: true });
    }
  });
  await Promise.all(lookups);
  return entries;
}

/** Reads a folder once, however many names a call has. If it cannot be read, it may contain any name. Undefined if there is no such folder. */
async function entriesOf(folder: string): Promise<Entries | undefined> {
  const entries = new Map([
    [
      plainName('.'),
      [
        { name: '.', isLink: false },
        { name: '..', isLink: false },
      ],
    ],
  ]);
  try {
    for await (const entry of await opendir(folder, { bufferSize: 256 }))
      addTo(entries, { name: entry.name, isLink: entry.isSymbolicLink() });
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

/** Ignores the host, because this machine has too many names and addresses to list. */
const namesPort = (text: string, port: number) => new RegExp(`:0*${port}(?!\\d)`).test(text);

/** A server may read a number from a string. */
const isNumber = (value: unknown, number: number) =>
  (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) && Number(value) === number;

const sliceLength = 64 * 1024;
/** In characters: longer than any searched name, even with every character escaped. */
const overlap = 16 * 1024;
const maxHoldMs = 5;
const maxDepth = 32;

/** A string in slices that overlap; nothing for other values. */
function slicesOf(value: unknown): string[] {
  if (typeof value !== 'string') return none;
  if (value.length <= sliceLength) return [value];
  const slices: string[] = [];
  for (let at = 0; at + overlap < value.length; at += sliceLength - overlap)
    slices.push(value.slice(at, at + sliceLength));
  return slices;
}

const none: never[] = [];

/** A value among the arguments, with the key that contains it. */
interface Value {
  name: string;
  value: unknown;
  depth: number;
}

/** Adds what a list or object contains, and its keys. The names of the tool's parameters are no paths. */
function pushInner(open: Value[], { name, value, depth }: Value, tool: CalledTool | undefined): void {
  if (Array.isArray(value)) {
    for (const inner of value) open.push({ name, value: inner, depth: depth + 1 });
    return;
  }
  const parameters = depth === 1 ? tool?.inputSchema.properties : undefined;
  for (const [key, inner] of Object.entries(value as object)) {
    if (!isObject(parameters) || !Object.hasOwn(parameters, key)) open.push({ name: key, value: key, depth });
    open.push({ name: key, value: inner, depth: depth + 1 });
  }
}

/** Decodes ASCII escapes of URLs (`%2e`) and of JSON or code (`\u002e`, `\x2e`), as a server may do. */
function decoded(text: string): string {
  return text.replace(/(?:%|\\u00|\\x)([2-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
