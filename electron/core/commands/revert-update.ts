/** Goes back to the version of a server that its last update replaced. */
import { fail } from '../../../shared/failure.ts';
import type { CommandServices } from './services.ts';

export async function revertUpdate(services: CommandServices, server: string): Promise<{ version: string }> {
  const { host, servers, stores, applier, events } = services;
  const own = host.store.get('servers');
  const { previous, ...config } = own.find(({ name }) => name === server) ?? servers.config(server);
  if (!previous) throw fail('INPUT_INVALID', `"${server}" has no earlier version to go back to.`, { server });
  const { accepted, description, connection, registry } = previous;
  const former = { ...config, description, connection, registry };
  host.store.set(
    'servers',
    own.map((known) => (known.name === server ? former : known)),
  );
  stores.pins.restore(server, accepted);
  await applier.reconfigure();
  servers.refresh(server).catch(() => undefined);
  events.emit('registry.changed', {});
  return { version: registry.version };
}
