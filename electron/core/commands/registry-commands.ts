/** Commands that find servers in registries and install them. */
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { cardOf } from '../registry/plan.ts';
import { type EntryChoice, planEntry, sourceOf } from './plan-entry.ts';
import { createRehearsals } from './rehearsals.ts';
import type { RemovedServers } from './removed-servers.ts';
import { revertUpdate } from './revert-update.ts';
import type { CommandServices } from './services.ts';
import { requireSeen, storeInstalled } from './store-installed.ts';

type Handlers = Pick<
  CommandHandlers,
  | 'registry.list'
  | 'registry.sync'
  | 'registry.search'
  | 'registry.show'
  | 'registry.plan'
  | 'registry.install'
  | 'registry.rehearse'
  | 'registry.revert'
  | 'registry.installed'
>;

export function registryCommands(services: CommandServices, removed: RemovedServers): Handlers {
  const { host, registries, stores } = services;
  const sources = () => services.config().registries;
  const sourceNamed = (name: string) => sourceOf(services, name);
  const plan = (input: EntryChoice) => planEntry(services, input);
  const rehearsals = createRehearsals(services);

  return {
    'registry.list': () => registries.list(),
    'registry.sync': ({ registry }) => registries.sync(registry),
    'registry.search': async ({ query, limit }) => {
      const found = await registries.search(query, limit);
      const own = host.store.get('servers');
      const cards = found.map(({ registry, entry }) => cardOf(sourceNamed(registry), entry, own));
      const total = (await registries.list()).reduce((sum, { entries }) => sum + entries, 0);
      return { cards, total };
    },
    'registry.show': async ({ registry, name, version }) => {
      const entry = await registries.entry(registry, name, version);
      return cardOf(sourceNamed(registry), entry, host.store.get('servers'));
    },
    'registry.plan': async (input) => (await plan(input)).plan,
    'registry.install': async ({ hash, accept = false, ...input }) => {
      const planned = await plan({ ...input, check: true });
      requireSeen(planned, hash);
      await storeInstalled(services, planned);
      rehearsals.installed(planned, accept);
      return { server: planned.plan.server };
    },
    'registry.rehearse': async ({ hash, ...input }) => {
      const planned = await plan({ ...input, check: true });
      requireSeen(planned, hash);
      return rehearsals.run(planned, (inputs) =>
        plan({ ...input, inputs: { ...input.inputs, ...inputs }, check: false }),
      );
    },
    'registry.revert': async ({ server }) => {
      const reverted = await revertUpdate(services, server);
      stores.bundleFolders.clean(removed.configs);
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
  };
}
