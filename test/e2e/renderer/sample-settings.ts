/** The part of the sample Core for clients, settings, the vault and search feedback. */
import { appNames } from '../../../electron/core/clients/known-clients.ts';
import type { ClientView } from '../../../shared/model/call.ts';
import type { SearchFeedback } from '../../../shared/model/search.ts';
import type { SecretsView } from '../../../shared/model/secret.ts';
import type { ToolView } from '../../../shared/model/tool.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { SampleCore } from './sample-core.ts';

type Handlers = Pick<
  CommandHandlers,
  | 'clients.names'
  | 'clients.setRouting'
  | 'clients.setBatch'
  | 'settings.show'
  | 'settings.save'
  | 'secrets.list'
  | 'secrets.set'
  | 'secrets.usePassphrase'
  | 'secrets.remove'
  | 'secrets.moveToVault'
  | 'tools.search'
  | 'search.feedback.list'
  | 'search.feedback.add'
  | 'search.feedback.remove'
>;

interface Given {
  isEmpty: boolean;
  now: number;
  tools: readonly ToolView[];
  emit: SampleCore['emit'];
}

export function createSampleSettings({ isEmpty, now, tools, emit }: Given): {
  handlers: Handlers;
  clients: ClientView[];
  secrets: SecretsView;
} {
  const clients = isEmpty ? [] : sampleClients(now);
  const secrets = isEmpty ? { ...sampleSecrets(), secrets: [], plain: [] } : sampleSecrets();
  let feedback = isEmpty ? [] : sampleFeedback(now);
  const settings = {
    enableRequests: 'ask' as const,
    historyMonths: 12,
    resultDays: 0,
    maxResultCharacters: 0,
    questionTimeoutMs: 300_000,
    http: true,
    updates: true,
  };

  const handlers: Handlers = {
    'clients.names': appNames,
    'clients.setRouting': ({ client, routing }) => {
      for (const known of clients) if (known.name === client) known.routing = routing ?? 'toolkeep';
      emit('clients.changed', {});
    },
    'clients.setBatch': ({ client, enabled }) => {
      for (const known of clients) if (known.name === client) known.batch = enabled ?? false;
      emit('clients.changed', {});
    },
    'settings.show': () => ({ ...settings }),
    'settings.save': (change) => void Object.assign(settings, change),
    'secrets.list': () => structuredClone(secrets),
    'secrets.set': ({ name }) => {
      const known = secrets.secrets.find((secret) => secret.name === name);
      if (known) known.isSet = true;
      else secrets.secrets.push({ name, isSet: true, servers: [] });
    },
    'secrets.usePassphrase': () => {
      secrets.vault = { label: 'passphrase', persistent: true, passphrase: 'entered' };
    },
    'secrets.remove': ({ name }) => {
      for (const secret of secrets.secrets) if (secret.name === name) secret.isSet = false;
      secrets.secrets = secrets.secrets.filter(({ isSet, servers }) => isSet || servers.length > 0);
    },
    'secrets.moveToVault': ({ server }) => {
      const name = `${server.toUpperCase()}_TOKEN`;
      secrets.plain = secrets.plain.filter((entry) => entry.server !== server);
      secrets.secrets.push({ name, isSet: true, servers: [server] });
      return { moved: [name] };
    },
    'tools.search': ({ query, limit = 10 }) => {
      const words = query.toLowerCase().split(/\s+/);
      const marked = feedback.filter((entry) => entry.query === query).map(({ tool }) => tool);
      return tools
        .map((tool) => {
          const hits = words.filter((word) => `${tool.name} ${tool.description}`.toLowerCase().includes(word)).length;
          return { tool, relevance: marked.includes(tool.name) ? 1 : (0.9 * hits) / words.length };
        })
        .filter(({ relevance }) => relevance > 0)
        .sort((a, b) => b.relevance - a.relevance)
        .slice(0, limit)
        .map(({ tool: { server, name, description, tags }, relevance }) => ({
          server,
          tool: name,
          tags,
          relevance,
          summary: description.split('\n')[0] ?? '',
        }));
    },
    'search.feedback.list': () => feedback,
    'search.feedback.add': ({ query, server, tool }) => {
      feedback = [
        { id: `l${feedback.length + 1}`, query, server, tool, source: 'user', times: 1, at: now },
        ...feedback,
      ];
    },
    'search.feedback.remove': ({ id }) => {
      const before = feedback.length;
      feedback = feedback.filter((entry) => entry.id !== id);
      return { forgotten: feedback.length < before };
    },
  };
  return { handlers, clients, secrets };
}

const sampleClients = (now: number): ClientView[] => [
  {
    id: 'a',
    name: 'Claude Desktop',
    version: '1.9.2',
    transport: 'bridge',
    era: 'legacy',
    mode: 'lazy',
    connectedAt: now - 3_600_000,
    canAnswer: false,
    routing: 'toolkeep',
    batch: false,
  } as const,
  {
    id: 'b',
    name: 'Visual Studio Code',
    version: '1.118.0',
    transport: 'http',
    era: 'modern',
    mode: 'full',
    connectedAt: now - 60_000,
    canAnswer: true,
    routing: 'both',
    batch: false,
  } as const,
];

const sampleSecrets = (): SecretsView => ({
  vault: { label: 'Secret Service keyring', persistent: true },
  secrets: [
    { name: 'github.Authorization', isSet: true, servers: ['github'] },
    { name: 'SLACK_TOKEN', isSet: false, servers: ['slack'] },
    { name: 'postgres.DATABASE_URI', isSet: true, servers: ['postgres'] },
    { name: 'OLD_KEY', isSet: true, servers: [] },
  ],
  plain: [
    { server: 'weather', secrets: ['the query parameter key'], own: true },
    { server: 'old-experiments', secrets: ['the variable API_KEY'], own: false },
  ],
});

const sampleFeedback = (now: number): SearchFeedback[] => [
  {
    id: 'l2',
    query: 'show me what changed',
    server: 'github',
    tool: 'get_pull_request_diff',
    source: 'user',
    times: 1,
    at: now - 3_600_000,
  } as const,
  {
    id: 'l1',
    query: 'open a ticket',
    server: 'github',
    tool: 'create_issue',
    source: 'agent',
    times: 3,
    at: now - 86_400_000,
  } as const,
];

/** Two clients over several days. In the last row, searching costs more than it saves. */
