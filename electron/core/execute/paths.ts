/** Where a path really leads: `..` and symbolic links followed as the system would. What cannot be told for certain is undefined. */
import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const maxLength = 4096;

/**
 * The place that an absolute path or `file:` address means now. A part that does not exist yet stays as written, but
 * nothing may climb out of it again; relative paths and `~` mean something only to the server, so they are undefined.
 */
export async function placeOf(written: string): Promise<string | undefined> {
  const path = plainPath(written);
  if (path === undefined || !isAbsolute(path) || path.includes('\0') || path.length > maxLength) return undefined;
  if (process.platform === 'win32' && !isPlainWindowsPath(path)) return undefined;
  const { root } = parse(path);
  let place = root;
  let exists = true;
  for (const part of path.slice(root.length).split(process.platform === 'win32' ? /[\\/]/ : '/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (!exists) return undefined;
      place = dirname(place);
      continue;
    }
    place = join(place, part);
    if (!exists) continue;
    const real = await realOf(place);
    if (real === 'missing') exists = false;
    else if (real === undefined) return undefined;
    else place = real;
  }
  return place;
}

/** Undefined when the system does not let us look, or when it is a link to nowhere, whose target may appear later. */
async function realOf(place: string): Promise<string | 'missing' | undefined> {
  try {
    return await realpath(place);
  } catch {
    return lstat(place).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? 'missing' : undefined),
    );
  }
}

/** `place` is `folder` or lies below it, both as `placeOf` gave them. */
export function isInside(folder: string, place: string): boolean {
  const way = relative(folder, place);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** A whole drive or a whole home is no folder to narrow a grant to. */
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

/** No streams (`file:stream`), no names that Windows reads differently (`name.`, `name `), no device or UNC prefixes. */
function isPlainWindowsPath(path: string): boolean {
  return (
    /^[A-Za-z]:[\\/][^:]*$/.test(path) && !/[. ](?:[\\/]|$)/.test(path.replace(/(?:^|[\\/])\.{1,2}(?=[\\/]|$)/g, ''))
  );
}
