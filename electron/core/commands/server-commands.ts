/** Commands for servers. */
import { fail, toFailure } from '../../../shared/failure.ts';
import { maxTimerMs } from '../../../shared/max-timer.ts';
import type { DiscoveryResult, ServerConfig, ServerView } from '../../../shared/model/server.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { withDeadline } from '../async/deadline.ts';
import { serversTakenOver } from '../clients/import/import.ts';
import { renameServer } from '../policy/server-decisions.ts';
import { setServer } from '../registry/journal.ts';
import { hideSecrets, restoreSecrets } from '../secrets/hidden-secrets.ts';
import { plainClientSecret } from '../secrets/plain-secrets.ts';
import { describeConnection } from '../secrets/redact.ts';
import { moveToVault } from '../secrets/vault.ts';
import { renameKept } from '../servers/kept-folders.ts';
import { confineNew } from '../servers/new-servers.ts';
import { serverView, withoutDetail } from '../servers/server-view.ts';
import type { Servers } from '../servers/servers.ts';
import { changeSetting } from '../settings.ts';
import { endNamesakes } from './end-decisions.ts';
import { readOnly } from './read-only.ts';
import { createRemovedServers } from './removed-servers.ts';
import { changeTags, tagsOf } from './server-tags.ts';
import type { CommandServices } from './services.ts';

/** The services needed to enable and start a server. */
type ServerControl = Pick<CommandServices, 'host' | 'servers'> & { reconfigure(): Promise<unknown> };

/** Asks for missing secrets before starting, because the user wants the server to run. */
function start(servers: Servers, name: string): void {
  Promise.resolve(servers.promptMissingSecrets(name, {}))
    .then(() => servers.refresh(name))
    .catch(() => undefined);
}

/** Enables or disables a server, wherever it is configured. Throws SERVER_NOT_FOUND. */
export async function setServerEnabled(control: ServerControl, name: string, enabled: boolean): Promise<void> {
  const { host, servers } = control;
  servers.config(name);
  const disabled = host.store.get('disabledServers').filter((known) => known !== name);
  host.store.set('disabledServers', enabled ? disabled : [...disabled, name]);
  const toChange = (known: ServerConfig) => known.name === name && known.enabled !== enabled;
  if (host.store.get('servers').some(toChange))
    changeSetting(host.store, 'servers', (own) =>
      own.map((known) => (toChange(known) ? { ...known, enabled } : known)),
    );
  await control.reconfigure();
  if (enabled) start(servers, name);
}

/** The server's view for UIs, without details if the configuration hides them. */
export function shownServer(services: CommandServices, config: ServerConfig): ServerView {
  const view = serverView(config, { ...services, ...services.stores });
  const tags = tagsOf(services.host.store.get('serverTags'), config.name);
  const shown = services.configStore.state.config.statusDetail ? view : withoutDetail(view);
  return tags.length > 0 ? { ...shown, tags: [...tags] } : shown;
}

export function serverCommands(services: CommandServices) {
  const removed = createRemovedServers(services);
  const { host, servers, missingSecrets, applier } = services;
  const { vault } = services.stores;
  const own = () => host.store.get('servers');
  const shown = (config: ServerConfig) => shownServer(services, config);

  function requireRemote(server: string): void {
    if (servers.config(server).connection.type !== 'stdio') return;
    throw fail('INPUT_INVALID', `"${server}" is a local server, so it has no sign-in.`, { server });
  }

  /** Returns the edited server, with stored secrets in place of its placeholders. */
  async function asStored({ server, basedOn = server.name }: { server: ServerConfig; basedOn?: string }) {
    const stored = own().find((known) => known.name === basedOn);
    if (stored) return { ...server, connection: restoreSecrets(server.connection, stored.connection) };
    return confineNew(server, services);
  }

  async function discoverOne(server: string, timeoutMs = maxTimerMs): Promise<DiscoveryResult> {
    const startedAt = performance.now();
    const tooLate = () =>
      fail('SERVER_TIMEOUT', `Discovery of "${server}" took longer than ${timeoutMs} ms.`, { server });
    const failure = await withDeadline(timeoutMs, undefined, tooLate, () => servers.refresh(server)).then(
      () => undefined,
      toFailure,
    );
    const toolCount = services.knownTools.counts(server).all;
    return { server, success: !failure, toolCount, durationMs: performance.now() - startedAt, failure };
  }

  return {
    'servers.list': () => servers.configs().map(shown),
    'servers.config': ({ server }) => {
      servers.config(server);
      const config = own().find((known) => known.name === server);
      if (!config) throw readOnly(services, server, 'Edit it there.');
      const { previous: _, ...shownConfig } = config;
      return { ...shownConfig, connection: hideSecrets(config.connection) };
    },
    'servers.icon': ({ server, icon: id }) => {
      const icon = services.stores.catalog.entry(server)?.discovered.icon;
      return { src: icon?.id === id ? icon.src : undefined };
    },
    'servers.copies': async ({ server }) => {
      const config = servers.config(server);
      const files = (config.origins ?? []).map(async ({ source, file }) => {
        if (file === undefined) return [];
        const found = await serversTakenOver(host, { type: source, path: file }, [config]);
        return found.length > 0 ? [file] : [];
      });
      return { files: (await Promise.all(files)).flat() };
    },
    'servers.save': async (edited) => {
      const given = await asStored(edited);
      // If the vault is not persistent, ask for an OAuth client's secret again instead of saving it as plain text.
      const oauth = given.connection.type === 'stdio' ? undefined : given.connection.oauth;
      const { server } = await moveToVault(given, vault, vault.persistent ? undefined : plainClientSecret(oauth));
      if (!servers.configs().some(({ name }) => name === server.name)) endNamesakes(services, [server.name]);
      const previous = own().find((known) => known.name === server.name)?.previous;
      setServer(host, { ...server, previous });
      await applier.reconfigure();
      start(servers, server.name);
    },
    'servers.test': async (edited) => servers.try(await asStored(edited)),
    'servers.rename': async ({ server, name }) => {
      servers.config(server);
      if (!own().some((known) => known.name === server)) throw readOnly(services, server, 'Rename it there.');
      if (servers.configs().some((known) => known.name === name))
        throw fail('INPUT_INVALID', `There is already a server "${name}".`, {
          server: name,
          hint: 'Choose another name.',
        });
      await servers.signOut(server);
      endNamesakes(services, [name]);
      renameServer(host.store, server, name);
      services.stores.pins.giveBack(services.stores.pins.take(server), name);
      services.events.emit('server.forgotten', { server });
      await renameKept(server, name, host);
      await applier.reconfigure();
      start(servers, name);
    },
    'servers.remove': async ({ server }) => {
      servers.config(server);
      const config = own().find((known) => known.name === server);
      if (!config) throw readOnly(services, server, 'Remove it there, or disable it here.');
      await removed.remove(config);
    },
    'servers.removed': () =>
      removed.list().map(({ config, removedAt }) => ({
        server: config.name,
        target: describeConnection(config.connection),
        removedAt,
      })),
    'servers.forget': ({ server }) => removed.forget(server),
    'servers.restore': async ({ server }) => {
      await removed.restore(server);
      if (servers.config(server).enabled) start(servers, server);
    },
    'servers.setEnabled': ({ server, enabled }) =>
      setServerEnabled({ ...services, reconfigure: applier.reconfigure }, server, enabled),
    'servers.restart': async ({ server }) => {
      // A failed restart does not throw; the returned view shows it.
      if (servers.state(server).status === 'failed') {
        missingSecrets.forget(servers.config(server));
        await servers.promptMissingSecrets(server, {})?.catch(() => undefined);
      }
      services.events.emit('server.reset', { server });
      await servers.restart(server).catch(() => servers.config(server));
      return shown(servers.config(server));
    },
    'servers.discover': async ({ server, timeoutMs }) => {
      const all = servers.configs().flatMap(({ name, enabled }) => (enabled ? name : []));
      const names = server === undefined ? all : [servers.config(server).name];
      return { results: await Promise.all(names.map((name) => discoverOne(name, timeoutMs))) };
    },
    'servers.tag': ({ servers: names, ...change }) => {
      for (const name of names) servers.config(name);
      changeSetting(host.store, 'serverTags', (all) => changeTags(all, { servers: names, ...change }));
      for (const name of names) services.events.serverChanged(name);
    },
    'servers.stop': ({ server }) => servers.stop(server),
    'servers.signIn': async ({ server }) => {
      requireRemote(server);
      await servers.signIn(server);
      return shown(servers.config(server));
    },
    'servers.cancelSignIn': ({ server }) => servers.cancelSignIn(server),
    'servers.signOut': async ({ server }) => {
      requireRemote(server);
      await servers.signOut(server);
    },
    'servers.log': ({ server, after }) => services.serverLogs.read(servers.config(server).name, after),
  } satisfies Partial<CommandHandlers>;
}
