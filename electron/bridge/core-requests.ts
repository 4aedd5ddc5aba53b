/**
 * Requests of Cores to the client. The first Core keeps its ids; those of a later one are made distinct, so that a late
 * response never reaches a Core that did not ask.
 */
import { type Id, keyOf, type Message } from './messages.ts';

export interface CoreRequests {
  /** A new Core is connected; responses to its predecessors are dropped. */
  startCore(): void;
  /** A request or notification of the Core, as the client receives it. */
  forClient(message: Message, line: Buffer): Buffer | string;
  /** A response of the client, as the Core expects it; undefined if the Core did not ask. `line` is its own text, if any. */
  responseForCore(message: Message, line?: Buffer): Buffer | string | undefined;
  /** The Core is gone: cancels its open requests. Returns the notifications for the client. */
  cancelAll(): string[];
}

export function createCoreRequests(): CoreRequests {
  let cores = 0;
  /** Requests that the client has not answered, by the id that the client received. */
  const open = new Map<string, { shown: Id; own: Id }>();
  const shownId = (id: Id): Id => (cores > 1 ? `gatehouse-${cores}-${id}` : id);

  return {
    startCore() {
      cores += 1;
    },
    forClient(message, line) {
      const { id, method, params } = message;
      if (id !== undefined && id !== null) {
        const shown = shownId(id);
        open.set(keyOf(shown), { shown, own: id });
        return shown === id ? line : JSON.stringify({ ...message, id: shown });
      }
      if (method !== 'notifications/cancelled') return line;
      const requestId = shownId(params?.requestId as Id);
      open.delete(keyOf(requestId));
      const isSame = requestId === params?.requestId;
      return isSame ? line : JSON.stringify({ ...message, params: { ...params, requestId } });
    },
    responseForCore(message, line) {
      const request = open.get(keyOf(message.id));
      if (!request) return undefined;
      open.delete(keyOf(message.id));
      return line && request.own === request.shown ? line : JSON.stringify({ ...message, id: request.own });
    },
    cancelAll() {
      const cancelled = Array.from(open.values(), ({ shown }) =>
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: shown, reason: 'Gatehouse restarted.' },
        }),
      );
      open.clear();
      return cancelled;
    },
  };
}
