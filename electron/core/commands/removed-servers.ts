/** Removes the user's servers, and keeps them until Core exits, so that the user can restore them. */
import { fail } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { setServer, storedServer } from '../registry/journal.ts';
import { usedSecrets } from '../registry/template.ts';
import { giveBack, removeSecrets, type SealedSecrets } from './remove-secrets.ts';
import { changeTags, tagsOf } from './server-tags.ts';
import type { CommandServices } from './services.ts';
import { storeAlone } from './store-installed.ts';

export interface RemovedServers {
  configs(): ServerConfig[];
  remove(config: ServerConfig): Promise<void>;
  /**
   * Restores a server with its tags and secrets. Rejects with INPUT_INVALID if another of the user's servers has its name now,
   * or any server uses one of its secrets.
   */
  restore(server: string): Promise<void>;
}

interface Removed {
  readonly config: ServerConfig;
  readonly tags: readonly string[];
  secrets: SealedSecrets;
}

export function createRemovedServers(services: CommandServices): RemovedServers {
  const { host, servers, applier } = services;
  const { vault } = services.stores;
  const own = () => host.store.get('servers');
  const removed = new Map<string, Removed>();

  function tag(server: string, { add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] }) {
    host.store.set('serverTags', changeTags(host.store.get('serverTags'), { servers: [server], add, remove }));
  }

  async function putBack({ config, tags, secrets }: Removed): Promise<void> {
    await giveBack(vault, secrets);
    tag(config.name, { add: tags });
    setServer(host, config);
    await applier.reconfigure();
    removed.delete(config.name);
  }

  function requireFree({ config: { name }, secrets }: Removed): void {
    // A server of this name in a config file does not conflict: the removed server had replaced that one, too.
    if (storedServer(host, name))
      throw fail('INPUT_INVALID', `There is now another server "${name}".`, {
        server: name,
        hint: 'Rename or remove it, then undo the removal again.',
      });
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
  const alone = (server: string, work: () => Promise<void>) => storeAlone(services, server, work, 'INPUT_INVALID');

  return {
    configs: () => [...removed.values()].map(({ config }) => config),
    remove: (config) =>
      alone(config.name, async () => {
        const { name } = config;
        // Sign out, because no other server uses this server's tokens.
        await servers.signOut(name);
        const tags = tagsOf(host.store.get('serverTags'), name);
        const entry: Removed = { config, tags, secrets: new Map() };
        removed.set(name, entry);
        try {
          host.store.set(
            'servers',
            own().filter((known) => known.name !== name),
          );
          await applier.reconfigure();
          tag(name, { remove: tags });
          entry.secrets = await removeSecrets(vault, config, [...servers.configs(), ...own()]);
        } catch (error) {
          await putBack(entry).catch(() => undefined);
          throw error;
        }
      }),
    restore: (server) =>
      alone(server, async () => {
        const found = removed.get(server);
        if (!found) throw fail('SERVER_NOT_FOUND', `No server named "${server}" was removed.`, { server });
        requireFree(found);
        await putBack(found);
      }),
  };
}
