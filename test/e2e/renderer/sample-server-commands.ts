/** The servers of the sample Core: commands that show and change them. */
import { changeTags, tagsOf } from '../../../electron/core/commands/server-tags.ts';
import { fail } from '../../../shared/failure.ts';
import type { ServerView } from '../../../shared/model/server.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import type { SampleCore } from './sample-core.ts';
import { sampleIcon, server } from './sample-servers.ts';

interface SampleServersOptions extends Pick<SampleCore, 'state' | 'saved' | 'emit'> {
  /** Throws if Core fails. */
  guard(): void;
}

export function createSampleServers({ state, saved, guard, emit }: SampleServersOptions) {
  const removed: ServerView[] = [];

  function findServer(id: string) {
    const found = state.servers.find((entry) => entry.id === id);
    if (!found) throw fail('SERVER_NOT_FOUND', `There is no server “${id}”.`);
    return found;
  }

  return {
    'servers.list': () => {
      guard();
      return state.servers;
    },
    'servers.save': ({ server: config }) => {
      saved.push(config);
      state.servers = state.servers.filter(({ id }) => id !== config.name);
      const target =
        config.connection.type === 'stdio'
          ? [config.connection.command, ...config.connection.args].join(' ')
          : config.connection.url;
      state.servers.push(
        server({
          id: config.name,
          status: 'idle',
          target,
          transport: config.connection.type,
          origins: [{ source: 'Toolkeep' }],
        }),
      );
      emit('servers.changed', { servers: [config.name] });
    },
    'servers.test': ({ server: config }) =>
      config.connection.type === 'stdio' && config.connection.command === 'missing'
        ? {
            toolCount: 0,
            durationMs: 12,
            failure: { code: 'SERVER_SPAWN_FAILED', message: 'The command “missing” was not found on PATH.' },
          }
        : { toolCount: 9, durationMs: 812, version: '1.4.0' },
    'servers.rename': ({ server: id, name }) => {
      Object.assign(findServer(id), { id: name });
      emit('servers.changed', { servers: [id, name] });
    },
    'servers.copies': ({ server: id }) => ({ files: findServer(id).origins.flatMap(({ file }) => file ?? []) }),
    'servers.remove': ({ server: id }) => {
      removed.push(...state.servers.filter((entry) => entry.id === id));
      state.servers = state.servers.filter((entry) => entry.id !== id);
      emit('servers.changed', { servers: [id] });
    },
    'servers.icon': ({ server: id, icon }) => ({ src: findServer(id).icon === icon ? sampleIcon : undefined }),
    'servers.config': ({ server: id }) => {
      findServer(id);
      return (
        saved.findLast(({ name }) => name === id) ?? {
          name: id,
          enabled: true,
          connection: {
            type: 'stdio',
            command: 'npx',
            args: ['-y', 'server with space'],
            env: { API_KEY: '«hidden-1»', MODE: 'fast' },
            cwd: '/srv',
          },
          lifecycle: { timeoutMs: 5000 },
        }
      );
    },
    'servers.removed': () => removed.map(({ id, target }) => ({ server: id, target, removedAt: state.now })),
    'servers.forget': ({ server: id }) => {
      removed.splice(0, removed.length, ...removed.filter((entry) => entry.id !== id));
      emit('servers.changed', { servers: [id] });
    },
    'servers.restore': ({ server: id }) => {
      state.servers.push(...removed.filter((entry) => entry.id === id));
      removed.splice(0, removed.length, ...removed.filter((entry) => entry.id !== id));
      emit('servers.changed', { servers: [id] });
    },
    'servers.setEnabled': ({ server: id, enabled }) => {
      findServer(id).status = enabled ? 'idle' : 'disabled';
      emit('servers.changed', { servers: [id] });
    },
    'servers.discover': ({ server: wanted }) => ({
      results: state.servers
        .filter(({ id }) => wanted === undefined || id === wanted)
        .map(({ id, toolCount }) => ({ server: id, success: true, toolCount, durationMs: 200 })),
    }),
    'servers.restart': ({ server: id }) => {
      const found = findServer(id);
      if (!found.failure) found.status = 'ready';
      emit('servers.changed', { servers: [id] });
      return found;
    },
    'servers.tag': (change) => {
      const before = state.servers.map(({ id, tags = [] }) => ({ server: id, tags }));
      const after = changeTags(before, change);
      for (const entry of state.servers) {
        const tags = tagsOf(after, entry.id);
        entry.tags = tags.length > 0 ? [...tags] : undefined;
      }
      emit('servers.changed', { servers: change.servers });
    },
    'servers.confine': () => ({ different: [], same: 0 }),
    'servers.stop': ({ server: id }) => {
      findServer(id).status = 'idle';
      emit('servers.changed', { servers: [id] });
    },
    'servers.signIn': ({ server: id }) => {
      const found = findServer(id);
      found.status = 'ready';
      found.signIn = 'signedIn';
      emit('servers.changed', { servers: [id] });
      return found;
    },
    'servers.cancelSignIn': ({ server: id }) => {
      delete findServer(id).signInPage;
      emit('servers.changed', { servers: [id] });
    },
    'servers.signOut': ({ server: id }) => {
      const found = findServer(id);
      found.status = 'idle';
      delete found.signIn;
      emit('servers.changed', { servers: [id] });
    },
    'servers.log': ({ server: id, after = 0 }) => {
      findServer(id);
      return { entries: state.log.filter((entry) => entry.id > after), more: false };
    },
  } satisfies Partial<CommandHandlers>;
}
