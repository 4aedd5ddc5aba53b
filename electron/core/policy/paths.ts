/** Resolves a path like the operating system, with `..` and symbolic links. An uncertain result is undefined. */
import { lstat, readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const maxLength = 4096;

/**
 * The current location of an absolute path or `file:` URL. Parts that do not exist yet are kept, but no `..` may follow
 * them. Undefined for relative paths and `~`, because only the server knows what they refer to.
 */
export function resolvedPath(written: string): Promise<string | undefined> {
  return resolved(written, 0);
}

/** Like `resolvedPath`, but also follows links to files that do not exist yet: a server that writes there creates them. */
export function writtenPath(written: string): Promise<string | undefined> {
  return resolved(written, maxDanglingLinks);
}

/** A chain of links that is longer is an error in most operating systems. */
const maxDanglingLinks = 40;

async function resolved(written: string, danglingLinks: number): Promise<string | undefined> {
  const path = plainPath(written);
  if (path === undefined || !isAbsolute(path) || path.includes('\0') || path.length > maxLength) return undefined;
  if (process.platform === 'win32' && !isPlainWindowsPath(path)) return undefined;
  const whole = path.includes('..') ? undefined : await realpath(path).catch(() => undefined);
  if (whole !== undefined) return whole;
  const { root } = parse(path);
  let current = root;
  let exists = true;
  for (const part of path.slice(root.length).split(process.platform === 'win32' ? /[\\/]/ : '/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (!exists) return undefined;
      current = dirname(current);
      continue;
    }
    current = join(current, part);
    if (!exists) continue;
    const real = (await realOf(current)) ?? (await danglingTarget(current, danglingLinks));
    if (real === undefined) return undefined;
    exists = real.exists;
    current = real.path;
  }
  return current;
}

interface Place {
  path: string;
  exists: boolean;
}

/** Undefined if access is denied, and for a dangling link. */
async function realOf(path: string): Promise<Place | undefined> {
  try {
    return { path: await realpath(path), exists: true };
  } catch {
    return lstat(path).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? { path, exists: false } : undefined),
    );
  }
}

/** The target of a link to something that does not exist; undefined if it is not such a link, or `links` is 0. */
async function danglingTarget(link: string, links: number): Promise<Place | undefined> {
  if (links === 0) return undefined;
  const target = await readlink(link).catch(() => undefined);
  if (target === undefined) return undefined;
  // Resolve the path as written: `..` after a link leads out of the link's target.
  const path = await resolved(isAbsolute(target) ? target : `${dirname(link)}${sep}${target}`, links - 1);
  return path === undefined ? undefined : { path, exists: false };
}

/** Whether `path` is `folder` or below it, both as `resolvedPath` returns them. */
export function isInside(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

/** Whether a folder is a whole drive or contains the home folder, and so would not narrow a grant. */
export function isTooWide(folder: string): boolean {
  return folder === parse(folder).root || isInside(folder, resolve(homedir()));
}

function plainPath(written: string): string | undefined {
  // On Windows, `\\folder` is a path on the current drive.
  if (process.platform === 'win32' && /^[\\/](?![\\/])/.test(written)) return resolve(written);
  if (!/^file:/i.test(written)) return written;
  try {
    return fileURLToPath(written);
  } catch {
    return undefined;
  }
}

/** Excludes streams (`file:stream`), names that Windows changes (`name.`, `name `), and device and UNC prefixes. */
function isPlainWindowsPath(path: string): boolean {
  return (
    /^[A-Za-z]:[\\/][^:]*$/.test(path) && !/[. ](?:[\\/]|$)/.test(path.replace(/(?:^|[\\/])\.{1,2}(?=[\\/]|$)/g, ''))
  );
}
