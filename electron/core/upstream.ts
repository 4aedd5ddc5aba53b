/** The servers, their catalog and the known tools, connected by events. */
import type { Config } from './config/schema.ts';
import type { Events } from './events.ts';
import { shownUri } from './gateway/app-uris.ts';
import type { ConnectedClients } from './gateway/connected-clients.ts';
import type { Host } from './host.ts';
import type { PluginSet } from './plugins/plugins.ts';
import type { MissingSecrets, PromptOptions } from './secrets/prompt-missing-secrets.ts';
import { parseRedacted } from './secrets/redact.ts';
import { redactorOf } from './secrets/redact-values.ts';
import { createServerLogs, type ServerLogs } from './servers/server-log.ts';
import { Servers } from './servers/servers.ts';
import type { Stores } from './stores.ts';
import { createKnownTools, type KnownTools } from './tools/known-tools.ts';
import type { CatalogDiff, MayReach } from './types.ts';

export interface UpstreamOptions {
  host: Host;
  events: Events;
  stores: Pick<Stores, 'catalog' | 'signIns' | 'vault' | 'results' | 'pins' | 'history' | 'index'>;
  plugins: PluginSet;
  config(): Config;
  clients: ConnectedClients;
  missingSecrets: MissingSecrets;
  mayReach: MayReach;
  isPaused(): boolean;
}

/** The part of a call that identifies its result. */
interface ReceivedCall {
  id: string;
  startedAt: number;
  client: { id: string };
  server: string;
  tool: string;
}

export interface Upstream {
  servers: Servers;
  serverLogs: ServerLogs;
  keepResult(call: ReceivedCall, result: Record<string, unknown>): void;
  knownTools: KnownTools;
  /** Asks the user for the secrets that a server needs. Call it before the server is used. */
  promptMissingSecrets(server: string, prompt: PromptOptions): Promise<void>;
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const { events, stores, config, clients } = options;
  const serverLogs = createServerLogs({
    redact: stores.vault.redact,
    onNew: (server) => events.emit('servers.logged', { server }),
  });
  const servers = new Servers({
    logs: serverLogs,
    host: options.host,
    catalog: stores.catalog,
    signIns: stores.signIns,
    plugins: options.plugins,
    resolve: options.missingSecrets.resolve,
    concurrentStarts: config().concurrentStarts,
    idleTimeoutMs: () => config().idleTimeoutMs,
    discoveryTimeoutMs: () => config().discoveryTimeoutMs,
    onState: events.serverChanged,
    onAvailabilityChanged: events.allListsChanged,
    onDiscovered: (server, diff) => events.emit('server.discovered', { server, diff }),
    emit: events.emit,
    onNotification: (server, method, { uri, elicitationId }) => {
      if (method === 'notifications/resources/updated' && typeof uri === 'string') {
        // A client may have subscribed to an app under the URI that Toolkeep shows, or under the server's own URI.
        for (const known of new Set([uri, shownUri(servers.slug(server), uri)]))
          events.emit('resource.updated', { uri: known });
      }
      if (method === 'notifications/elicitation/complete' && typeof elicitationId === 'string')
        // The result that required the page may arrive in the same tick; defer so that it is processed first.
        setImmediate(() => events.emit('url.completed', { server, elicitationId }));
    },
    onServerRequest: (server, { method }, signal) => clients.answerOutsideCalls(server, method, signal),
    logLevel: clients.logLevel,
    mayReach: options.mayReach,
  });
  const knownTools = createKnownTools({
    catalog: stores.catalog,
    pins: stores.pins,
    history: stores.history,
    holdsNewTools: () => config().approvals.newTools === 'hold',
    isUpdated: (name) => servers.findConfig(name)?.previous !== undefined,
    index: stores.index,
    approvalsAsk: () => config().approvals.ask,
    isServerUsable: (name) => !options.isPaused() && servers.isUsable(name),
  });
  events.on('logLevel.changed', () => servers.logLevelChanged());
  events.on('server.discovered', ({ server, diff }) => {
    knownTools.apply(diff);
    reportDiscovery(events, server, diff);
    if (diff.updated)
      options.host.log('info', `"${server}" was updated from ${diff.updated.from} to ${diff.updated.to}.`);
  });
  return {
    servers,
    serverLogs,
    keepResult({ id, startedAt, client, server, tool }, result) {
      const config = servers.findConfig(server);
      const source = { callId: id, at: startedAt, connection: client.id, server, tool };
      stores.results.add(source, result, (json) => {
        const redactConfigured = config ? redactorOf(config.connection) : (text: string) => text;
        return parseRedacted(json, (text) => redactConfigured(stores.vault.redact(text)));
      });
    },
    knownTools,
    async promptMissingSecrets(name, prompt) {
      const server = servers.config(name);
      if (!server.enabled || servers.isRunning(name)) return;
      // Only a client's direct call can time out. A task and the user in the UI keep waiting.
      const clientTimeoutMs = prompt.from && !prompt.isTask ? config().approvals.clientTimeoutMs : undefined;
      await options.missingSecrets.prompt(server, { clientTimeoutMs, ...prompt });
    },
  };
}

function reportDiscovery(events: Events, server: string, diff: CatalogDiff): void {
  if (diff.added.length > 0) {
    const tools = diff.added.map(({ name: tool, category, complexity }) => ({ tool, category, complexity }));
    events.emit('tools.registered', { server, tools });
  }
  const versions = diff.changed.flatMap(({ before: { version: from }, after: { name: tool, version: to } }) =>
    from !== undefined && to !== undefined && from !== to ? [{ tool, from, to }] : [],
  );
  if (diff.updated || versions.length > 0) events.emit('servers.updated', { server, ...diff.updated, tools: versions });
  events.serverChanged(server);
  events.toolsChanged(server);
  if (diff.promptsChanged) events.emit('list.changed', { list: 'prompts' });
  if (diff.resourcesChanged) events.emit('list.changed', { list: 'resources' });
  events.emit('list.changed', { list: 'tools' });
}
