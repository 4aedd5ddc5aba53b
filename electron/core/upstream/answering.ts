/** Answers what a legacy server asks of its client: elicitation, sampling, roots, ping. */
import type { Transport } from '@modelcontextprotocol/client';
import { GatehouseError } from '../../../shared/failure.ts';
import type { Clock } from './clock.ts';
import { UpstreamRpcError } from './rpc-error.ts';
import type { OnAsk, Params, RawResult, UpstreamAsk, UpstreamOptions } from './types.ts';

const methodNotFound = -32601;
const internalError = -32603;

/** Who hears a pushed question: the call it belongs to, or the likeliest one of several. */
export interface Listening {
  onAsk: OnAsk;
  /** Of all calls that it may belong to; they stand still while the person thinks. */
  clocks: Pick<Clock, 'pause' | 'resume'>[];
  /** Aborts when all of them are over: nobody needs the answer any more. */
  over: AbortSignal;
  /** To be called when the question is closed. */
  answered(): void;
  origins?: unknown[];
}

export interface AnsweringOptions {
  transport: Transport;
  askOutsideCalls: UpstreamOptions['onAsk'];
  listeningCall(): Listening | undefined;
}

export interface Answering {
  answer(id: string | number, method: string, params: Params): void;
  /** The server withdrew its question. */
  cancel(id: string | number): void;
  close(): void;
}

export function createAnswering({ transport, askOutsideCalls, listeningCall }: AnsweringOptions): Answering {
  const open = new Map<string | number, AbortController>();

  async function run(method: string, params: Params, signal: AbortSignal): Promise<RawResult> {
    if (method === 'ping') return {};
    if (!isAskMethod(method)) throw new UpstreamRpcError(methodNotFound, `Method not found: ${method}`);
    const call = listeningCall();
    if (!call) return askOutsideCalls?.({ method, params }, signal) ?? unasked(method);
    const { onAsk, clocks, over, answered, origins } = call;
    for (const clock of clocks) clock.pause();
    try {
      return await onAsk({ method, params, ...(origins && { origins }) }, AbortSignal.any([signal, over]));
    } finally {
      for (const clock of clocks) clock.resume();
      answered();
    }
  }

  return {
    answer(id, method, params) {
      const controller = new AbortController();
      open.set(id, controller);
      run(method, params, controller.signal)
        .then(
          (result) => ({ result }),
          (error) => ({ error: errorAnswer(error) }),
        )
        .then((answer) => {
          // A withdrawn question must not be answered.
          if (!open.delete(id) || controller.signal.aborted) return;
          return transport.send({ jsonrpc: '2.0', id, ...answer } as Parameters<Transport['send']>[0]);
        })
        .catch(() => {});
    },
    cancel(id) {
      open.get(id)?.abort();
    },
    close() {
      for (const controller of open.values()) controller.abort();
      open.clear();
    },
  };
}

/** What a server hears when nobody is there to be asked. */
function unasked(method: UpstreamAsk['method']): RawResult {
  if (method === 'elicitation/create') return { action: 'cancel' };
  if (method === 'roots/list') return { roots: [] };
  throw new UpstreamRpcError(methodNotFound, 'No client that can sample is waiting for this server.');
}

export function isAskMethod(method: unknown): method is UpstreamAsk['method'] {
  return method === 'elicitation/create' || method === 'sampling/createMessage' || method === 'roots/list';
}

export function errorAnswer(error: unknown): { code: number; message: string; data?: unknown } {
  if (error instanceof UpstreamRpcError) {
    return { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) };
  }
  if (error instanceof GatehouseError) return { code: internalError, message: error.message };
  return { code: internalError, message: 'The client could not answer.' };
}
