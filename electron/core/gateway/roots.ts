/** Keeps `file:` resources outside the folders that a client opened closed to it. */
import { fail } from '../../../shared/failure.ts';
import { isFileUri, isInsideRoots, rootsOf } from '../servers/roots.ts';
import type { Client } from '../types.ts';

/**
 * Throws INPUT_INVALID for a `file:` URI outside the client's roots. A client without roots is not restricted; one that does
 * not name its roots in time gets nothing.
 */
export async function requireInsideRoots(client: Client, uri: string, signal: AbortSignal): Promise<void> {
  if (!isFileUri(uri)) return;
  const roots = await rootsOf(client, signal);
  if (!roots || (await isInsideRoots(roots, uri))) return;
  throw fail('INPUT_INVALID', `"${uri}" is outside the folders that ${client.name} opened.`);
}
