/** Reads all pages of an MCP list, with limits on pages and items; detects a looping cursor. */
import { fail } from '../../../shared/failure.ts';
import { limits } from '../../../shared/limits.ts';
import type { Connection } from '../../../shared/model/server.ts';
import { messageOf } from '../../../shared/text-from.ts';
import type { DeclaredIcon } from './declared-icons.ts';
import { sizeWithin } from './discovery/validate.ts';

/** The source of a discovery: a ServerHandle, or a plug-in's tool provider. */
export interface DiscoverySource {
  readonly server: { readonly name: string; readonly connection?: Connection };
  start(signal?: AbortSignal): Promise<{
    capabilities: Record<string, unknown>;
    instructions?: string;
    serverInfo?: { version: string; icons?: readonly DeclaredIcon[] } | undefined;
  }>;
  request(request: {
    method: string;
    params?: Record<string, unknown>;
    signal?: AbortSignal;
    timeoutMs?: number;
  }): Promise<Record<string, unknown>>;
}

/** Real servers have three levels. The size of a deeper item is taken as `deepCharacters`. */
const maxDepth = 1_000;
const deepCharacters = 1024 * 1024;

const { listPages: maxPages, listCharacters: maxCharacters, cursorCharacters: maxCursor } = limits.server;

export interface Listed {
  items: unknown[];
  warnings: string[];
}

/**
 * All items of `method`, found under `field` of its results. A looping cursor or a limit ends the list early with a
 * warning, and so does a later page that fails. A first page without the list throws SERVER_PROTOCOL_ERROR.
 */
export async function listAll(
  source: DiscoverySource,
  method: string,
  field: string,
  request: { signal: AbortSignal; timeoutMs: number },
): Promise<Listed> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let characters = 0;
  const maxItems = method === 'tools/list' ? limits.server.tools : limits.server.otherItems;
  const cut = (why: string): Listed => ({ items, warnings: [why] });
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const params = cursor === undefined ? {} : { params: { cursor } };
    const reading = source.request({ method, ...params, ...request });
    const result = await reading.catch((error: unknown): Record<string, unknown> => {
      if (cursor === undefined || request.signal.aborted) throw error;
      return { failed: short(messageOf(error)) };
    });
    const found = result[field];
    if (cursor !== undefined && !Array.isArray(found))
      return cut(`Page ${page} of ${method} failed (${result.failed ?? 'no list'}); the pages before it were read.`);
    if (!Array.isArray(found)) {
      const message = `The result of ${method} has no list "${field}".`;
      throw fail('SERVER_PROTOCOL_ERROR', message, { server: source.server.name });
    }
    if (items.length + found.length > maxItems) {
      items.push(...found.slice(0, maxItems - items.length));
      return cut(`${method} offers more than ${maxItems} items; the rest was left out.`);
    }
    for (const item of found) {
      characters += sizeWithin(item, maxDepth) ?? deepCharacters;
      if (characters > maxCharacters)
        return cut(`${method} offers more than ${maxCharacters / 1024 / 1024}M characters; the rest was left out.`);
      items.push(item);
    }
    const next = result.nextCursor;
    if (typeof next !== 'string' || next === '') return { items, warnings: [] };
    if (next.length > maxCursor)
      return cut(`${method} has a cursor of ${next.length} characters; the rest was left out.`);
    if (seen.has(next)) return cut(`${method} repeats the same pages ("${short(next)}"); each was read once.`);
    if (page >= maxPages) return cut(`${method} has more than ${maxPages} pages; the rest was left out.`);
    seen.add(next);
    cursor = next;
  }
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
