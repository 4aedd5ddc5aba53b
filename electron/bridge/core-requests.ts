/**
 * Tracks requests from Core to the client. Keeps the first Core's ids and makes later Cores' ids unique, so that a late
 * response never reaches a Core that did not ask.
 */
import { type Id, keyOf, type Message } from './messages.ts';

export function createCoreRequests() {
  let cores = 0;
  /** Requests that the client has not answered, by the id that the client saw. */
  const open = new Map<string, { shown: Id; own: Id }>();
  const shownId = (id: Id): Id => (cores > 1 ? `toolkeep-${cores}-${id}` : id);

  return {
    /** Call when a new Core connects. Responses to earlier Cores are dropped from then on. */
    startCore(): void {
      cores += 1;
    },
    /** Returns a request or notification from Core in the form that the client receives. */
    forClient(message: Message, line: Buffer): Buffer | string {
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
    /**
     * Returns a client response in the form that Core expects, or undefined if the Core did not ask. `line` is the
     * response's original text, if available.
     */
    responseForCore(message: Message, line?: Buffer): Buffer | string | undefined {
      const request = open.get(keyOf(message.id));
      if (!request) return undefined;
      open.delete(keyOf(message.id));
      return line && request.own === request.shown ? line : JSON.stringify({ ...message, id: request.own });
    },
    /** Cancels Core's open requests when the connection is lost. Returns the notifications to send to the client. */
    cancelAll(): string[] {
      const cancelled = Array.from(open.values(), ({ shown }) =>
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: shown, reason: 'Toolkeep restarted.' },
        }),
      );
      open.clear();
      return cancelled;
    },
  };
}
