/** Finds and hashes the files that a folder's configuration consists of. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fail } from '../../../../shared/failure.ts';
import { limits } from '../../../../shared/limits.ts';
import type { ServerConfig } from '../../../../shared/model/server.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import type { Config } from '../schema.ts';

/** SHA-256 of the content by path. Paths are relative to the folder where possible. */
export type Hashes = Record<string, string>;

const maxFiles = limits.file.trustedFiles;
const maxBytes = limits.file.trustedFileBytes;
const maxImports = limits.file.trustedImports;

/**
 * Hashes `files`, skipping missing ones. Throws CONFIG_UNTRUSTED if there are too many files or one is too large to
 * check.
 */
export async function hashFiles(folder: string, files: Iterable<string>): Promise<Hashes> {
  const unique = [...new Set(files)].sort();
  if (unique.length > maxFiles)
    throw fail('CONFIG_UNTRUSTED', `${folder} refers to more than ${maxFiles} files, which is too many to check.`);
  const hashes: Hashes = {};
  for (const file of unique) {
    const bytes = await bytesOf(file);
    if (bytes) Object.assign(hashes, hashOf(folder, file, bytes));
  }
  return hashes;
}

export function hashOf(folder: string, file: string, bytes: Buffer): Hashes {
  return { [shortPath(folder, file)]: createHash('sha256').update(bytes).digest('hex') };
}

/** One hash over all files. */
export function overallHash(hashes: Hashes): string {
  const sorted = Object.entries(hashes).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}

/** True if every file in `hashes` is recorded with the same content. */
export function isCovered(hashes: Hashes, recorded: Hashes): boolean {
  return Object.entries(hashes).every(([file, hash]) => Object.hasOwn(recorded, file) && recorded[file] === hash);
}

export function isInside(folder: string, file: string): boolean {
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function shortPath(folder: string, file: string): string {
  return isInside(folder, file) ? relative(folder, file).replaceAll('\\', '/') : file;
}

async function bytesOf(file: string): Promise<Buffer | undefined> {
  if (!(await stat(file).catch(() => undefined))?.isFile()) return undefined;
  const read = await readRegularFile(file, maxBytes);
  if (Buffer.isBuffer(read)) return read;
  throw fail('CONFIG_UNTRUSTED', `${file} is larger than ${maxBytes / 1024 / 1024} MB, which is too large to check.`);
}

/**
 * Returns modules and, recursively, everything that they import by a literal path. Does not find paths computed at run
 * time; trusting a module includes trusting it to load them. Throws CONFIG_UNTRUSTED if there are too many imports.
 */
export async function moduleFiles(folder: string, entries: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const queue = [...entries];
  const known = new Set<string>();
  const requireFew = (count: number) => {
    if (count > maxImports)
      throw fail('CONFIG_UNTRUSTED', `The files of ${folder} have more than ${maxImports} imports, too many to check.`);
  };
  requireFew(entries.length);
  for (let file = queue.pop(); file !== undefined && found.size <= maxFiles; file = queue.pop()) {
    if (found.has(file)) continue;
    const bytes = await bytesOf(file);
    if (!bytes) continue;
    found.add(file);
    for (const name of importedNames(bytes.toString('utf8'))) {
      const place = `${dirname(file)}\n${name}`;
      if (known.has(place)) continue;
      known.add(place);
      requireFew(known.size);
      queue.push(...(await resolveImport(folder, file, name)));
    }
  }
  return [...found];
}

const importPattern = /(?:\bfrom|\bimport|\brequire)\s{0,20}\(?\s{0,20}(?:["'`])([^"'`\n]{1,500})["'`]/g;

function* importedNames(source: string): Generator<string> {
  for (const [, name = ''] of source.matchAll(importPattern)) yield name;
}

const endings = [
  '',
  '.ts',
  '.mts',
  '.cts',
  '.tsx',
  '.js',
  '.mjs',
  '.cjs',
  '.json',
  '/index.ts',
  '/index.js',
  '/index.mjs',
];

async function resolveImport(folder: string, from: string, name: string): Promise<string[]> {
  if (name.startsWith('.') || isAbsolute(name)) {
    const base = resolve(dirname(from), name);
    // In TypeScript, `./x.js` may mean `./x.ts`.
    for (const path of [...endings.map((ending) => base + ending), base.replace(/js$/, 'ts')]) {
      if ((await stat(path).catch(() => undefined))?.isFile()) return [path];
    }
    return [];
  }
  const found = await packageFiles(folder, from, name);
  await requireReadable(folder, from, name);
  try {
    found.push(createRequire(from).resolve(name));
  } catch {
    // `require` cannot resolve the name; `import` may.
  }
  return found.filter((file) => isAbsolute(file) && isInside(folder, file));
}

/** Rejects if one of the manifests that `require` may read has no end or is too large, because it reads them without a limit. */
async function requireReadable(folder: string, from: string, name: string): Promise<void> {
  const parts = name.split('/');
  const homes = ['.', ...parts.map((_, index) => join('node_modules', ...parts.slice(0, index + 1)))];
  for (let at = dirname(from); at === folder || isInside(folder, at); at = dirname(at))
    for (const home of homes) await bytesOf(join(at, home, 'package.json'));
}

/**
 * The manifests that determine which file a name resolves to, and every file that they name, because `import` and
 * `require` may resolve to different files.
 */
async function packageFiles(folder: string, from: string, name: string): Promise<string[]> {
  const [scopeOrName = '', rest = ''] = name.split('/');
  const home = name.startsWith('#')
    ? '.'
    : join('node_modules', scopeOrName.startsWith('@') ? `${scopeOrName}/${rest}` : scopeOrName);
  for (let at = dirname(from); at === folder || isInside(folder, at); at = dirname(at)) {
    const root = join(at, home);
    const manifest = join(root, 'package.json');
    const bytes = await bytesOf(manifest);
    if (!bytes) continue;
    try {
      const { exports, imports, main, module } = JSON.parse(bytes.toString('utf8'));
      return [manifest, ...pathsNamed([exports, imports, main, module]).map((path) => resolve(root, path))];
    } catch {
      return [manifest];
    }
  }
  return [];
}

function pathsNamed(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('*') ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsNamed) : [];
}

/**
 * Returns the files that `config` refers to: plug-ins, sources, and files in the folder that its servers run or read.
 */
export async function referencedFiles(folder: string, config: Config): Promise<string[]> {
  const plugins = config.plugins.flatMap((plugin) => modulePathOf(plugin) ?? []);
  const ofServers = config.servers.flatMap((server) => namedFiles(folder, server));
  const modules = await moduleFiles(folder, [
    ...plugins.map((plugin) => resolve(folder, plugin)),
    ...ofServers.filter(isScript),
  ]);
  const sources = config.sources.map(({ path }) => path).filter((path) => isAbsolute(path) && isInside(folder, path));
  return [...modules, ...sources, ...ofServers];
}

/** The module of a plug-in entry: a path, or an object with a `path`. */
export function modulePathOf(plugin: unknown): string | undefined {
  if (typeof plugin === 'string') return plugin;
  const path = (plugin as { path?: unknown } | null)?.path;
  return typeof path === 'string' ? path : undefined;
}

/** Programs that run scripts from `package.json`. */
const packageRunner = /^(?:npm|npx|pnpm|yarn|bun|bunx)(?:\.cmd|\.exe)?$/i;

/** The files that programs run if an argument names a folder, as in `node .` or `python src`. */
const folderEntries = ['package.json', 'index.js', 'index.mjs', 'index.cjs', 'index.ts', '__main__.py'];

const isScript = (file: string) => /\.[cm]?[jt]sx?$/.test(file);

/** The files in the folder that a server runs or reads, with everything that its scripts import by a literal path. */
export async function serverFiles(folder: string, server: ServerConfig): Promise<string[]> {
  const named = namedFiles(folder, server);
  return [...named, ...(await moduleFiles(folder, named.filter(isScript)))];
}

function namedFiles(folder: string, { connection }: ServerConfig): string[] {
  if (connection.type !== 'stdio') return [];
  const { command, args, cwd = folder, envFile } = connection;
  const base = resolve(folder, cwd);
  const named = [command, ...args, envFile ?? ''].flatMap((text) => [text, text.slice(text.indexOf('=') + 1)]);
  const files = named
    .filter((text) => text !== '' && text.length < 4096)
    .map((text) => resolve(base, text))
    .flatMap((path) => [path, ...folderEntries.map((name) => join(path, name))]);
  const manifest = packageRunner.test(command) ? [resolve(base, 'package.json')] : [];
  return [...files, ...manifest].filter((file) => isInside(folder, file));
}
