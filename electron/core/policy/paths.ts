/** Resolves a path like the operating system, with `..` and symbolic links. An uncertain result is undefined. */
import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const maxLength = 4096;

/**
 * The current location of an absolute path or `file:` URL. Parts that do not exist yet are kept, but no `..` may follow
 * them. Undefined for relative paths and `~`, because only the server knows what they refer to.
 */
export async function resolvedPath(written: string): Promise<string | undefined> {
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
    const real = await realOf(current);
    if (real === 'missing') exists = false;
    else if (real === undefined) return undefined;
    else current = real;
  }
  return current;
}

/** Undefined if access is denied, and for a dangling link, whose target may appear later. */
async function realOf(path: string): Promise<string | 'missing' | undefined> {
  try {
    return await realpath(path);
  } catch {
    return lstat(path).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? 'missing' : undefined),
    );
  }
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
