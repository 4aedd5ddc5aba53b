/**
 * Detects calls whose arguments name Toolkeep's own files or address. With access to those, an agent could rewrite the
 * rules, add grants or read the key of the local socket, and thus approve its own calls. Every such call needs
 * approval, whatever the tool.
 */
import { lstat, readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { isObject } from '../../../shared/is-object.ts';
import { ownTurn } from '../async/slices.ts';
import type { Host } from '../host.ts';
import type { RegisteredTool } from '../types.ts';
import type { Arguments } from './argument-values.ts';
import { completedIn, hasDetours, isHuge, isPath, isRelative, readings } from './named-paths.ts';
import { isInside, writtenPath } from './paths.ts';

export type OwnFiles = ReturnType<typeof createOwnFiles>;

type CalledTool = Pick<RegisteredTool, 'server' | 'inputSchema'>;

export interface Called {
  tool: CalledTool;
  /** The folders that the server knows from the client; called only if there are relative paths. */
  foldersOfCaller: (() => Promise<readonly string[]>) | undefined;
}

/** More paths than a user would read in a question. */
const maxPaths = 500;
/** The same for relative paths, each of which may exist in several folders. */
const maxCompleted = 10 * maxPaths;
/**
 * The folder's usual name as a complete path segment, as in `~/.toolkeep/config.json` or `$HOME/.toolkeep`; the variables with
 * its place, which servers have; and the file of Core's key, which a search finds in any folder above it.
 */
const ownName = /(?<![\w.-])(?:\.toolkeep|core\.key)(?![\w.-])|TOOLKEEP_(?:HOME|PASSPHRASE_FILE)/i;

/** Other spellings of a local drive on Windows. They cannot be resolved. */
const localDevice = /^[\\/]{2}(?:[?.]|localhost|127\.[\d.]+|::1)[\\/]/i;

/** Quick checks before the slower ones: twenty times as fast as the patterns, and usually false. */
const mayHaveOwnName = (text: string) =>
  text.includes('.t') || text.includes('.T') || text.includes('_') || text.includes('.k') || text.includes('.K');
/** Also characters that are equal to ASCII in Unicode's compatibility form, such as the full-width period. */
const mayHaveEscapes = (text: string) =>
  text.includes('%') || text.includes('\\') || text.includes('&#') || /[\u2024\ufe52\uff01-\uff5e]/.test(text);

type Places = Pick<Host, 'dataDir' | 'homeDir' | 'platform' | 'env'>;

/**
 * `port` is the port of the local HTTP endpoint, if it is listening; `workingFolders` are those of a server, or of all servers,
 * other than the home folder.
 */
export function createOwnFiles(
  host: Places,
  port: (() => number | undefined) | undefined,
  workingFolders: (server?: string) => readonly string[],
) {
  const { dataDir, homeDir, platform, env } = host;
  // The system shows Core's memory, environment and open files there.
  const ownProcess = `/proc/${process.pid}/`;
  const places = [dataDir, env.TOOLKEEP_PASSPHRASE_FILE, ownProcess].filter((place) => place !== undefined);
  const ignoresCase = platform === 'darwin' || platform === 'win32';
  const folded = (text: string) => (ignoresCase ? text.replaceAll('\\', '/').toLowerCase() : text);
  // Servers start in the home folder.
  const relativePlaces = places.map((place) => relative(homeDir, place)).filter((path) => /^[^.].*[\\/]/.test(path));
  const written = [...places, ...relativePlaces].map(folded);
  const namesPlace = (text: string) =>
    (mayHaveOwnName(text) && ownName.test(text)) || written.some((place) => folded(text).includes(place));

  const inHome = (path: string) =>
    path.replace(homeStart, (written, user?: string) =>
      user === undefined || user === basename(homeDir) ? homeDir : written,
    );

  async function leadsInside(path: string, real: readonly string[]): Promise<boolean> {
    if (platform === 'win32' && localDevice.test(path)) return true;
    for (const one of readings(inHome(path))) {
      const place = await writtenPath(one);
      if (place === undefined) continue;
      if (real.some((own) => isInside(own, place)) || (await isLinkToOwn(place))) return true;
    }
    return false;
  }

  /** Whether a file with several names has one of them in Toolkeep's folder. */
  async function isLinkToOwn(path: string): Promise<boolean> {
    const file = await lstat(path).catch(() => undefined);
    if (!file?.isFile() || file.nlink < 2) return false;
    for (const folder of [dataDir, join(dataDir, 'run')]) {
      for (const name of await readdir(folder).catch(() => none)) {
        const own = await lstat(join(folder, name)).catch(() => undefined);
        if (own?.ino === file.ino && own.dev === file.dev) return true;
      }
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

  /** The reason to ask if a slice of text names Toolkeep's files or its port, `own`; otherwise undefined. */
  function reasonIn(text: string, own: number | undefined): string | undefined {
    const forms = mayHaveEscapes(text) ? [text, decoded(text)] : [text];
    if (forms.some(namesPlace)) return ownFile;
    return own !== undefined && forms.some((form) => namesPort(form, own)) ? ownAddress : undefined;
  }

  return {
    /**
     * Why the call needs the user, as a sentence for the question; undefined if it names nothing that belongs to
     * Toolkeep. The names in `args` itself come from Core. Without `called`, any server may receive the call.
     */
    async reasonToAsk(args: Arguments, called?: Called): Promise<string | undefined> {
      const own = port?.();
      const paths = new Set<string>();
      const relatives = new Set<string>();
      const open: Value[] = Object.entries(args).map(([name, value]) => ({ name, value, depth: 1 }));
      let since = performance.now();
      for (let next = open.pop(); next; next = open.pop()) {
        const { name, value, depth } = next;
        if (depth > maxDepth) return tooDeep;
        if (own !== undefined && /port/i.test(name) && isNumber(value, own)) return ownAddress;
        if (typeof value === 'object' && value !== null) pushInner(open, next, called?.tool);
        for (const text of typeof value === 'string' ? spellings(value) : none) {
          if (isPath(text)) paths.add(text);
          else if (isRelative(text)) relatives.add(text);
        }
        const isHugePath = typeof value === 'string' && isHuge(value);
        for (const slice of slicesOf(value)) {
          if (isHugePath && hasDetours(slice)) return tooLong;
          const reason = reasonIn(slice, own);
          if (reason !== undefined) return reason;
          // Let Core's other work run in between, however many and long the strings are.
          if (performance.now() - since < maxHoldMs) continue;
          await ownTurn();
          since = performance.now();
        }
      }
      if (paths.size + relatives.size === 0) return undefined;
      if (paths.size > maxPaths) return tooMany(paths);
      const checked = new Set(paths);
      if (relatives.size > 0) {
        const callerFolders = (await called?.foldersOfCaller?.()) ?? none;
        // A server may resolve a relative path against another path in the call.
        const folders = [homeDir, ...workingFolders(called?.tool.server), ...callerFolders, ...paths].map(inHome);
        const completed = await completedIn(folders, relatives, maxCompleted);
        for (const path of [...callerFolders, ...completed]) checked.add(path);
      }
      if (checked.size > maxCompleted) return tooMany(checked);
      if (checked.size === 0) return undefined;
      const real = await realPlaces();
      for (const path of checked) if (await leadsInside(path, real)) return ownFile;
      return undefined;
    },
  };
}

const tooMany = ({ size }: ReadonlySet<string>) =>
  `It names ${size} paths, too many to check whether they lead to Toolkeep's own files.`;
const tooLong = "It names a path that is too long to check whether it leads to Toolkeep's own files.";
const tooDeep = "Its arguments are nested too deeply to check whether they name Toolkeep's own files.";
const ownFile =
  "It names Toolkeep's own files. An agent that reads or changes them can change your rules and approve calls in your place.";
const ownAddress = "It names Toolkeep's own address, through which calls can be approved.";

/** Ignores the host, because this machine has too many names and addresses to list. */
function namesPort(text: string, port: number): boolean {
  const address = urlStart.test(text) ? text.replace(ignoredInUrl, '') : text;
  return address.includes(String(port)) && new RegExp(`:0*${port}(?!\\d)`).test(address);
}

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

/** Adds what a list or object contains, and its keys. The names of the tool's parameters are not paths. */
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

/** A server may decode a string several times. */
const maxDecodings = 4;

/**
 * Decodes ASCII escapes in URLs (`%2e`), in JSON or code (`\u002e`, `\x2e`, `\056`) and in HTML (`&#46;`, `&#x2e;`), and
 * characters that are ASCII in Unicode's compatibility form, as a server may do.
 */
function decoded(text: string): string {
  let result = text;
  for (let left = maxDecodings; left > 0; left -= 1) {
    const before = result;
    result = before
      .normalize('NFKC')
      .replace(/(?:%|\\u00|\\x|&#x0*)([2-7][0-9a-f]);?/gi, (_, code: string) => characterOf(code, 16))
      .replace(/\\(0?[4-7][0-7]|1[0-7]{2})/g, (_, code: string) => characterOf(code, 8))
      .replace(/&#0*(3[2-9]|[4-9]\d|1[01]\d|12[0-6]);?/g, (_, code: string) => characterOf(code, 10));
    if (result === before) return result;
  }
  return result;
}

const characterOf = (code: string, base: number) => String.fromCharCode(Number.parseInt(code, base));

/** Longer strings are not decoded: no common file system has such paths, and decoding takes time. */
const maxEscaped = 16 * 1024;

/** The forms of a string that a server may open as a path. */
function spellings(text: string): string[] {
  const trimmed = text.trim();
  const plain = text.length <= maxEscaped && mayHaveEscapes(text) ? decoded(trimmed) : trimmed;
  return text === trimmed && trimmed === plain ? [text] : [text, trimmed, plain];
}

/** The home folder as shells write it: `~`, `~name`, or a variable. */
const homeStart = /^(?:~([\w.-]+)?|\$HOME|\$\{HOME\}|%USERPROFILE%)(?=[\\/]|$)/i;

/** URL parsers remove these characters anywhere, and all control characters at the start. */
const ignoredInUrl = /[\t\r\n]/g;
const urlStart = /^[\s\p{Cc}]*[a-z][a-z\d+.-]*:/iu;
