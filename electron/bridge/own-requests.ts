/** Requests that the bridge itself sends to Core. The client sees neither the requests nor their responses. */
import { keyOf, type Message, parse } from './messages.ts';

export interface OwnRequests {
  send(method: string, params: unknown, onResponse: (response: Message) => void): void;
  /** Consumes the response to one of these requests; returns false for any other response. */
  takeResponse(key: string, line: Buffer): boolean;
  /** Call when the connection to Core is lost. */
  clear(): void;
}

export function createOwnRequests(toCore: (line: string) => void): OwnRequests {
  const open = new Map<string, (response: Message) => void>();
  let last = 0;

  return {
    send(method, params, onResponse) {
      last += 1;
      const id = `toolkeep-bridge-${last}`;
      open.set(keyOf(id), onResponse);
      toCore(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    },
    takeResponse(key, line) {
      const onResponse = open.get(key);
      if (!onResponse) return false;
      open.delete(key);
      onResponse((parse(line) ?? {}) as Message);
      return true;
    },
    clear: () => open.clear(),
  };
}
