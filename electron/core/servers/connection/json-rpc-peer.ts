/**
 * JSON-RPC over one SDK transport: ids, progress, cancellation, timeouts, and requests from the server. The SDK's own
 * Client is not used, because it validates and reshapes results: one odd tool makes it reject a whole list, and it
 * drops unknown fields. A gateway must forward what the server sent.
 */
import type { Transport } from '@modelcontextprotocol/client';
import { fail } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import { type PausableTimer, startPausableTimer } from '../../async/pausable-timer.ts';
import { InFlight } from '../../jsonrpc/in-flight.ts';
import { RpcError } from '../../jsonrpc/rpc-error.ts';
import type { Era, OutgoingRequest, Params, RawResult, ServerHandleOptions } from '../types.ts';
import { createLogLimit } from './log-limit.ts';
import { type MessageId, readServerMessage, type ServerAnswer } from './server-message.ts';
import { createServerRequests, type OwningCall, type ServerRequests } from './server-requests.ts';

/** Progress may extend a request to this multiple of its timeout. */
const limitFactor = 10;

type Forwarded = 'method' | 'params' | 'signal' | 'onProgress' | 'onServerRequest' | 'origin' | 'onLog';

export interface PeerRequest extends Pick<OutgoingRequest, Forwarded> {
  timeoutMs: number;
  /** Replaces the numeric id, to distinguish a long-lived request (a subscription) from calls. */
  id?: string;
}

export interface PeerOptions {
  /** Server name for failures. */
  server: string;
  onNotification(method: string, params: Params): void;
  /** Answers requests from the server that belong to no running call. */
  onServerRequest: ServerHandleOptions['onServerRequest'];
  /** Called after the connection closed; running calls are rejected with `reason`. */
  onClose(reason: Error): void;
  onError(error: Error): void;
  /** Why the transport closed, if known. */
  closeReason(): Error | undefined;
  /** Converts a transport error to a failure. */
  explain(error: unknown): Error;
}

interface RunningCall {
  request: PeerRequest;
  settle(outcome: { result: RawResult } | { error: Error }): void;
  clock: PausableTimer;
  /** The server's open requests that were assigned to this call. */
  openServerRequests: number;
  /** These requests, with the calls to which each may belong. A request ends with the last of them. */
  asked: Set<{ ended: AbortController; remaining: Set<RunningCall> }>;
}

export class JsonRpcPeer {
  readonly #transport: Transport;
  readonly #options: PeerOptions;
  readonly #running = new InFlight<MessageId, RunningCall>();
  readonly #serverRequests: ServerRequests;
  readonly #logLimit = createLogLimit();
  #nextId = 1;
  #era: Era = 'legacy';
  #envelope: Params | undefined;
  #closed: Error | undefined;

  constructor(transport: Transport, options: PeerOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#serverRequests = createServerRequests({
      transport,
      onRequestOutsideCalls: options.onServerRequest,
      findOwningCall: () => this.#findOwningCall(),
    });
    transport.onmessage = this.#receive;
    transport.onerror = options.onError;
    transport.onclose = () => {
      const { server } = options;
      const fallback = fail('SERVER_UNREACHABLE', `The connection to "${server}" closed.`, { server });
      this.close(options.closeReason() ?? fallback);
    };
  }

  /** Sets the protocol era after the handshake. In the modern era, `envelope` is added to the `_meta` of every message. */
  use(era: Era, envelope: Params | undefined): void {
    this.#era = era;
    this.#envelope = envelope;
  }

  get isIdle(): boolean {
    return this.#running.keys().length === 0;
  }

  /** Rejects all running requests. */
  close(reason: Error): void {
    if (this.#closed) return;
    this.#closed = reason;
    this.#serverRequests.close();
    for (const call of this.#running.values()) call.settle({ error: reason });
    this.#options.onClose(reason);
  }

  async notify(method: string, params?: Params): Promise<void> {
    if (this.#closed) throw this.#closed;
    await this.#sendNotification(method, params).catch((error) => {
      throw this.#options.explain(error);
    });
  }

  /** Rejects with a ToolkeepError, or with an RpcError when the server answers with an error. */
  request(r: PeerRequest): Promise<RawResult> {
    if (this.#closed) return Promise.reject(this.#closed);
    if (r.signal?.aborted) return Promise.reject(this.#cancelled(r));
    const id = r.id ?? this.#nextId++;
    const stream = this.#transport.hasPerRequestStream ? new AbortController() : undefined;
    return new Promise<RawResult>((resolve, reject) => {
      const clock = startPausableTimer({
        timeoutMs: r.timeoutMs,
        limitMs: r.timeoutMs * limitFactor,
        onTimeout: () => abandon(this.#timedOut(r)),
      });
      const onAbort = () => abandon(this.#cancelled(r));
      const settle: RunningCall['settle'] = (outcome) => {
        if (!this.#running.delete(id)) return;
        clock.stop();
        for (const { ended, remaining } of call.asked) {
          remaining.delete(call);
          if (remaining.size === 0) ended.abort();
        }
        r.signal?.removeEventListener('abort', onAbort);
        if ('result' in outcome) resolve(outcome.result);
        else reject(outcome.error);
      };
      const abandon = (reason: Error) => {
        settle({ error: reason });
        this.#cancelOnServer(r, id, reason, stream);
      };
      const call: RunningCall = { request: r, settle, clock, openServerRequests: 0, asked: new Set() };
      this.#running.set(id, call);
      r.signal?.addEventListener('abort', onAbort, { once: true });
      const params = this.#withMeta(r.params, r.onProgress ? id : undefined);
      this.#transport
        .send(
          { jsonrpc: '2.0', id, method: r.method, ...(params && { params }) },
          stream && {
            requestSignal: stream.signal,
            onRequestStreamEnd: () => settle({ error: this.#streamEnded(r) }),
          },
        )
        .catch((error) => settle({ error: this.#options.explain(error) }));
    });
  }

  /** Closing the request's stream cancels it on modern HTTP servers; all other servers get a notification. */
  #cancelOnServer(r: PeerRequest, id: string | number, reason: Error, stream: AbortController | undefined): void {
    const isByStreamOnly = r.method === 'initialize' || (stream && this.#era === 'modern');
    const sent = isByStreamOnly
      ? Promise.resolve()
      : this.#sendNotification('notifications/cancelled', { requestId: id, reason: reason.message }).catch(() => {});
    if (stream) void sent.then(() => stream.abort());
  }

  async #sendNotification(method: string, params?: Params): Promise<void> {
    const withMeta = this.#withMeta(params, undefined);
    await this.#transport.send({ jsonrpc: '2.0', method, ...(withMeta && { params: withMeta }) });
  }

  readonly #receive = (given: unknown): void => {
    const message = readServerMessage(given);
    if (!message) this.#options.onError(new Error(`"${this.#options.server}" sent a message that is not valid MCP.`));
    else if (message.kind === 'notification') this.#receiveNotification(message.method, message.params);
    else if (message.kind === 'request') this.#serverRequests.answer(message.id, message.method, message.params);
    else this.#receiveAnswer(message);
  };

  /** The running call with this id or progress token. Some servers repeat the number as text. */
  #sent(id: MessageId): RunningCall | undefined {
    return this.#running.get(id) ?? this.#running.get(Number(id));
  }

  #receiveAnswer(answer: ServerAnswer): void {
    const call = this.#sent(answer.id);
    // Ignore a late response to a request that was cancelled or timed out.
    if (!call) return;
    const { server } = this.#options;
    if (answer.kind === 'result') call.settle({ result: answer.result });
    else if (answer.kind === 'error') call.settle({ error: new RpcError(answer.code, answer.text, answer.data) });
    else {
      const text = `"${server}" answered ${call.request.method} with neither a result object nor an error.`;
      call.settle({ error: fail('SERVER_PROTOCOL_ERROR', text, { server }) });
    }
  }

  #receiveNotification(method: string, params: Params): void {
    if (method === 'notifications/progress') {
      const { progressToken, ...progress } = params;
      const call = this.#sent(progressToken as MessageId);
      call?.clock.restart();
      call?.request.onProgress?.(progress);
    } else if (method === 'notifications/cancelled') this.#serverRequests.cancel(params.requestId as MessageId);
    else if (method === 'notifications/message') this.#receiveLog(params);
    else this.#options.onNotification(method, params);
  }

  #receiveLog(params: Params): void {
    const admitted = this.#logLimit.admit(params);
    if (!admitted) return;
    const latest = this.#running.values().findLast((call) => call.request.onLog);
    latest?.request.onLog?.(admitted);
    this.#options.onNotification('notifications/message', admitted);
  }

  /**
   * A pushed request does not name its call, and calls share the connection. If one call is in flight, the request
   * belongs to it. With several, choose the most recent call without an open request, and forward the origins of all.
   */
  #findOwningCall(): OwningCall | undefined {
    const calls = this.#running.values().filter(({ request }) => request.onServerRequest);
    const likeliest = calls.findLast(({ openServerRequests }) => openServerRequests === 0) ?? calls.at(-1);
    if (!likeliest?.request.onServerRequest) return undefined;
    likeliest.openServerRequests += 1;
    const ended = new AbortController();
    const asked = { ended, remaining: new Set(calls) };
    for (const call of calls) call.asked.add(asked);
    return {
      onServerRequest: likeliest.request.onServerRequest,
      clocks: calls.map(({ clock }) => clock),
      ended: ended.signal,
      onAnswered: () => {
        likeliest.openServerRequests -= 1;
        for (const call of calls) call.asked.delete(asked);
      },
      origins: calls.length > 1 ? calls.map(({ request }) => request.origin) : undefined,
    };
  }

  #withMeta(params: Params | undefined, progressToken: string | number | undefined): Params | undefined {
    const given = isObject(params?._meta) ? params._meta : undefined;
    if (!this.#envelope && !given && progressToken === undefined) return params;
    // The client's own progress token has no meaning on this connection.
    const { progressToken: _theirs, ...meta } = given ?? {};
    return {
      ...params,
      _meta: { ...meta, ...this.#envelope, ...(progressToken === undefined ? {} : { progressToken }) },
    };
  }

  #timedOut(r: PeerRequest): Error {
    const { server } = this.#options;
    return fail('SERVER_TIMEOUT', `"${server}" did not answer within ${r.timeoutMs / 1000} s (${describe(r)}).`, {
      server,
    });
  }

  #cancelled(r: PeerRequest): Error {
    const { server } = this.#options;
    return fail('CANCELLED', `A request to "${server}" was canceled (${describe(r)}).`, { server });
  }

  #streamEnded(r: PeerRequest): Error {
    const { server } = this.#options;
    const message = `"${server}" closed the stream before it answered ${describe(r)}.`;
    return fail('SERVER_UNREACHABLE', message, { server });
  }
}

/** `tools/call "search"` rather than `tools/call`. */
function describe(r: PeerRequest): string {
  const name = r.params?.name ?? r.params?.uri;
  return typeof name === 'string' ? `${r.method} "${name}"` : r.method;
}
