/** The clients that are connected to the gateway now, and what servers that they share must know of all of them. */
import type { ClientView, Profile, Routing } from '../../shared/model.ts';
import { canElicit } from './execute/execute.ts';
import { type ClientSession, defaultLogLevel, type LogLevel, mostDetailed, type RawResult } from './gateway/gateway.ts';

export interface Clients {
  list(): ClientView[];
  sessions(): ClientSession[];
  /** Enters a client; the result takes it out again. */
  connected(session: ClientSession): () => void;
  reaches(session: ClientSession, server: string): boolean;
  setLogLevel(session: ClientSession, level: LogLevel): void;
  /**
   * The level that a server is to log from. A legacy server has one level for all, so it is the most detailed that any
   * client asked for which reaches the server; what a client did not ask for is kept from it where its calls' messages are
   * passed on. A legacy client that asked for none counts as `info`: the `error` of another must not take away what it gets.
   * A modern client says a level with each request, which a modern server gets as it is; for the others the last one counts.
   * Undefined until any client has asked: then servers decide for themselves.
   */
  logLevel(server: string): LogLevel | undefined;
  /**
   * Answers a server that asks while none of its calls runs, when it can only mean one client: for roots, the only one that
   * has any and reaches the server. With several of them one client's folders would be opened to another's calls.
   */
  answerOutsideCalls(server: string, method: string, signal: AbortSignal): Promise<RawResult> | undefined;
}

export function createClients({
  routingOf,
  profile,
  onChange,
  onLeave,
  onLogLevel,
}: {
  routingOf(name: string): Routing;
  profile(name: string): Profile | undefined;
  onChange(): void;
  onLeave(id: string): void;
  /** `logLevel` may give another answer now. */
  onLogLevel(): void;
}): Clients {
  const clients = new Map<string, Omit<ClientView, 'routing'>>();
  const sessions = new Map<string, ClientSession>();
  const levels = new Map<string, LogLevel>();
  let isLevelled = false;

  function reaches(session: ClientSession, server: string): boolean {
    if (session.server !== undefined && session.server !== server) return false;
    if (session.profile === undefined) return true;
    const seen = profile(session.profile)?.servers;
    return seen !== undefined && (seen.length === 0 || seen.includes(server));
  }
  const reaching = (server: string) => [...sessions.values()].filter((session) => reaches(session, server));
  const levelOf = ({ id, era }: ClientSession) => levels.get(id) ?? (era === 'legacy' ? defaultLogLevel : undefined);

  return {
    list: () => Array.from(clients.values(), (client) => ({ ...client, routing: routingOf(client.name) })),
    sessions: () => [...sessions.values()],
    connected(session) {
      const { id, name, version, transport, era, mode, profile, via, capabilities } = session;
      sessions.set(id, session);
      const canAnswer = canElicit(capabilities);
      clients.set(id, { id, name, version, transport, era, mode, profile, via, canAnswer, connectedAt: Date.now() });
      onChange();
      if (isLevelled) onLogLevel();
      return () => {
        clients.delete(id);
        sessions.delete(id);
        levels.delete(id);
        onLeave(id);
        onChange();
        if (isLevelled) onLogLevel();
      };
    },
    reaches,
    setLogLevel({ id }, level) {
      if (!sessions.has(id) || levels.get(id) === level) return;
      levels.set(id, level);
      isLevelled = true;
      onLogLevel();
    },
    logLevel(server) {
      if (!isLevelled) return undefined;
      const wanted = reaching(server).flatMap((session) => levelOf(session) ?? []);
      return mostDetailed(wanted) ?? defaultLogLevel;
    },
    answerOutsideCalls(server, method, signal) {
      if (method !== 'roots/list') return undefined;
      const [only, ...others] = reaching(server).filter(({ capabilities }) => capabilities.roots);
      if (!only?.ask || others.length > 0) return undefined;
      return only.ask(method, {}, signal);
    },
  };
}
