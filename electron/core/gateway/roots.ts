/** Prevents a client from reading `file:` resources outside the folders that it opened. */
import { fail } from '../../../shared/failure.ts';
import { isFileUri, isInsideRoots, rootsOf } from '../servers/roots.ts';
import type { Client } from '../types.ts';
import type { ListedItem } from './services.ts';

/**
 * Splits listed items into those that the client may read and those outside its folders. A client without roots is not
 * restricted; one that does not report its roots in time gets no files.
 */
export async function splitByRoots<T extends Pick<ListedItem, 'definition' | 'own'>>(
  client: Client,
  items: readonly T[],
  signal: AbortSignal,
): Promise<{ inside: T[]; outside: T[] }> {
  const ownOf = ({ own, definition }: T) => own ?? String(definition.uri);
  const isFile = (item: T) => isFileUri(ownOf(item));
  const split: { inside: T[]; outside: T[] } = { inside: [], outside: [] };
  const roots = items.some(isFile) ? await rootsOf(client, signal)?.().catch(() => []) : undefined;
  for (const item of items) {
    const mayRead = !roots || !isFile(item) || (await isInsideRoots(roots, ownOf(item)));
    split[mayRead ? 'inside' : 'outside'].push(item);
  }
  return split;
}

/**
 * Throws INPUT_INVALID for a `file:` URI outside the client's roots. A client without roots is not restricted; one that does
 * not report its roots in time may read no files.
 */
export async function requireInsideRoots(client: Client, uri: string, signal: AbortSignal): Promise<void> {
  if (!isFileUri(uri)) return;
  const roots = await rootsOf(client, signal)?.();
  if (!roots || (await isInsideRoots(roots, uri))) return;
  throw fail('INPUT_INVALID', `"${uri}" is outside the folders that ${client.name} opened.`);
}
