/**
 * A legacy server may refuse a call until the user has opened a web page (error -32042). Asks the user, waits, and
 * sends the call again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../../shared/failure.ts';
import { RpcError } from '../jsonrpc/rpc-error.ts';
import type { JsonObject } from '../types.ts';
import { urlElicitationRequired, urlsOf } from './forwarded-urls.ts';
import { paramsForClient, questionFromMcp } from './mcp.ts';

/** A server that requires more pages than this for one call is looping. */
const maxPages = 5;
/** Delays before retrying with a server that never reports a completion. */
const firstRetryMs = 2_000;
const maxRetryMs = 30_000;

export interface UrlElicitationOptions {
  server: string;
  tool: string;
  signal: AbortSignal;
  timeoutMs: number;
  /** Asks the user to open one page; resolves with the ElicitResult. */
  ask(params: JsonObject): Promise<JsonObject>;
  /** Marks the call as waiting for the user until `wait` settles. */
  whileWaitingForUser<R>(wait: Promise<R>): Promise<R>;
  /** Calls `listener` with the ID of each elicitation that the server reports as completed. */
  onCompleted(listener: (elicitationId: string) => void): () => void;
}

/**
 * Runs `send` again until the server no longer requires a page; throws `refusal` if it requires none. Rejects with
 * ELICITATION_DECLINED if the user declines one.
 */
export async function openPages<T>(
  refusal: unknown,
  send: () => Promise<T>,
  options: UrlElicitationOptions,
): Promise<T> {
  let error = refusal;
  const completed = new Set<string>();
  let wake: (() => void) | undefined;
  const stop = options.onCompleted((id) => {
    completed.add(id);
    wake?.();
  });
  const asked = new Set<string>();
  const deadline = Date.now() + options.timeoutMs;
  try {
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
      const pages = urlsOf(error);
      if (!pages || Date.now() >= deadline) throw error;
      for (const page of pages) await askOnce(page, asked, options);
      const isDone = () => pages.every(({ elicitationId }) => completed.has(String(elicitationId)));
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = () => isDone() && resolve();
      wake();
      const retry = sleep(retryMs, undefined, { signal: options.signal });
      await options.whileWaitingForUser(Promise.race([promise, retry]));
      try {
        return await send();
      } catch (again) {
        error = again;
      }
    }
  } finally {
    stop();
  }
}

async function askOnce(page: JsonObject, asked: Set<string>, options: UrlElicitationOptions): Promise<void> {
  const { server, tool } = options;
  const id = String(page.elicitationId ?? page.url);
  if (asked.has(id)) return;
  if (asked.size >= maxPages)
    throw fail('SERVER_PROTOCOL_ERROR', `"${server}" required more than ${maxPages} pages for one call.`, {
      server,
      tool,
    });
  asked.add(id);
  const { action } = await options.ask({ ...page, mode: 'url' });
  if (action !== 'accept')
    throw fail('ELICITATION_DECLINED', `"${tool}" requires a web page that the user did not open.`, {
      server,
      tool,
    });
}

/** The refusal for a client that opens pages itself, with our warnings and without invalid addresses. */
export function urlsForClient(error: unknown, from: { server: string; tool: string }): unknown {
  const urls = urlsOf(error);
  if (!urls) return error;
  const { message, data } = error as RpcError;
  const elicitations = urls.map((url) => paramsForClient(url, questionFromMcp({ ...url, mode: 'url' }, from)));
  return new RpcError(urlElicitationRequired, message, { ...(data as JsonObject), elicitations });
}
