/** Stores a server that was planned and installed, and starts it. */
import { join } from 'node:path';
import { fail } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { storeServer } from '../registry/journal.ts';
import type { Planned } from '../registry/plan.ts';
import { vaultName } from '../registry/template.ts';
import { secretNames } from '../secrets/resolve.ts';
import type { CommandServices } from './services.ts';

/** The servers that are being stored, each with the data folder of its Core. */
const storing = new Set<string>();

/** Throws INSTALL_REFUSED unless the user saw exactly this plan, and it can be installed. */
export function requireSeen({ plan }: Planned, hash: string): void {
  if (plan.refused) throw fail('INSTALL_REFUSED', plan.refused);
  if (plan.hash !== hash)
    throw fail('INSTALL_REFUSED', 'Something has changed since the plan was shown. Look at it again.');
}

/** The planned connection must be there. Rejects with INSTALL_REFUSED if another server came to have its name or secrets. */
export async function storeInstalled(services: CommandServices, planned: Planned): Promise<void> {
  const { server, replaces } = planned.plan;
  const key = join(services.host.dataDir, server);
  if (storing.has(key) || (replaces === undefined && services.servers.configs().some(({ name }) => name === server)))
    throw fail('INSTALL_REFUSED', `There is now another server "${server}".`, { server });
  storing.add(key);
  try {
    await store(services, planned);
  } finally {
    storing.delete(key);
  }
}

async function store(services: CommandServices, { plan, derived, origin }: Planned): Promise<void> {
  const { host, servers } = services;
  const { server } = plan;
  if (!derived.connection) throw new Error(`The plan of ${server} is not complete.`);
  const secrets = new Map(Array.from(derived.secrets, ([field, value]) => [vaultName(server, field), value]));
  // A server that was renamed keeps the names of its secrets.
  for (const other of servers.configs().filter(({ name }) => name !== server)) {
    const names = secretNames(other.connection, other.name);
    const used = names.find((name) => secrets.has(name));
    if (used) throw fail('INSTALL_REFUSED', `The server "${other.name}" uses the secret ${used}.`, { server });
  }
  const old = host.store.get('servers').find(({ name }) => name === server);
  const description = plan.card.description.slice(0, 500);
  const { connection } = derived;
  const previous = plan.replaces === undefined ? undefined : previousVersion(services, old);
  const config: ServerConfig = {
    enabled: true,
    ...old,
    name: server,
    description,
    connection,
    registry: origin,
    previous,
  };
  await storeServer(host, services.stores.vault, config, secrets);
  await services.applier.reconfigure();
  servers.refresh(server).catch(() => undefined);
  services.events.emit('registry.changed', {});
}

/** The version to go back to. */
function previousVersion({ stores }: CommandServices, old: ServerConfig | undefined): ServerConfig['previous'] {
  if (!old?.registry) return undefined;
  const { name, description, connection, registry } = old;
  const accepted = stores.catalog.toolsOf(name).filter((tool) => stores.pins.heldReason(tool) === undefined);
  return {
    ...{ description, connection, registry },
    accepted: Object.fromEntries(accepted.map((tool) => [tool.name, tool.fingerprint])),
  };
}
