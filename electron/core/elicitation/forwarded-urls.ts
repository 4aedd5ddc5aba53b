/** Tracks URL elicitations that clients accepted. When a server reports that one is complete, notifies its client. */
import type { Events } from '../events.ts';
import { RpcError } from '../jsonrpc/rpc-error.ts';
import type { Client, JsonObject } from '../types.ts';

/** `URLElicitationRequiredError` of MCP 2025-11-25. */
export const urlElicitationRequired = -32042;
/** Limits the memory that a server can use by never completing its elicitations. */
const maxPerServer = 200;

export type ForwardedUrls = ReturnType<typeof createForwardedUrls>;

/**
 * An ID is valid only for the server that sent it, so no server can complete another's elicitation. Modern clients have
 * no such notification; they learn of the completion when they call again.
 */
export function createForwardedUrls(events: Events) {
  const open = new Set<{ client: Client; server: string; elicitationId: string }>();

  /** Records that a client was asked to open a page. Call the returned function if it does not open the page. */
  function add(client: Client, server: string, elicitationId: unknown): () => void {
    if (!client.notify || typeof elicitationId !== 'string') return () => undefined;
    const ofServer = [...open].filter((entry) => entry.server === server);
    if (ofServer[0] && ofServer.length >= maxPerServer) open.delete(ofServer[0]);
    const entry = { client, server, elicitationId };
    open.add(entry);
    return () => void open.delete(entry);
  }

  events.on('url.completed', ({ server, elicitationId }) => {
    const notified = new Set<string>();
    for (const entry of open) {
      if (entry.server !== server || entry.elicitationId !== elicitationId) continue;
      open.delete(entry);
      if (notified.has(entry.client.id)) continue;
      notified.add(entry.client.id);
      entry.client.notify?.('notifications/elicitation/complete', { elicitationId });
    }
  });
  events.on('client.disconnected', ({ id }) => {
    for (const entry of open) if (entry.client.id === id) open.delete(entry);
  });

  return {
    add,
    /** Records the pages that a refused call requires, if the client receives the refusal. */
    addFromError(error: unknown, client: Client, server: string): void {
      for (const { elicitationId } of urlsOf(error) ?? []) add(client, server, elicitationId);
    },
  };
}

/** The URL elicitations that the server requires before it accepts a call; undefined for any other error. */
export function urlsOf(error: unknown): JsonObject[] | undefined {
  if (!(error instanceof RpcError) || error.code !== urlElicitationRequired) return undefined;
  const urls = (error.data as { elicitations?: unknown } | undefined)?.elicitations;
  return Array.isArray(urls) && urls.length > 0 ? urls.filter((url) => typeof url === 'object' && url) : undefined;
}
