/** Tracks whose apps each client shows. An app calls tools by its own server's names, which only its server gives a meaning. */
import type { Events } from '../events.ts';

export type OpenApps = ReturnType<typeof createOpenApps>;

export function createOpenApps(events: Events) {
  const opened = new Map<string, string[]>();
  const servers = (client: string) => opened.get(client) ?? [];
  events.on('client.disconnected', ({ id }) => void opened.delete(id));
  return {
    /** Call when a client has read an app of the server. */
    opened: (client: string, server: string): void =>
      void opened.set(client, [server, ...servers(client).filter((other) => other !== server)]),
    /** The servers whose apps the client has read, the latest first. */
    servers,
  };
}
