/**
 * JSON-RPC over one SDK transport: ids, progress, cancellation, timeouts, and requests in the other direction.
 * The SDK's own Client is not used because it validates and reshapes results (one odd tool rejects a whole list, unknown
 * fields go), and a gateway has to hand on what the server said.
 */
import type { Transport } from '@modelcontextprotocol/client';
import { fail } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import { InFlight } from '../in-flight.ts';
import { createAnswering, type Listening } from './answering.ts';
import { type Clock, createClock } from './clock.ts';
import { UpstreamRpcError } from './rpc-error.ts';
import type { Era, OnAsk, Params, RawResult, UpstreamOptions } from './types.ts';

export interface PeerRequest {
  method: string;
  params?: Params | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs: number;
  onProgress?: ((params: Params) => void) | undefined;
  onAsk?: OnAsk | undefined;
  origin?: unknown;
  onLog?: ((params: Params) => void) | undefined;
  /** A string keeps the request apart from calls (subscriptions); numbers are given out otherwise. */
  id?: string | undefined;
}

export interface PeerOptions {
  /** Names the server in failures. */
  server: string;
  onNotification(method: string, params: Params): void;
  /** For asks that no running call wants. */
  onAsk: UpstreamOptions['onAsk'];
  /** `reason` is what running calls are rejected with. */
  onClose(reason: Error): void;
  onError(error: Error): void;
  /** Why the transport closed, if it knows better than "it closed". */
  closeReason(): Error | undefined;
  /** Turns what a transport throws into a failure. */
  explain(error: unknown): Error;
}

export interface Peer {
  /** Rejects with a GatehouseError, or an UpstreamRpcError when the server answers with an error. */
  request(r: PeerRequest): Promise<RawResult>;
  notify(method: string, params?: Params): Promise<void>;
  /** Sets the era after the handshake: `envelope` goes into `_meta` of everything sent (modern). */
  use(era: Era, envelope: Params | undefined): void;
  /** Rejects all running requests. */
  close(reason: Error): void;
}

interface Running {
  request: PeerRequest;
  settle(outcome: { result: RawResult } | { error: Error }): void;
  clock: Clock;
  /** Questions that are open and thought to be its own. */
  asks: number;
  /** Called when it is over, whichever way. */
  onEnd?: Set<() => void>;
}

export function createPeer(transport: Transport, options: PeerOptions): Peer {
  const running = new InFlight<string | number, Running>();
  const answering = createAnswering({ transport, askOutsideCalls: options.onAsk, listeningCall });
  let nextId = 1;
  let era: Era = 'legacy';
  let envelope: Params | undefined;
  let closed: Error | undefined;

  transport.onmessage = (message) => receive(message as unknown as Params);
  transport.onerror = options.onError;
  transport.onclose = () => {
    const { server } = options;
    close(options.closeReason() ?? fail('SERVER_UNREACHABLE', `The connection to "${server}" closed.`, { server }));
  };

  function close(reason: Error): void {
    if (closed) return;
    closed = reason;
    answering.close();
    for (const call of running.values()) call.settle({ error: reason });
    options.onClose(reason);
  }

  function receive(message: Params): void {
    if (typeof message.method === 'string') {
      const params = isObject(message.params) ? message.params : {};
      if (message.id === undefined || message.id === null) notified(message.method, params);
      else answering.answer(message.id as string | number, message.method, params);
      return;
    }
    const call = running.get(message.id as string | number);
    // A late answer to a call that was cancelled or timed out is nobody's business any more.
    if (!call) return;
    if (isObject(message.error)) {
      const { code, message: text, data } = message.error;
      call.settle({ error: new UpstreamRpcError(Number(code), String(text), data) });
    } else if (isObject(message.result)) {
      call.settle({ result: message.result });
    } else {
      const what = `answered ${call.request.method} with neither a result object nor an error`;
      call.settle({ error: fail('SERVER_PROTOCOL_ERROR', `"${options.server}" ${what}.`, { server: options.server }) });
    }
  }

  function notified(method: string, params: Params): void {
    if (method === 'notifications/progress') {
      const { progressToken, ...progress } = params;
      const call = running.get(progressToken as string | number);
      call?.clock.restart();
      call?.request.onProgress?.(progress);
    } else if (method === 'notifications/cancelled') {
      answering.cancel(params.requestId as string | number);
    } else {
      if (method === 'notifications/message') lastCall((call) => call.request.onLog)?.request.onLog?.(params);
      options.onNotification(method, params);
    }
  }

  function lastCall(wanted: (call: Running) => unknown): Running | undefined {
    return running.values().findLast((call) => wanted(call));
  }

  /**
   * A pushed request does not say which call it belongs to, and the connection is shared. With one call in flight it is
   * that one; with several the most recent that is not asking already is the likeliest, and all are named beside it.
   */
  function listeningCall(): Listening | undefined {
    const calls = running.values().filter(({ request }) => request.onAsk);
    const likeliest = calls.findLast(({ asks }) => asks === 0) ?? calls.at(-1);
    if (!likeliest?.request.onAsk) return undefined;
    const { onAsk } = likeliest.request;
    likeliest.asks += 1;
    const over = new AbortController();
    const left = new Set(calls);
    for (const call of calls) {
      call.onEnd ??= new Set();
      call.onEnd.add(() => {
        left.delete(call);
        if (left.size === 0) over.abort();
      });
    }
    return {
      onAsk,
      clocks: calls.map(({ clock }) => clock),
      over: over.signal,
      answered: () => {
        likeliest.asks -= 1;
      },
      ...(calls.length > 1 && { origins: calls.map(({ request }) => request.origin) }),
    };
  }

  function wrap(params: Params | undefined, progressToken: string | number | undefined): Params | undefined {
    const given = isObject(params?._meta) ? params._meta : undefined;
    if (!envelope && !given && progressToken === undefined) return params;
    // A client's own progress token means nothing on this connection.
    const { progressToken: _theirs, ...kept } = given ?? {};
    return { ...params, _meta: { ...kept, ...envelope, ...(progressToken === undefined ? {} : { progressToken }) } };
  }

  function request(r: PeerRequest): Promise<RawResult> {
    if (closed) return Promise.reject(closed);
    if (r.signal?.aborted) return Promise.reject(cancelled(r));
    const id = r.id ?? nextId++;
    const stream = transport.hasPerRequestStream ? new AbortController() : undefined;
    return new Promise<RawResult>((resolve, reject) => {
      const clock = createClock(r.timeoutMs, () => abandon(timedOut(r)));
      const onAbort = () => abandon(cancelled(r));
      const settle: Running['settle'] = (outcome) => {
        if (!running.delete(id)) return;
        clock.stop();
        for (const ended of call.onEnd ?? []) ended();
        r.signal?.removeEventListener('abort', onAbort);
        if ('result' in outcome) resolve(outcome.result);
        else reject(outcome.error);
      };
      /** Gives the call up and tells the server, in the way its era wants to hear it. */
      const abandon = (reason: Error) => {
        settle({ error: reason });
        const told =
          r.method === 'initialize' || (stream && era === 'modern')
            ? Promise.resolve()
            : send('notifications/cancelled', { requestId: id, reason: reason.message }).catch(() => {});
        if (stream) void told.then(() => stream.abort());
      };
      const call: Running = { request: r, settle, clock, asks: 0 };
      running.set(id, call);
      r.signal?.addEventListener('abort', onAbort, { once: true });
      const params = wrap(r.params, r.onProgress ? id : undefined);
      transport
        .send(
          { jsonrpc: '2.0', id, method: r.method, ...(params ? { params } : {}) },
          stream && { requestSignal: stream.signal, onRequestStreamEnd: () => settle({ error: dropped(r) }) },
        )
        .catch((error) => settle({ error: options.explain(error) }));
    });
  }

  async function send(method: string, params?: Params): Promise<void> {
    const wrapped = wrap(params, undefined);
    await transport.send({ jsonrpc: '2.0', method, ...(wrapped ? { params: wrapped } : {}) });
  }

  function timedOut(r: PeerRequest): Error {
    const message = `"${options.server}" did not answer ${naming(r)} within ${r.timeoutMs} ms.`;
    return fail('SERVER_TIMEOUT', message, { server: options.server });
  }

  function cancelled(r: PeerRequest): Error {
    return fail('CANCELLED', `The request ${naming(r)} to "${options.server}" was cancelled.`, {
      server: options.server,
    });
  }

  function dropped(r: PeerRequest): Error {
    const message = `"${options.server}" closed the stream before it answered ${naming(r)}.`;
    return fail('SERVER_UNREACHABLE', message, { server: options.server });
  }

  return {
    request,
    notify: async (method, params) => {
      if (closed) throw closed;
      await send(method, params).catch((error) => {
        throw options.explain(error);
      });
    },
    use: (newEra, newEnvelope) => {
      era = newEra;
      envelope = newEnvelope;
    },
    close,
  };
}

/** `tools/call "search"` rather than `tools/call`. */
function naming(r: PeerRequest): string {
  const name = r.params?.name ?? r.params?.uri;
  return typeof name === 'string' ? `${r.method} "${name}"` : r.method;
}
