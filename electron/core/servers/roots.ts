/** The roots of a client: the folders that it opened. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../../shared/is-object.ts';
import { limits } from '../../../shared/limits.ts';
import type { Client } from '../types.ts';

export interface Root {
  uri: string;
  name?: string;
}

/** How long a client may take to list its roots, in milliseconds. */
const rootsTimeoutMs = 5_000;

/** Resolves with the caller's roots; undefined if it has none. Rejects if the caller does not answer in time. */
export type ListRoots = () => Promise<readonly Root[] | undefined>;

/** Asks the client for its roots, at most once. Undefined if the client has none. */
export function rootsOf({ request, capabilities }: Client, signal: AbortSignal): ListRoots | undefined {
  if (!request || !capabilities.roots) return undefined;
  let asked: ReturnType<ListRoots> | undefined;
  return () => {
    asked ??= listRoots(request, signal);
    return asked;
  };
}

async function listRoots(request: NonNullable<Client['request']>, signal: AbortSignal): ReturnType<ListRoots> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(rootsTimeoutMs)]);
  const { roots: answer } = await request('roots/list', {}, limited);
  if (!Array.isArray(answer)) return undefined;
  const roots = answer.slice(0, limits.client.roots).filter(isRoot);
  return roots.length > 0 ? roots : undefined;
}

export function isRoot(root: unknown): root is Root {
  return isObject(root) && typeof root.uri === 'string';
}

/** Identifies a set of roots regardless of order. Empty if there are none. */
export function rootsKey(roots: readonly Root[] = []): string {
  return roots.length === 0 ? '' : JSON.stringify([...new Set(roots.map(({ uri }) => uri))].sort());
}

/** The paths of the roots that are folders on this machine. */
export function foldersOf(roots: readonly Root[] = []): string[] {
  return roots.map(({ uri }) => filePathOf(uri)).filter((path) => path !== undefined);
}

/** The path of the first root that is a folder on this machine. */
export function firstFolder(roots?: readonly Root[]): string | undefined {
  return foldersOf(roots)[0];
}

/** Whether a URI names a file. Checks the parsed URL, because a server's parser also accepts " FILE:/x". */
export function isFileUri(uri: string): boolean {
  const url = URL.parse(uri);
  // A string that is not a URL names a file only if a server reads it as a path.
  return url ? url.protocol === 'file:' : /^\s*(?:file:|[\\/~.])/i.test(uri);
}

/**
 * Whether a `file:` URI is inside one of the roots. Compares real paths, because a link inside a root may lead outside.
 */
export async function isInsideRoots(roots: readonly Root[], uri: string): Promise<boolean> {
  const path = filePathOf(uri);
  if (path === undefined) return false;
  const target = await realPathOf(path);
  for (const root of roots) {
    const folder = filePathOf(root.uri);
    if (folder !== undefined && contains(await realPathOf(folder), target)) return true;
  }
  return false;
}

function filePathOf(uri: string): string | undefined {
  const url = URL.parse(uri);
  if (url?.protocol !== 'file:') return undefined;
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** Resolves links in the existing part of the path. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(parent), basename(path));
  }
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || way.startsWith(sep) || /^[a-z]:/i.test(way));
}
