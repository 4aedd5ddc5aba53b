/** Reverts a server to the version that its last update replaced. */
import { fail } from '../../../shared/failure.ts';
import { requireFolder } from '../registry/bundle-folders.ts';
import { storedServer, storeServer } from '../registry/journal.ts';
import { replacedName } from '../registry/template.ts';
import type { CommandServices } from './services.ts';
import { storeAlone } from './store-installed.ts';

export function revertUpdate(services: CommandServices, server: string): Promise<{ version: string }> {
  return storeAlone(services, server, () => revert(services, server));
}

async function revert(services: CommandServices, server: string): Promise<{ version: string }> {
  const { host, servers, stores, applier, events } = services;
  const { vault } = stores;
  const own = storedServer(host, server);
  const { previous, ...config } = own ?? servers.config(server);
  if (!previous) throw fail('INPUT_INVALID', `"${server}" has no earlier version to revert to.`, { server });
  // Otherwise the working version would be lost.
  await requireFolder(previous);
  const { accepted, secrets: replaced = [], description, connection, registry } = previous;
  const kept = await vault.reveal(replaced.map(replacedName));
  const secrets = replaced.flatMap((name): [string, string][] => {
    const value = kept.get(replacedName(name));
    return value === undefined ? [] : [[name, value]];
  });
  await storeServer(host, vault, { ...config, description, connection, registry }, new Map(secrets), own);
  for (const name of replaced) await vault.remove(replacedName(name));
  stores.pins.restore(server, accepted);
  await applier.reconfigure();
  servers.refresh(server).catch(() => undefined);
  events.emit('registry.changed', {});
  return { version: registry.version };
}
