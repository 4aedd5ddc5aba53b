/**
 * Answers tool calls of legacy clients without the SDK. The SDK would check every message against its schemas, which
 * takes longer than all of the gateway's own work on a call. All other messages go through the SDK.
 */
import { type JSONRPCMessage, type JSONRPCRequest, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { fail } from '../../../../shared/failure.ts';
import { InFlight } from '../../jsonrpc/in-flight.ts';
import type { JsonObject } from '../../types.ts';
import { mcpRequest } from '../mcp-request.ts';
import { answerCall } from '../methods.ts';
import type { GatewayServices } from '../services.ts';
import type { LegacyClient } from '../sessions/session.ts';
import { tokenRevoked } from './http-context.ts';

/** Sends the messages of one call. */
export interface CallOutput {
  send(message: JSONRPCMessage): void;
  /** Called instead of an answer if the call was cancelled. */
  end?(): void;
}

export type DirectCalls = ReturnType<typeof createDirectCalls>;

export function createDirectCalls(
  services: GatewayServices,
  /** Returns the request's client, after its handshake; undefined if the SDK must answer. */
  clientOf: (request: JSONRPCRequest) => LegacyClient | undefined,
) {
  const running = new InFlight<unknown, { controller: AbortController; output: CallOutput }>();

  async function run({ id, params = {} }: JSONRPCRequest, from: LegacyClient, output: CallOutput): Promise<void> {
    const controller = new AbortController();
    const entry = { controller, output };
    running.set(id, entry);
    const { session, logLevel: level } = from;
    const notify = (method: string, params: JsonObject) => output.send({ jsonrpc: '2.0', method, params });
    const request = { client: session, signal: controller.signal, level, notify };
    const call = mcpRequest({ method: 'tools/call', params }, request);
    let reply: { result: JsonObject } | { error: ReturnType<typeof rpcErrorOf> };
    try {
      reply = { result: await answerCall(services, call) };
    } catch (error) {
      reply = { error: rpcErrorOf(error) };
    } finally {
      if (running.get(id) === entry) running.delete(id);
    }
    // A cancelled call gets no answer.
    if (!controller.signal.aborted) output.send({ jsonrpc: '2.0', id, ...reply });
  }

  function stop(id: unknown, reason: unknown): boolean {
    const entry = running.get(id);
    running.delete(id);
    entry?.controller.abort(reason);
    entry?.output.end?.();
    return entry !== undefined;
  }

  /** Ends every running call. Sends `error` as the answer, if there is one. */
  function stopAll(reason: Error, error?: { code: number; message: string }): void {
    for (const id of [...running.keys()] as JSONRPCRequest['id'][]) {
      if (error) running.get(id)?.output.send({ jsonrpc: '2.0', id, error });
      stop(id, reason);
    }
  }

  return {
    /** If the message is a call, runs it here, sends its messages to the result of `open`, and returns true. */
    take(message: JSONRPCMessage, open: () => CallOutput): boolean {
      if (!('method' in message && 'id' in message) || message.method !== 'tools/call') return false;
      const from = clientOf(message);
      if (!from) return false;
      void run(message, from, open());
      return true;
    },
    /** Returns true if the message cancelled a call that runs here. */
    cancel(message: JSONRPCMessage): boolean {
      if (!('method' in message) || 'id' in message || message.method !== 'notifications/cancelled') return false;
      return stop(message.params?.requestId, message.params?.reason);
    },
    /** Sends an SDK message to the output of the call that it belongs to; false if that call does not run here. */
    forward(message: JSONRPCMessage, call: unknown): boolean {
      const entry = running.get(call);
      entry?.output.send(message);
      return entry !== undefined;
    },
    /** Cancels every running call, and answers that the client's token is no longer valid. */
    revoke: (): void => stopAll(fail('CANCELLED', tokenRevoked.message), tokenRevoked),
    /** Cancels every running call. */
    close: (): void => stopAll(new Error('The client disconnected.')),
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
