/**
 * Tool calls of a legacy client on a stream, answered beside the SDK: it would check every message against its schemas,
 * which takes longer than all that the gateway does with a call. Everything else goes through the SDK.
 */
import { type JSONRPCMessage, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ClientSession, GatewayBackend, RawResult } from './backend.ts';
import type { LogLevel } from './log-levels.ts';
import { methodCall } from './method-call.ts';
import { answer } from './methods.ts';

export interface DirectCalls {
  /** True when the message is a call, or the cancellation of one, and has been taken over. */
  take(message: JSONRPCMessage): boolean;
  /** Cancels what runs. */
  close(): void;
}

export function createDirectCalls(options: {
  backend: GatewayBackend;
  /** The client once its handshake is done; undefined for what the SDK must answer. */
  caller(): { session: ClientSession; logLevel: LogLevel } | undefined;
  send(message: JSONRPCMessage): Promise<void>;
}): DirectCalls {
  const { backend, caller } = options;
  const running = new Map<unknown, AbortController>();
  // A client that has left needs no answer.
  const send = (message: object) => void options.send(message as JSONRPCMessage).catch(() => undefined);
  const notify = (method: string, params: RawResult) => send({ jsonrpc: '2.0', method, params });

  async function run(id: string | number, params: RawResult, from: NonNullable<ReturnType<typeof caller>>) {
    const controller = new AbortController();
    running.set(id, controller);
    const { session, logLevel: level } = from;
    const call = methodCall({ method: 'tools/call', params }, { session, signal: controller.signal, level, notify });
    let reply: object;
    try {
      reply = { result: await answer(backend, call) };
    } catch (error) {
      reply = { error: rpcErrorOf(error) };
    } finally {
      running.delete(id);
    }
    // Nobody waits for the answer to a call that was cancelled.
    if (!controller.signal.aborted) send({ jsonrpc: '2.0', id, ...reply });
  }

  return {
    take(message) {
      if (!('method' in message)) return false;
      if (!('id' in message)) return message.method === 'notifications/cancelled' && cancel(message.params);
      if (message.method !== 'tools/call') return false;
      const from = caller();
      if (!from) return false;
      void run(message.id, (message.params ?? {}) as RawResult, from);
      return true;
    },
    close() {
      for (const controller of running.values()) controller.abort(new Error('The client has left.'));
    },
  };

  function cancel(params: RawResult | undefined): boolean {
    const controller = running.get(params?.requestId);
    controller?.abort(params?.reason);
    return controller !== undefined;
  }
}

function rpcErrorOf(error: unknown): { code: number; message: string; data?: unknown } {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: Number.isSafeInteger(code) ? (code as number) : ProtocolErrorCode.InternalError,
    message: typeof message === 'string' ? message : 'Internal error',
    ...(data !== undefined && { data }),
  };
}
