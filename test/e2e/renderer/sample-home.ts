/** The part of the sample Core for the start page. */
import type { ActiveCall, CallRecord } from '../../../shared/model/call.ts';
import type { Attention } from '../../../shared/model/home.ts';
import type { SecretsView } from '../../../shared/model/secret.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import type { ToolView } from '../../../shared/model/tool.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { SampleCore } from './sample-core.ts';
import { untrustedFolder } from './sample-folders.ts';

interface State {
  now: number;
  active: ActiveCall[];
  servers: ServerView[];
  tools: ToolView[];
  records: CallRecord[];
  /** By call id. */
  results: Record<string, Record<string, unknown>>;
}

type Handlers = Pick<
  CommandHandlers,
  'attention.list' | 'stats.activity' | 'calls.active' | 'calls.cancel' | 'calls.result' | 'stats.unused'
>;

export function createSampleHome(state: State, secrets: SecretsView, emit: SampleCore['emit']): Handlers {
  const unused = () =>
    state.tools
      .filter(({ enabled, tags }) => enabled && tags.length === 0)
      .slice(0, 34)
      .map(({ server, name }) => ({ server, tool: name }));
  return {
    'attention.list': () => [
      ...failures(state.servers),
      ...(state.servers.length > 0 ? [ignoredFolder] : []),
      ...held(state.tools),
      ...plainSecrets(secrets),
    ],
    'stats.activity': () => ({
      pairs:
        state.records.length > 0
          ? [
              { client: 'Claude Desktop', server: 'github', calls: 34 },
              { client: 'Claude Desktop', server: 'filesystem', calls: 12 },
              { client: 'Cursor', server: 'filesystem', calls: 200 },
              { client: 'Cursor', server: 'memory', calls: 3 },
            ]
          : [],
      slowest:
        state.records.length > 0
          ? [
              { server: 'github', tool: 'search_code', calls: 34, averageMs: 2480 },
              { server: 'filesystem', tool: 'read_text_file', calls: 212, averageMs: 12 },
            ]
          : [],
      unused: {
        count: unused().length,
        examples: unused().slice(0, 8),
        ...(state.records.length > 0 && { since: state.now - 20 * 86_400_000 }),
      },
    }),
    'stats.unused': unused,
    'calls.active': () => state.active,
    'calls.result': ({ callId }) => (callId in state.results ? { kept: { result: state.results[callId] ?? {} } } : {}),
    'calls.cancel': ({ id }) => {
      state.active = state.active.filter((call) => call.id !== id);
      emit('calls.changed', {});
    },
  };
}

const ignoredFolder: Attention = {
  kind: 'untrusted-folder',
  folder: untrustedFolder.path,
  file: untrustedFolder.file,
  hasChanged: false,
};

function failures(servers: readonly ServerView[]): Attention[] {
  return servers.flatMap(({ id: server, failure, signIn }): Attention[] => {
    if (!failure) return [];
    if (signIn === 'needed') return [{ kind: 'sign-in', server }];
    const fix =
      failure.code === 'SECRET_MISSING' ? 'secret' : failure.code === 'SERVER_SPAWN_FAILED' ? 'edit' : 'retry';
    return [{ kind: 'server-failed', server, failure, fix }];
  });
}

function held(tools: readonly ToolView[]): Attention[] {
  const byServer = Map.groupBy(
    tools.filter((tool) => tool.held),
    ({ server }) => server,
  );
  return Array.from(byServer, ([server, its]) => ({
    kind: 'held-tools',
    server,
    tools: its.map(({ name }) => name),
    suspicious: its.filter(({ findings }) => findings.length > 0).length,
  }));
}

const plainSecrets = ({ plain }: SecretsView): Attention[] =>
  plain.map(({ server, secrets, own }) => ({ kind: 'plain-secrets', server, secrets, canMove: own }));
