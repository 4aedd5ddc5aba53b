/** Stores a server that was planned and installed, and starts it. */
import { join } from 'node:path';
import { type FailureCode, fail } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { storeServer } from '../registry/journal.ts';
import type { Planned } from '../registry/plan.ts';
import { replacedName, usedSecrets, vaultName } from '../registry/template.ts';
import { secretNames } from '../secrets/resolve.ts';
import type { Vault } from '../secrets/vault.ts';
import type { CommandServices } from './services.ts';

/** The servers that are being stored or removed, each with the data folder of its Core. */
const storing = new Set<string>();

/** Throws INSTALL_REFUSED if the user did not see exactly this plan, or if it cannot be installed. */
export function requireSeen({ plan }: Planned, hash: string): void {
  if (plan.refused) throw fail('INSTALL_REFUSED', plan.refused);
  if (plan.hash !== hash) throw fail('INSTALL_REFUSED', 'The plan has changed since it was shown. Review it again.');
}

/** `planned` must have a connection. Rejects with INSTALL_REFUSED if another server now has its name or secrets. */
export async function storeInstalled(services: CommandServices, planned: Planned): Promise<void> {
  const { server, replaces } = planned.plan;
  if (replaces === undefined && services.servers.configs().some(({ name }) => name === server)) throw taken(server);
  await storeAlone(services, server, () => store(services, planned));
}

const taken = (server: string) =>
  fail('INSTALL_REFUSED', `There is now another server "${server}".`, { server, hint: 'Review the plan again.' });

/** Rejects with `code` while the server is already being stored or removed. */
export async function storeAlone<T>(
  { host }: CommandServices,
  server: string,
  store: () => Promise<T>,
  code: FailureCode = 'INSTALL_REFUSED',
): Promise<T> {
  const key = join(host.dataDir, server);
  if (storing.has(key))
    throw fail(code, `Toolkeep is already installing, updating or removing "${server}".`, {
      server,
      hint: 'Try again.',
    });
  storing.add(key);
  try {
    return await store();
  } finally {
    storing.delete(key);
  }
}

async function store(services: CommandServices, { plan, derived, origin, owner, old }: Planned): Promise<void> {
  const { host, servers } = services;
  const { server } = plan;
  if (!derived.connection) throw new Error(`The plan of ${server} is not complete.`);
  const secrets = new Map(Array.from(derived.secrets, ([field, value]) => [vaultName(owner, field), value]));
  const before = new Set(old && secretNames(old.connection, server));
  const added = new Set(secretNames(derived.connection, server).filter((name) => !before.has(name)));
  // A renamed server keeps the names of its secrets, so it may use one of these names.
  for (const other of servers.configs().filter(({ name }) => name !== server)) {
    const used = usedSecrets(other).find((name) => secrets.has(name) || added.has(name));
    if (used)
      throw fail('INSTALL_REFUSED', `The server "${other.name}" uses the secret ${used}.`, {
        server,
        hint: `Remove "${other.name}", then review the plan again.`,
      });
  }
  const description = plan.card.description.slice(0, 500);
  const { connection } = derived;
  const { vault } = services.stores;
  const former = plan.replaces === undefined ? undefined : previousVersion(services, old);
  const previous = former && { ...former, secrets: await keepReplaced(secrets, vault) };
  const config: ServerConfig = {
    enabled: true,
    ...(plan.confinement?.isConfined && { sandbox: 'auto' }),
    ...old,
    name: server,
    description,
    connection,
    registry: origin,
    previous,
  };
  const outdated = old?.previous?.secrets?.filter((name) => !previous?.secrets.includes(name)) ?? [];
  const removed = outdated.map((name): [string, undefined] => [replacedName(name), undefined]);
  await storeServer(host, vault, config, new Map<string, string | undefined>([...secrets, ...removed]), old);
  await services.applier.reconfigure();
  servers.refresh(server).catch(() => undefined);
  services.events.emit('registry.changed', {});
}

/** Adds to `secrets` a copy of each vault value that they replace, for a later revert. Returns the names of these values. */
async function keepReplaced(secrets: Map<string, string>, vault: Vault): Promise<string[]> {
  const replaced = [...(await vault.reveal(secrets.keys()))].filter(([name, value]) => value !== secrets.get(name));
  for (const [name, value] of replaced) secrets.set(replacedName(name), value);
  return replaced.map(([name]) => name);
}

/** The version to revert to; undefined if it did not come from a registry. */
function previousVersion({ stores }: CommandServices, old: ServerConfig | undefined): ServerConfig['previous'] {
  if (!old?.registry) return undefined;
  const { name, description, connection, registry } = old;
  const accepted = stores.catalog.toolsOf(name).filter((tool) => stores.pins.heldReason(tool) === undefined);
  return {
    ...{ description, connection, registry },
    accepted: Object.fromEntries(accepted.map((tool) => [tool.name, tool.fingerprint])),
  };
}
