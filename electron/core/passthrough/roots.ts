/** Files outside the folders that a client opened stay closed to it (row D6). */

import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../../../shared/failure.ts';
import type { Caller } from '../execute/execute.ts';

/** Rejects a `file:` URI outside the client's roots. A client that names no roots sets no bounds. */
export async function requireInsideRoots(caller: Caller, uri: string, signal: AbortSignal): Promise<void> {
  if (!/^file:/i.test(uri) || !caller.ask || !caller.capabilities.roots) return;
  const { roots } = await caller.ask('roots/list', {}, signal);
  if (!Array.isArray(roots) || roots.length === 0) return;
  const path = pathOf(uri);
  if (path !== undefined && roots.some((root: { uri?: unknown }) => isInside(pathOf(String(root.uri)), path))) return;
  throw fail('INPUT_INVALID', `"${uri}" lies outside the folders that ${caller.name} opened.`);
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(new URL(uri));
  } catch {
    return undefined;
  }
}

function isInside(folder: string | undefined, path: string): boolean {
  if (folder === undefined) return false;
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || way.startsWith(sep) || /^[a-z]:/i.test(way));
}
