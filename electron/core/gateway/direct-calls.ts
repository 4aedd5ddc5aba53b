/**
 * Tool calls of a legacy client, answered beside the SDK: it would check every message against its schemas, which takes
 * longer than all that the gateway does with a call. Everything else goes through the SDK.
 */
import { type JSONRPCMessage, type JSONRPCRequest, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { InFlight } from '../in-flight.ts';
import type { GatewayBackend, RawResult } from './backend.ts';
import { methodCall } from './method-call.ts';
import { answer } from './methods.ts';
import type { LegacyCaller } from './session.ts';

/** Where the messages of one call go. */
export interface Outlet {
  send(message: JSONRPCMessage): void;
  /** There will be no answer: the call was cancelled. */
  end?(): void;
}

export interface DirectCalls {
  /** True when the message is a call and has been taken over: its messages go where `open` says. */
  take(message: JSONRPCMessage, open: () => Outlet): boolean;
  /** True when the message cancels a call that runs here; it is cancelled. */
  cancel(message: JSONRPCMessage): boolean;
  /** Sends a message of the SDK's on the way of the call that it belongs to; false when that does not run here. */
  forward(message: JSONRPCMessage, call: unknown): boolean;
  /** Cancels what runs. */
  close(): void;
}

export function createDirectCalls(
  backend: GatewayBackend,
  /** The client of this request once its handshake is done; undefined for what the SDK must answer. */
  caller: (request: JSONRPCRequest) => LegacyCaller | undefined,
): DirectCalls {
  const running = new InFlight<unknown, { controller: AbortController; outlet: Outlet }>();

  async function run({ id, params = {} }: JSONRPCRequest, from: LegacyCaller, outlet: Outlet): Promise<void> {
    const controller = new AbortController();
    const entry = { controller, outlet };
    running.set(id, entry);
    const { session, logLevel: level } = from;
    const notify = (method: string, params: RawResult) => outlet.send({ jsonrpc: '2.0', method, params });
    const call = methodCall({ method: 'tools/call', params }, { session, signal: controller.signal, level, notify });
    let reply: { result: RawResult } | { error: ReturnType<typeof rpcErrorOf> };
    try {
      reply = { result: await answer(backend, call) };
    } catch (error) {
      reply = { error: rpcErrorOf(error) };
    } finally {
      if (running.get(id) === entry) running.delete(id);
    }
    // Nobody waits for the answer to a call that was cancelled.
    if (!controller.signal.aborted) outlet.send({ jsonrpc: '2.0', id, ...reply });
  }

  function stop(id: unknown, reason: unknown): boolean {
    const entry = running.get(id);
    running.delete(id);
    entry?.controller.abort(reason);
    entry?.outlet.end?.();
    return entry !== undefined;
  }

  return {
    take(message, open) {
      if (!('method' in message && 'id' in message) || message.method !== 'tools/call') return false;
      const from = caller(message);
      if (!from) return false;
      void run(message, from, open());
      return true;
    },
    cancel(message) {
      if (!('method' in message) || 'id' in message || message.method !== 'notifications/cancelled') return false;
      return stop(message.params?.requestId, message.params?.reason);
    },
    forward(message, call) {
      const entry = running.get(call);
      entry?.outlet.send(message);
      return entry !== undefined;
    },
    close() {
      for (const id of running.keys()) stop(id, new Error('The client has left.'));
    },
  };
}

function rpcErrorOf(error: unknown): { code: number; message: string; data?: unknown } {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: Number.isSafeInteger(code) ? (code as number) : ProtocolErrorCode.InternalError,
    message: typeof message === 'string' ? message : 'Internal error',
    ...(data !== undefined && { data }),
  };
}
