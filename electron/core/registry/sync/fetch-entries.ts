/** Reads the entries of a registry page by page, with limits, because a registry can be slow, broken or hostile. */

import { setTimeout as delay } from 'node:timers/promises';
import { fail, ToolkeepError } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import { limits } from '../../../../shared/limits.ts';
import { parseJson } from '../../../../shared/parse-json.ts';
import { readBody } from '../../async/read-body.ts';
import { createSlices } from '../../async/slices.ts';
import { parseEntry } from '../entry.ts';
import { createPageSplitter } from './split-page.ts';

export interface FetchOptions {
  /** The base URL of the registry, without `/v0.1`. */
  url: string;
  /** If set, reads only entries that changed since this time (epoch milliseconds). */
  since?: number | undefined;
  signal: AbortSignal;
  /** Waits before a request is repeated. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const { registry } = limits;
const pageSize = 100;
const attempts = 4;
const longestWaitMs = 60_000;
const pausesMs = [1_000, 4_000, 15_000];

/**
 * Adds the text of each entry to `into` by name, and resolves with the number of entries that could not be read. Rejects with
 * REGISTRY_UNREACHABLE; `into` then contains the entries read so far.
 */
export async function fetchEntries(options: FetchOptions, into: Map<string, string>): Promise<{ skipped: number }> {
  const { url, since } = options;
  const slice = createSlices();
  const seen = new Set<string>();
  let totalBytes = 0;
  let skipped = 0;
  let cursor: string | undefined;

  function take(text: string | undefined): void {
    const item = text === undefined ? undefined : parseJson(text);
    const entry = parseEntry(item);
    const line = entry && toLine(item);
    if (!entry || line === undefined) skipped += 1;
    // A registry without support for the filter sends all versions. An old version must not replace the latest.
    else if (entry.isLatest || (since === undefined && !into.has(entry.name))) {
      totalBytes += line.length;
      into.set(entry.name, line);
    }
  }

  for (let page = 1; ; page += 1) {
    const address = new URL(`${url.replace(/\/+$/, '')}/v0.1/servers`);
    address.searchParams.set('limit', String(pageSize));
    address.searchParams.set('version', 'latest');
    if (since !== undefined) address.searchParams.set('updated_since', new Date(since).toISOString());
    if (cursor !== undefined) address.searchParams.set('cursor', cursor);
    // Entries of an attempt that fails halfway are read again.
    const { next, entries } = await withAttempts(options, () => readPage(address, options.signal, slice));
    for (const text of entries) {
      take(text);
      await slice();
    }
    if (next === undefined) return { skipped };
    if (seen.has(next)) throw unreachable(url, 'It keeps sending the same page.');
    if (page >= registry.pages || into.size >= registry.entries || totalBytes >= registry.listBytes)
      throw unreachable(url, `It has more than ${into.size} entries, or its pages never end.`);
    seen.add(next);
    cursor = next;
  }
}

/** Keeps as many entries as the limits allow, in order. Otherwise, the list could grow with every synchronization. */
export function withinLimits(lines: ReadonlyMap<string, string>): Map<string, string> {
  const kept = new Map<string, string>();
  let bytes = 0;
  for (const [name, line] of lines) {
    bytes += line.length;
    if (kept.size >= registry.entries || bytes > registry.listBytes) break;
    kept.set(name, line);
  }
  return kept;
}

/** Undefined for an entry that is nested too deeply. */
function toLine(item: unknown): string | undefined {
  try {
    return JSON.stringify(item);
  } catch {
    return undefined;
  }
}

async function readPage(
  address: URL,
  signal: AbortSignal,
  slice: () => Promise<void>,
): Promise<{ next: string | undefined; entries: (string | undefined)[] }> {
  const response = await fetchBounded(address, signal);
  if (!response.ok) throw new RequestFailed(response.status, null);
  const entries: (string | undefined)[] = [];
  const splitter = createPageSplitter(registry.entryBytes, (text) => {
    if (entries.push(text) > registry.entries) throw new Error(`A page has more than ${registry.entries} entries.`);
  });
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > registry.pageBytes) throw new Error(`A page exceeds ${registry.pageBytes} bytes.`);
    splitter.push(chunk);
    await slice();
  }
  const { isComplete, metadata } = splitter.end();
  if (!isComplete) throw new Error('A page is incomplete.');
  const parsed = metadata === undefined ? undefined : parseJson(metadata);
  const cursor = isObject(parsed) ? (parsed.nextCursor ?? parsed.next_cursor) : undefined;
  return { next: typeof cursor === 'string' && cursor !== '' ? cursor : undefined, entries };
}

/** Fetches JSON of at most `maxBytes` from a registry; undefined if the response is 404. */
export async function fetchJson(address: URL, signal: AbortSignal, maxBytes: number): Promise<unknown> {
  const text = await fetchText(address, signal, maxBytes);
  return text === undefined ? undefined : JSON.parse(text);
}

/** One answer as text, like `fetchJson`. */
export async function fetchText(address: URL, signal: AbortSignal, maxBytes: number): Promise<string | undefined> {
  const response = await fetchBounded(address, signal);
  if (response.ok) return (await readBody(response, maxBytes)).toString('utf8');
  await response.body?.cancel();
  return undefined;
}

/** A failed request, with the delay that the registry asks for. */
class RequestFailed extends Error {
  readonly waitMs: number | undefined;
  readonly mayRepeat: boolean;
  constructor(status: number, retryAfter: string | null) {
    super(`It answered with HTTP ${status}.`);
    const seconds = Number(retryAfter ?? Number.NaN);
    this.waitMs = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0) * 1000, longestWaitMs) : undefined;
    this.mayRepeat = status === 429 || status >= 500;
  }
}

async function fetchBounded(address: URL, outer: AbortSignal): Promise<Response> {
  const signal = AbortSignal.any([outer, AbortSignal.timeout(registry.requestMs)]);
  // A redirect would lead to an address that the user did not choose.
  const response = await fetch(address, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (response.ok || response.status === 404) return response;
  await response.body?.cancel();
  throw new RequestFailed(response.status, response.headers.get('retry-after'));
}

async function withAttempts<T>({ url, signal, wait }: FetchOptions, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ToolkeepError) throw error;
      const failed = error instanceof RequestFailed ? error : undefined;
      const reason = error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : '';
      if (signal.aborted) throw unreachable(url, 'Reading it took too long or was stopped.');
      if (attempt + 1 >= attempts || failed?.mayRepeat === false) throw unreachable(url, reason);
      await (wait ?? pause)(failed?.waitMs ?? (pausesMs[attempt] as number), signal);
    }
  }
}

const pause = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => undefined);

function unreachable(url: string, reason: string): ToolkeepError {
  return fail('REGISTRY_UNREACHABLE', `${new URL(url).host} could not be read completely. ${reason}`);
}
