/** `GET /api/status/debug`: servers and tools by transport, with discovery statistics, for callers with a status token. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerView } from '../../../shared/model/server.ts';
import type { Scope } from '../types.ts';
import type { ClientTokens } from './client-tokens.ts';
import { admit } from './request-guard.ts';
import type { GatewayServices } from './services.ts';

/** The discoveries of one server since Core started. */
interface Statistics {
  completed: number;
  failed: number;
  lastMs?: number;
}

export function createDebugStatus(
  services: Pick<GatewayServices, 'servers' | 'tools' | 'events' | 'showsDebugStatus'>,
  { version, authorize }: { version: string; authorize: ClientTokens['authorize'] },
) {
  const statistics = collectStatistics(services.events);

  function serverStatus(scope: Scope, view: ServerView) {
    const { id, slug, status, failure, pid, startedAt, restarts, breaker, phases, warnings, toolCount, enabledCount } =
      view;
    // The tools that a plug-in lists for a client are known only during the client's request.
    const isListed = view.transport !== 'plugin';
    const tools = isListed
      ? services.tools.ofServer(scope, id).map(({ name, enabled, held }) => ({
          ...{ name, enabled: enabled && !held },
          ...(view.discoveredAt !== undefined && { discoveredAt: new Date(view.discoveredAt).toISOString() }),
        }))
      : [];
    const process = view.transport === 'stdio' ? { process: { pid, startedAt, restarts } } : {};
    return {
      ...{ name: id, slug, status, failure, breaker, phases, warnings, ...process },
      ...{ toolCount, enabledCount, discovery: statistics(id), tools },
    };
  }

  function report(scope: Scope) {
    const byTransport = Map.groupBy(services.servers.views(scope), ({ transport }) => transport);
    const transports = Array.from(byTransport, ([transport, views]) => {
      const servers = views.map((view) => serverStatus(scope, view));
      const sum = (numberOf: (server: (typeof servers)[number]) => number) =>
        servers.reduce((total, server) => total + numberOf(server), 0);
      const discovery = {
        servers: servers.length,
        tools: sum(({ toolCount }) => toolCount),
        completed: sum((server) => server.discovery.completed),
        failed: sum((server) => server.discovery.failed),
      };
      return [transport, { discovery, servers }] as const;
    });
    return { version, transports: Object.fromEntries(transports) };
  }

  return (request: IncomingMessage, response: ServerResponse) => {
    const admitted = admit(request, 'status', authorize);
    if ('refusal' in admitted) {
      const { status, message, headers } = admitted.refusal;
      return answer(response, status, { error: message }, headers);
    }
    if (request.method !== 'GET') return answer(response, 405, { error: 'Only GET is allowed.' }, { allow: 'GET' });
    if (!services.showsDebugStatus())
      return answer(response, 404, { error: 'The status is disabled by `status.detail` or TOOLKEEP_DEBUG_STATUS.' });
    answer(response, 200, report({ profile: admitted.access.profile }));
  };
}

function collectStatistics(events: GatewayServices['events']): (server: string) => Statistics {
  const byServer = new Map<string, Statistics>();
  const of = (server: string) => byServer.get(server) ?? { completed: 0, failed: 0 };
  events.on('discovery.completed', ({ server, durationMs }) => {
    const before = of(server);
    byServer.set(server, { ...before, completed: before.completed + 1, lastMs: Math.round(durationMs) });
  });
  events.on('discovery.failed', ({ server, durationMs }) => {
    const before = of(server);
    byServer.set(server, { ...before, failed: before.failed + 1, lastMs: Math.round(durationMs) });
  });
  return of;
}

function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const fixed = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  response.writeHead(status, { ...headers, ...fixed });
  response.end(`${JSON.stringify(body, null, 2)}\n`);
}
