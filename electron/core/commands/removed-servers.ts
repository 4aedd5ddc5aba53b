/** Removes the user's servers, and keeps them for 30 days, so that the user can restore them. */
import { fail } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { giveBackDecisions } from '../policy/server-decisions.ts';
import { setServer, storedServer } from '../registry/journal.ts';
import { usedSecrets } from '../registry/template.ts';
import { deleteRemovedFolders, restoreKept, setKeptAside } from '../servers/kept-folders.ts';
import { changeSetting, type RemovedServer } from '../settings.ts';
import { endDecisions } from './end-decisions.ts';
import { giveBack, removeSecrets, type SealedSecrets } from './remove-secrets.ts';
import type { CommandServices } from './services.ts';
import { storeAlone } from './store-installed.ts';

export type RemovedServers = ReturnType<typeof createRemovedServers>;

const maxKept = 100;

export function createRemovedServers(services: CommandServices) {
  const { host, servers, applier, stores, events } = services;
  const { vault } = stores;
  const own = () => host.store.get('servers');
  const list = () => host.store.get('removedServers');
  /** The sealed secrets of this run, which are not on disk if the vault is not persistent. */
  const sealed = new Map<string, SealedSecrets>();

  const without = (server: string) => list().filter(({ config }) => config.name !== server);
  const keep = (entry: RemovedServer) =>
    host.store.set('removedServers', [entry, ...without(entry.config.name)].slice(0, maxKept));

  function drop(server: string): void {
    sealed.delete(server);
    host.store.set('removedServers', without(server));
  }

  const secretsOf = ({ config, secrets }: RemovedServer): SealedSecrets =>
    sealed.get(config.name) ?? new Map(Object.entries(secrets));

  async function putBack(entry: RemovedServer): Promise<void> {
    const { config, decisions } = entry;
    await giveBack(vault, secretsOf(entry));
    giveBackDecisions(host.store, decisions.settings);
    stores.pins.giveBack(decisions.pins);
    await restoreKept(config.name, host);
    setServer(host, config);
    await applier.reconfigure();
    drop(config.name);
  }

  function requireFree(entry: RemovedServer): void {
    const { name } = entry.config;
    // A server of this name in a config file does not conflict: the removed server had replaced that one, too.
    if (storedServer(host, name))
      throw fail('INPUT_INVALID', `There is now another server "${name}".`, {
        server: name,
        hint: 'Rename or remove it, then undo the removal again.',
      });
    const secrets = secretsOf(entry);
    for (const other of [...servers.configs(), ...own()]) {
      const used = usedSecrets(other).find((secret) => secrets.has(secret));
      if (used)
        throw fail('INPUT_INVALID', `The server "${other.name}" now uses the secret ${used}.`, {
          server: name,
          hint: `Remove "${other.name}", then undo the removal again.`,
        });
    }
  }

  /** Rejects with INPUT_INVALID while the server is already being stored or removed. */
  const alone = (server: string, work: (found: RemovedServer) => Promise<void>) =>
    storeAlone(services, server, () => work(find(server)), 'INPUT_INVALID');

  function find(server: string): RemovedServer {
    const found = list().find(({ config }) => config.name === server);
    if (found) return found;
    throw fail('SERVER_NOT_FOUND', `No server named "${server}" was removed.`, { server });
  }

  async function remove(config: ServerConfig): Promise<void> {
    const { name } = config;
    // Sign out, because no other server uses this server's tokens.
    await servers.signOut(name);
    const entry: RemovedServer = {
      config,
      decisions: endDecisions(services, name),
      secrets: {},
      removedAt: Date.now(),
    };
    sealed.delete(name);
    keep(entry);
    try {
      changeSetting(host.store, 'servers', (all) => all.filter((known) => known.name !== name));
      await applier.reconfigure();
      const secrets = await removeSecrets(vault, config, [...servers.configs(), ...own()]);
      sealed.set(name, secrets);
      if (vault.persistent) keep({ ...entry, secrets: Object.fromEntries(secrets) });
      await setKeptAside(name, host);
    } catch (error) {
      await putBack(entry).catch(() => undefined);
      throw error;
    }
  }

  return {
    /** The servers that can be restored, newest first. */
    list,
    remove: (config: ServerConfig): Promise<void> =>
      storeAlone(services, config.name, () => remove(config), 'INPUT_INVALID'),
    /**
     * Restores a server with what the user decided about it and with its secrets. Rejects with INPUT_INVALID if another of the user's servers has its name now,
     * or any server uses one of its secrets.
     */
    restore: (server: string): Promise<void> =>
      alone(server, async (found) => {
        requireFree(found);
        await putBack(found);
      }),
    /** Deletes a removed server permanently. */
    forget: (server: string): Promise<void> =>
      alone(server, async () => {
        drop(server);
        await deleteRemovedFolders(host);
        stores.bundleFolders.clean();
        events.serverChanged(server);
      }),
  };
}
