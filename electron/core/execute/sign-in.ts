/** A legacy server may refuse a call until the person has been to a web page (error -32042): ask, wait, call again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../../shared/failure.ts';
import { paramsForClient, questionFromMcp } from '../elicitation/elicitation.ts';
import { UpstreamRpcError } from '../upstream/upstream.ts';
import { pageRequired, pagesOf } from './pages.ts';

type Params = Record<string, unknown>;

/** A server that wants more pages than this for one call is going in circles. */
const maxPages = 5;
/** Servers that never say that the person is done are asked again after a while. */
const firstWaitMs = 2_000;
const longestWaitMs = 30_000;

export interface SignInOptions {
  server: string;
  tool: string;
  signal: AbortSignal;
  timeoutMs: number;
  /** Puts one page to the person; resolves with the ElicitResult. */
  ask(params: Params): Promise<Params>;
  /** Wraps the wait for the person. */
  whileWaiting<R>(wait: Promise<R>): Promise<R>;
  /** Calls `listener` with the id of each page that a server says is done, until the returned function is called. */
  onCompleted(listener: (elicitationId: string) => void): () => void;
}

/** Runs `send` until it is not refused any more; rejects with ELICITATION_DECLINED when the person does not go along. */
export async function withSignIn<T>(send: () => Promise<T>, options: () => SignInOptions): Promise<T> {
  try {
    return await send();
  } catch (error) {
    return signIn(error, send, options());
  }
}

async function signIn<T>(refused: unknown, send: () => Promise<T>, options: SignInOptions): Promise<T> {
  let error = refused;
  const completed = new Set<string>();
  let wake: (() => void) | undefined;
  const stop = options.onCompleted((id) => {
    completed.add(id);
    wake?.();
  });
  const asked = new Set<string>();
  const deadline = Date.now() + options.timeoutMs;
  try {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const pages = pagesOf(error);
      if (!pages || Date.now() >= deadline) throw error;
      for (const page of pages) await askOnce(page, asked, options);
      const isDone = () => pages.every(({ elicitationId }) => completed.has(String(elicitationId)));
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = () => isDone() && resolve();
      wake();
      await options.whileWaiting(Promise.race([promise, sleep(waitMs, undefined, { signal: options.signal })]));
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

async function askOnce(page: Params, asked: Set<string>, options: SignInOptions): Promise<void> {
  const { server, tool } = options;
  const id = String(page.elicitationId ?? page.url);
  if (asked.has(id)) return;
  if (asked.size >= maxPages)
    throw fail('SERVER_PROTOCOL_ERROR', `"${server}" wanted more than ${maxPages} pages opened for one call.`, {
      server,
      tool,
    });
  asked.add(id);
  const { action } = await options.ask({ ...page, mode: 'url' });
  if (action !== 'accept')
    throw fail('ELICITATION_DECLINED', `"${tool}" needs a web page opened first, and that was not done.`, {
      server,
      tool,
    });
}

/** The same refusal for a client that shows the pages itself: with what looks wrong with them, and none that is no page. */
export function pagesForClient(error: unknown, place: { server: string; tool: string }): unknown {
  const pages = pagesOf(error);
  if (!pages) return error;
  const { message, data } = error as UpstreamRpcError;
  const elicitations = pages.map((page) => paramsForClient(page, questionFromMcp({ ...page, mode: 'url' }, place)));
  return new UpstreamRpcError(pageRequired, message, { ...(data as Params), elicitations });
}
