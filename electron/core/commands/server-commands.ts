/** Commands on servers. */
import type { CommandHandlers } from '../../../shared/contract.ts';
import { fail } from '../../../shared/failure.ts';
import type { ServerConfig, ServerView } from '../../../shared/model.ts';
import { clientSecret, moveToVault } from '../secrets/secrets.ts';
import type { Parts } from './parts.ts';
import { serverView, withoutDetail } from './server-view.ts';

type Handlers = Pick<
  CommandHandlers,
  | 'servers.list'
  | 'servers.save'
  | 'servers.remove'
  | 'servers.setEnabled'
  | 'servers.restart'
  | 'servers.stop'
  | 'servers.signIn'
  | 'servers.signOut'
>;

export function serverCommands(parts: Parts): Handlers {
  const { host, servers, supply, vault } = parts;
  /** The person wants it to run, so what it lacks is asked for. */
  const start = (name: string) =>
    parts
      .provide(name, {})
      .then(() => servers.refresh(name))
      .catch(() => undefined);
  const own = () => host.store.get('servers');

  function shown(config: ServerConfig): ServerView {
    const view = serverView(config, parts);
    return parts.config.state.config.statusDetail ? view : withoutDetail(view);
  }

  async function save(list: ServerConfig[]): Promise<void> {
    host.store.set('servers', list);
    await parts.reconfigure();
  }

  function refuseLocal(server: string): void {
    if (servers.config(server).connection.type !== 'stdio') return;
    throw fail('INPUT_INVALID', `"${server}" runs on this machine; there is nothing to sign in to.`, { server });
  }

  return {
    'servers.list': () => servers.configs().map(shown),
    'servers.save': async ({ server: given }) => {
      // Where the vault does not last, the secret of an OAuth client is asked for anew rather than written down.
      const oauth = given.connection.type === 'stdio' ? undefined : given.connection.oauth;
      const { server } = await moveToVault(given, vault, vault.persistent ? undefined : clientSecret(oauth));
      await save([...own().filter((known) => known.name !== server.name), server]);
      void start(server.name);
    },
    'servers.remove': async ({ server }) => {
      servers.config(server);
      const rest = own().filter((known) => known.name !== server);
      if (rest.length === own().length) {
        throw fail('CONFIG_READ_ONLY', `"${server}" comes from ${parts.config.state.file ?? 'a configured source'}.`, {
          server,
          hint: 'Remove it there, or switch it off here.',
        });
      }
      // Nobody else will ever ask for its tokens.
      await servers.signOut(server);
      await save(rest);
    },
    'servers.setEnabled': async ({ server, enabled }) => {
      servers.config(server);
      const off = host.store.get('disabledServers').filter((name) => name !== server);
      host.store.set('disabledServers', enabled ? off : [...off, server]);
      const mine = own();
      if (mine.some((known) => known.name === server && known.enabled !== enabled)) {
        host.store.set(
          'servers',
          mine.map((known) => (known.name === server ? { ...known, enabled } : known)),
        );
      }
      await parts.reconfigure();
      if (enabled) void start(server);
    },
    'servers.restart': async ({ server }) => {
      // The outcome, good or bad, is in the view.
      if (servers.state(server).status === 'failed') {
        supply.forget(servers.config(server));
        await parts.provide(server, {}).catch(() => undefined);
      }
      parts.executor.serverMended(server);
      await servers.restart(server).catch(() => servers.config(server));
      return shown(servers.config(server));
    },
    'servers.stop': ({ server }) => servers.stop(server),
    'servers.signIn': async ({ server }) => {
      refuseLocal(server);
      await servers.signIn(server);
      return shown(servers.config(server));
    },
    'servers.signOut': async ({ server }) => {
      refuseLocal(server);
      await servers.signOut(server);
    },
  };
}
