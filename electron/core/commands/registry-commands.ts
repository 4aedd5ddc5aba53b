/** Commands that find servers in registries and install them. */

import { fail } from '../../../shared/failure.ts';
import type { RegistryCard } from '../../../shared/model/registry.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { createSlices } from '../async/slices.ts';
import { requireFolder } from '../registry/bundle-folders.ts';
import { storedServer, storeServer } from '../registry/journal.ts';
import { cardOf } from '../registry/plan.ts';
import { replacedName } from '../registry/template.ts';
import { type EntryChoice, planEntry, sourceOf } from './plan-entry.ts';
import type { CommandServices } from './services.ts';
import { requireSeen, storeAlone, storeInstalled } from './store-installed.ts';

export function registryCommands(services: CommandServices) {
  const { host, registries, stores } = services;
  const sources = () => services.config().registries;
  const sourceNamed = (name: string) => sourceOf(services, name);
  const plan = (input: EntryChoice) => planEntry(services, input);

  return {
    'registry.list': () => registries.list(),
    'registry.sync': ({ registry }) => registries.sync(registry),
    'registry.search': async ({ query, limit }) => {
      const found = await registries.search(query, limit);
      const own = host.store.get('servers');
      const cards: RegistryCard[] = [];
      const slice = createSlices();
      for (const { registry, entry } of found) {
        cards.push(cardOf(sourceNamed(registry), entry, own));
        await slice();
      }
      const total = (await registries.list()).reduce((sum, { entries }) => sum + entries, 0);
      return { cards, total };
    },
    'registry.show': async ({ registry, name, version }) => {
      const entry = await registries.entry(registry, name, version);
      return cardOf(sourceNamed(registry), entry, host.store.get('servers'));
    },
    'registry.plan': async (input) => (await plan(input)).plan,
    'registry.install': async ({ hash, ...input }) => {
      const planned = await plan({ ...input, check: true });
      requireSeen(planned, hash);
      await storeInstalled(services, planned);
      return { server: planned.plan.server };
    },
    'registry.revert': async ({ server }) => {
      const reverted = await revertUpdate(services, server);
      stores.bundleFolders.clean();
      return reverted;
    },
    'registry.installed': () =>
      Promise.all(
        host.store.get('servers').flatMap(({ name: server, registry: origin, previous }) => {
          if (!origin) return [];
          const source = sources().find(({ url }) => url === origin.registry);
          const known = source ? registries.entry(source.name, origin.name).catch(() => undefined) : undefined;
          return Promise.resolve(known).then((entry) => ({
            server,
            origin,
            ...(source && { registry: source.name }),
            ...(previous && { previous: previous.registry.version }),
            ...(entry && entry.status !== 'deleted' && { latest: entry.version }),
            ...(entry?.status === 'deleted' && { withdrawn: entry.statusMessage ?? 'No reason is given.' }),
          }));
        }),
      ),
  } satisfies Partial<CommandHandlers>;
}

function revertUpdate(services: CommandServices, server: string): Promise<{ version: string }> {
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
