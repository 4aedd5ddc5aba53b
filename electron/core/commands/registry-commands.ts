/** Commands that find servers in registries and install them. */
import { fail } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { lookAlike } from '../registry/look-alikes.ts';
import { cardOf, type Planned, planInstall } from '../registry/plan.ts';
import type { CommandServices } from './services.ts';
import { requireSeen, storeInstalled } from './store-installed.ts';
import { takenNames } from './taken-names.ts';

type Handlers = Pick<
  CommandHandlers,
  | 'registry.list'
  | 'registry.sync'
  | 'registry.search'
  | 'registry.show'
  | 'registry.plan'
  | 'registry.install'
  | 'registry.installed'
>;
type PlanInput = Parameters<Handlers['registry.plan']>[0];

export function registryCommands(services: CommandServices): Handlers {
  const { host, registries, servers } = services;
  const { vault } = services.stores;
  const sources = () => services.config().registries;
  const sourceNamed = (name: string) => sources().find((source) => source.name === name) ?? { name, url: '' };

  /** Throws INPUT_INVALID for another entry, and for that of another registry: it would get the secrets of the server. */
  function installed(name: string, entry: string, registry: string): ServerConfig {
    const config = host.store.get('servers').find((server) => server.name === name);
    const origin = config?.registry;
    if (config && origin?.name === entry && origin.registry === sourceNamed(registry).url) return config;
    throw fail('INPUT_INVALID', `The server "${name}" was not installed from ${entry} of ${registry}.`, {
      server: name,
    });
  }

  async function plan({ registry, name, version, option, inputs, replace, check }: PlanInput): Promise<Planned> {
    const entry = await registries.entry(registry, name, version);
    const catalog = await registries.catalog(registry);
    const old = replace === undefined ? undefined : installed(replace, name, registry);
    const planned = await planInstall(
      {
        registry: sourceNamed(registry),
        entry,
        option: option ?? old?.registry?.option,
        inputs,
        servers: servers.configs(),
        taken: takenNames(services),
        replace: old,
        alike: await lookAlike(name, catalog.names()),
        hasSecret: vault.has,
        check,
      },
      host,
    );
    if (planned.derived.secrets.size > 0 && !vault.persistent)
      planned.plan.warnings.push('This computer has no keyring, so Gatehouse keeps secrets only until it ends.');
    return planned;
  }

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
    'registry.install': async ({ hash, ...input }) => {
      const planned = await plan({ ...input, check: true });
      requireSeen(planned, hash);
      await storeInstalled(services, planned);
      return { server: planned.plan.server };
    },
    'registry.installed': () =>
      Promise.all(
        host.store.get('servers').flatMap(({ name: server, registry: origin }) => {
          if (!origin) return [];
          const source = sources().find(({ url }) => url === origin.registry);
          const known = source ? registries.entry(source.name, origin.name).catch(() => undefined) : undefined;
          return Promise.resolve(known).then((entry) => ({
            server,
            origin,
            ...(source && { registry: source.name }),
            ...(entry && entry.status !== 'deleted' && { latest: entry.version }),
            ...(entry?.status === 'deleted' && { withdrawn: entry.statusMessage ?? 'No reason is given.' }),
          }));
        }),
      ),
  };
}
