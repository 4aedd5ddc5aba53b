/** The folders and files that a server needs to run: its program, Node, its scripts, and what its arguments name. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import which from 'which';

interface Program {
  /** A path, as found in PATH. */
  command: string;
  args: readonly string[];
  /** Absent if the server starts in the home folder. */
  cwd: string | undefined;
  path: string | undefined;
}

/** Programs and libraries. Sockets in `/run` and files in `/var` and `/srv` are left out. */
export const systemFolders = '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu /home/linuxbrew'.split(
  ' ',
);

/** A program that an interpreter runs, and that may need the files beside it. */
const script = /\.(?:[cm]?[jt]s|py|rb|php|sh|jar|dll|pyz)$/i;

/**
 * Existing paths that do not contain a folder of `never`, such as the home folder, and that `isAllowed` allows: it sees each
 * path as it is written.
 */
export function neededPaths(
  { command, args, cwd, path }: Program,
  never: readonly string[],
  isAllowed: (path: string) => boolean,
): string[] {
  const isTooWide = (folder: string) => never.some((one) => isWithin(folder, one));
  const program = resolve(cwd ?? '/', command);
  const node = which.sync('node', { ...(path !== undefined && { path }), nothrow: true });
  const allowed = (paths: readonly string[]) => paths.filter((one) => existsSync(one) && isAllowed(one));
  const named = allowed(args.flatMap((arg) => namedPath(arg, cwd) ?? []));
  const found = [
    ...allowed([program, ...(node ? [node] : [])]).flatMap((one) => programPaths(one, isTooWide)),
    ...named.flatMap((one) => (isScript(one) ? scriptPaths(one, isTooWide) : one)),
    ...allowed(cwd === undefined ? [] : [cwd]),
  ];
  return [...new Set(found)].filter((one) => !isTooWide(one) && existsSync(one));
}

/** Whether `path` is `folder` or inside it. */
export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Whether a link in one of these real folders, which the server may have made there, leads the path out of it. */
export function leadsOut(path: string, folders: readonly string[]): boolean {
  const real = realpathSync(path);
  const passed = folders.length === 0 ? [] : foldersAbove(path).map((one) => realpathSync(one));
  return folders.some((folder) => !isWithin(folder, real) && passed.some((one) => isWithin(folder, one)));
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

/** The path in `/x`, `./x`, `x.js` and `--flag=/x`, if it exists. */
export function namedPath(arg: string, cwd: string | undefined): string | undefined {
  const text = argumentValue(arg);
  if (text === '' || text.length > 4_096 || text.includes('\0') || (!isAbsolute(text) && cwd === undefined))
    return undefined;
  const path = resolve(cwd ?? '/', text);
  return existsSync(path) ? path : undefined;
}

/** The value of `--flag=value`, or the whole argument. */
export const argumentValue = (arg: string): string => (arg.startsWith('-') ? arg.slice(arg.indexOf('=') + 1) : arg);

export const isScript = (path: string) => script.test(path) && statSync(path).isFile();

type IsTooWide = (folder: string) => boolean;

/** A program's own folder, or its whole installation if it is in the `bin` folder of one. */
function programPaths(program: string, isTooWide: IsTooWide): string[] {
  return bothSpellings(program).flatMap((file) => {
    const folder = dirname(file);
    const installation = dirname(folder);
    const isInstallation =
      basename(folder) === 'bin' &&
      (existsSync(join(installation, 'pyvenv.cfg')) ||
        // Not `~/.local`, which also contains the data of other programs.
        (!basename(installation).startsWith('.') && existsSync(join(installation, 'lib'))));
    return isInstallation && !isTooWide(installation) ? installation : folderOf(file, isTooWide);
  });
}

const scriptPaths = (path: string, isTooWide: IsTooWide) =>
  bothSpellings(path).map((file) => folderOf(file, isTooWide));

function bothSpellings(path: string): string[] {
  return existsSync(path) ? [...new Set([path, realpathSync(path)])] : [];
}

/** The packages that a file is among, the package that it belongs to, its folder, or the file alone. */
function folderOf(file: string, isTooWide: IsTooWide): string {
  const [, packages] = /^(.*?[\\/]node_modules)[\\/]/.exec(file) ?? [];
  if (packages !== undefined) return packages;
  const folder = dirname(file);
  for (let one = folder; !isTooWide(one); one = dirname(one))
    if (['package.json', 'pyproject.toml'].some((name) => existsSync(join(one, name)))) return one;
  return isTooWide(folder) ? file : folder;
}
