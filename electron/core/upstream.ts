/** The servers, their catalog and the known tools, connected by events. */
import type { Config } from './config/schema.ts';
import type { Events } from './events.ts';
import { prefixedUri } from './gateway/app-uris.ts';
import type { ConnectedClients } from './gateway/connected-clients.ts';
import type { Host } from './host.ts';
import type { PluginSet } from './plugins/plugins.ts';
import type { MissingSecrets } from './secrets/prompt-missing-secrets.ts';
import { createServerLogs } from './servers/server-log.ts';
import { Servers } from './servers/servers.ts';
import type { Stores } from './stores.ts';
import { createKnownTools } from './tools/known-tools.ts';
import type { CatalogDiff, MayReach, OpenedFolders } from './types.ts';

interface UpstreamOptions {
  host: Host;
  events: Events;
  stores: Pick<Stores, 'catalog' | 'signIns' | 'vault' | 'pins' | 'history' | 'index'>;
  plugins: PluginSet;
  config(): Config;
  clients: ConnectedClients;
  missingSecrets: MissingSecrets;
  mayReach: MayReach;
  folders: OpenedFolders;
}

export function createUpstream(options: UpstreamOptions) {
  const { events, stores, config, clients } = options;
  const serverLogs = createServerLogs({
    redact: stores.vault.redact,
    onNew: (server) => events.emit('servers.logged', { server }),
  });
  const servers = new Servers({
    logs: serverLogs,
    ...options,
    catalog: stores.catalog,
    signIns: stores.signIns,
    onState: events.serverChanged,
    onAvailabilityChanged: events.allListsChanged,
    onDiscovered: (server, diff) => events.emit('server.discovered', { server, diff }),
    emit: events.emit,
    onNotification: (server, method, { uri, elicitationId }) => {
      if (method === 'notifications/resources/updated' && typeof uri === 'string') {
        // A client may have subscribed under the URI that Toolkeep shows, or under the server's own URI.
        for (const known of new Set([uri, prefixedUri(servers.slug(server), uri)]))
          events.emit('resource.updated', { uri: known });
      }
      if (method === 'notifications/elicitation/complete' && typeof elicitationId === 'string')
        // The result that required the page may arrive in the same tick; defer so that it is processed first.
        setImmediate(() => events.emit('url.completed', { server, elicitationId }));
    },
    onServerRequest: (server, { method }, signal) => clients.answerOutsideCalls(server, method, signal),
    logLevel: clients.logLevel,
  });
  const knownTools = createKnownTools({
    ...stores,
    holdsNewTools: () => config().approvals.newTools === 'hold',
    isUpdated: (name) => servers.findConfig(name)?.previous !== undefined,
    approvalsAsk: () => config().approvals.ask,
    isServerEnabled: (name) => servers.isEnabled(name),
    isServerUsable: servers.isUsable,
  });
  events.on('state.changed', knownTools.stateChanged);
  events.on('logLevel.changed', () => servers.logLevelChanged());
  events.on('server.discovered', ({ server, diff }) => {
    knownTools.apply(diff);
    reportDiscovery(events, server, diff);
    if (diff.updated)
      options.host.log('info', `"${server}" was updated from ${diff.updated.from} to ${diff.updated.to}.`);
  });
  return { servers, serverLogs, knownTools };
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
