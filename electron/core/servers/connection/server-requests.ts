/** Answers the requests that a legacy server sends to its client: elicitation, sampling, roots and ping. */
import type { Transport } from '@modelcontextprotocol/client';
import { ToolkeepError } from '../../../../shared/failure.ts';
import { limits } from '../../../../shared/limits.ts';
import type { PausableTimer } from '../../async/pausable-timer.ts';
import { RpcError } from '../../jsonrpc/rpc-error.ts';
import type { ServerRequest } from '../../types.ts';
import type { OnServerRequest, Params, RawResult, ServerHandleOptions } from '../types.ts';

const methodNotFound = -32601;
const internalError = -32603;
const maxOpen = limits.server.openRequests;
/** How many of the requests above the limit are answered at a time. A burst gets no answer, because each would cost a message. */
const maxRefusals = 10;

/** The call that a pushed request belongs to, or the most likely of several. */
export interface OwningCall {
  onServerRequest: OnServerRequest;
  /** Clocks of every call that the request may belong to. They are paused until the request is answered. */
  clocks: Pick<PausableTimer, 'pause' | 'resume'>[];
  /** Aborts when all these calls have ended. */
  ended: AbortSignal;
  /** Call when the request has been answered. */
  onAnswered(): void;
  origins?: unknown[];
}

export interface ServerRequestsOptions {
  transport: Transport;
  /** Answers requests that arrive while no call is running. */
  onRequestOutsideCalls: ServerHandleOptions['onServerRequest'];
  findOwningCall(): OwningCall | undefined;
}

export type ServerRequests = ReturnType<typeof createServerRequests>;

export function createServerRequests(options: ServerRequestsOptions) {
  const { transport, onRequestOutsideCalls, findOwningCall } = options;
  const open = new Map<string | number, AbortController>();

  async function run(method: string, params: Params, signal: AbortSignal): Promise<RawResult> {
    if (method === 'ping') return {};
    if (!isServerRequestMethod(method)) throw new RpcError(methodNotFound, `Method not found: ${method}`);
    const call = findOwningCall();
    if (!call) return onRequestOutsideCalls?.({ method, params }, signal) ?? defaultAnswer(method);
    const { onServerRequest, clocks, ended, onAnswered, origins } = call;
    for (const clock of clocks) clock.pause();
    try {
      return await onServerRequest({ method, params, origins }, AbortSignal.any([signal, ended]));
    } finally {
      for (const clock of clocks) clock.resume();
      onAnswered();
    }
  }

  return {
    answer(id: string | number, method: string, params: Params): void {
      if (open.has(id) || open.size >= maxOpen + maxRefusals) return;
      const controller = new AbortController();
      const isRefused = open.size >= maxOpen;
      open.set(id, controller);
      (isRefused ? Promise.reject(tooMany) : run(method, params, controller.signal))
        .then(
          (result) => ({ result }),
          (error) => ({ error: toRpcError(error) }),
        )
        .then((answer) => {
          // Do not answer a cancelled request.
          if (controller.signal.aborted) return;
          return transport.send({ jsonrpc: '2.0', id, ...answer } as Parameters<Transport['send']>[0]);
        })
        .catch(() => {})
        // A server that does not read its answers gets no more of them.
        .finally(() => open.delete(id));
    },
    /** Call when the server has cancelled its request. */
    cancel(id: string | number): void {
      open.get(id)?.abort();
    },
    close(): void {
      for (const controller of open.values()) controller.abort();
      open.clear();
    },
  };
}

const tooMany = new RpcError(internalError, `More than ${maxOpen} requests of this server are open.`);

/** The answer when no client can answer. */
export function defaultAnswer(method: ServerRequest['method']): RawResult {
  if (method === 'elicitation/create') return { action: 'cancel' };
  if (method === 'roots/list') return { roots: [] };
  throw new RpcError(methodNotFound, 'No connected client supports sampling.');
}

export function isServerRequestMethod(method: unknown): method is ServerRequest['method'] {
  return method === 'elicitation/create' || method === 'sampling/createMessage' || method === 'roots/list';
}

function toRpcError(error: unknown): { code: number; message: string; data?: unknown } {
  if (error instanceof RpcError) return { code: error.code, message: error.message, data: error.data };
  if (error instanceof ToolkeepError) return { code: internalError, message: error.message };
  // The client's own error says why it refused.
  if (error instanceof Error && Number.isSafeInteger((error as { code?: unknown }).code))
    return { code: (error as unknown as { code: number }).code, message: error.message };
  return { code: internalError, message: 'The client could not answer.' };
}
