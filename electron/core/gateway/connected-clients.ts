/** The connected clients, and the information about all of them that their shared servers need. */
import type { ClientView, Routing } from '../../../shared/model/call.ts';
import { canElicit } from '../elicitation/server-requests.ts';
import type { Events } from '../events.ts';
import type { Scopes } from '../policy/scope.ts';
import type { Store } from '../settings.ts';
import type { JsonObject } from '../types.ts';
import type { ClientSession } from './services.ts';
import { defaultLogLevel, type LogLevel, mostDetailed } from './sessions/log-levels.ts';

export type ConnectedClients = ReturnType<typeof createConnectedClients>;

/** A later connection is noted if this many milliseconds have passed. */
const noteAgainMs = 60 * 60_000;

export function createConnectedClients(options: {
  store: Store;
  events: Events;
  scopes: Scopes;
  routes: { routingOf(clientName: string): Routing };
  batch: { isEnabledFor(client: ClientSession): boolean };
}) {
  const { events, scopes, routes, batch, store } = options;
  const clients = new Map<string, { session: ClientSession; connectedAt: number }>();
  const levels = new Map<string, LogLevel>();
  let hasLevels = false;

  const sessions = () => Array.from(clients.values(), ({ session }) => session);
  const sessionsOf = (server: string) => sessions().filter(({ scope }) => scopes.hasServer(scope, server));
  const levelOf = ({ id, era }: ClientSession) => levels.get(id) ?? (era === 'legacy' ? defaultLogLevel : undefined);

  function changed(): void {
    events.emit('clients.changed', {});
    if (hasLevels) events.emit('logLevel.changed', {});
  }

  return {
    views: (): ClientView[] =>
      Array.from(clients.values(), ({ session, connectedAt }) => ({
        ...viewOf(session),
        connectedAt,
        routing: routes.routingOf(session.name),
        batch: batch.isEnabledFor(session),
      })),
    sessions,
    /** Adds a client. Returns a function that removes it. */
    connected(session: ClientSession): () => void {
      const { id, via } = session;
      const connectedAt = Date.now();
      clients.set(id, { session, connectedAt });
      const last = store.get('lastConnections');
      if (via !== undefined && connectedAt - (last[via] ?? 0) > noteAgainMs)
        store.set('lastConnections', { ...last, [via]: connectedAt });
      changed();
      return () => {
        clients.delete(id);
        levels.delete(id);
        events.emit('client.disconnected', { id });
        changed();
      };
    },
    setLogLevel({ id }: ClientSession, level: LogLevel): void {
      if (!clients.has(id) || levels.get(id) === level) return;
      levels.set(id, level);
      hasLevels = true;
      events.emit('logLevel.changed', {});
    },
    /**
     * The log level for a server. A legacy server has one level for all clients, so this is the most detailed level that
     * any of its clients requested; each client then receives only the messages that it requested. A legacy client
     * without a level counts as `info`, so that another client's `error` does not suppress its messages. Undefined until
     * a client requests a level.
     */
    logLevel(server: string): LogLevel | undefined {
      if (!hasLevels) return undefined;
      const wanted = sessionsOf(server).flatMap((session) => levelOf(session) ?? []);
      return mostDetailed(wanted) ?? defaultLogLevel;
    },
    /**
     * Answers a server's request outside any call if it can be meant for only one client. `roots/list` goes to the client
     * if it is the only one that has roots and can reach the server. With several clients, calls of one client could
     * access the folders of another, so the result is undefined.
     */
    answerOutsideCalls(server: string, method: string, signal: AbortSignal): Promise<JsonObject> | undefined {
      if (method !== 'roots/list') return undefined;
      const [only, ...others] = sessionsOf(server).filter(({ capabilities }) => capabilities.roots);
      if (!only?.request || others.length > 0) return undefined;
      return only.request(method, {}, signal);
    },
  };
}

function viewOf(session: ClientSession): Omit<ClientView, 'connectedAt' | 'routing' | 'batch'> {
  const { id, name, version, transport, era, mode, scope, via, capabilities } = session;
  const canAnswer = canElicit(capabilities);
  return { id, name, version, transport, era, mode, profile: scope.profile, via, canAnswer };
}
