/** Stores a server that was planned and installed, and starts it. */
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { Planned } from '../registry/plan.ts';
import { vaultName } from '../registry/template.ts';
import type { CommandServices } from './services.ts';

/** The planned connection must be there. */
export async function storeInstalled(services: CommandServices, { plan, derived, origin }: Planned): Promise<void> {
  const { host, servers } = services;
  const { server } = plan;
  if (!derived.connection) throw new Error(`The plan of ${server} is not complete.`);
  // The secrets come first: a connection without them would ask for them.
  for (const [field, value] of derived.secrets) await services.stores.vault.set(vaultName(server, field), value);
  const own = host.store.get('servers');
  const old = own.find(({ name }) => name === server);
  const description = plan.card.description.slice(0, 500);
  const { connection } = derived;
  const config: ServerConfig = { enabled: true, ...old, name: server, description, connection, registry: origin };
  host.store.set('servers', [...own.filter(({ name }) => name !== server), config]);
  await services.applier.reconfigure();
  servers.refresh(server).catch(() => undefined);
  services.events.emit('registry.changed', {});
}
