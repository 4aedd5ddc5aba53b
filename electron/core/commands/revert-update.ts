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
  const secrets = new Map<string, string | undefined>();
  for (const name of replaced) {
    const value = kept.get(replacedName(name));
    if (value !== undefined) secrets.set(name, value);
    secrets.set(replacedName(name), undefined);
  }
  await storeServer(host, vault, { ...config, description, connection, registry }, secrets, own);
  stores.pins.restore(server, accepted);
  await applier.reconfigure();
  servers.refresh(server).catch(() => undefined);
  events.emit('registry.changed', {});
  return { version: registry.version };
}
