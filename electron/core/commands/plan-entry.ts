/** Plans the installation or update that a UI asked for. */
import { fail } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { storedServer } from '../registry/journal.ts';
import { lookAlike } from '../registry/look-alikes.ts';
import { type ConfinementOf, type Planned, planInstall } from '../registry/plan.ts';
import type { RegistrySource } from '../registry/registry.ts';
import { whyNewUnconfined } from '../servers/new-servers.ts';
import type { CommandServices } from './services.ts';
import { takenNames } from './taken-names.ts';

export type EntryChoice = Parameters<CommandHandlers['registry.plan']>[0];

export function sourceOf(services: CommandServices, name: string): RegistrySource {
  const { registries } = services.config();
  return registries.find((source) => source.name === name || source.url === name) ?? { name, url: '' };
}

export async function planEntry(services: CommandServices, choice: EntryChoice): Promise<Planned> {
  const { registry, name, version, option, inputs, replace, check } = choice;
  const { host, registries, servers, stores } = services;
  const entry = await registries.entry(registry, name, version);
  const catalog = await registries.catalog(registry);
  const old = replace === undefined ? undefined : installed(services, replace, name, registry);
  const planned = await planInstall(
    {
      registry: sourceOf(services, registry),
      entry,
      option: option ?? old?.registry?.option,
      inputs,
      servers: servers.configs(),
      taken: takenNames(services),
      replace: old,
      alike: await lookAlike(name, catalog.names()),
      hasSecret: stores.vault.has,
      confinement: confinementFor(services),
      check,
    },
    host,
  );
  return withVaultWarning(planned, services);
}

/** Adds a warning if the vault cannot keep the secrets that the user entered. */
export function withVaultWarning<T extends Planned>(planned: T, { stores }: CommandServices): T {
  if (planned.derived.secrets.size > 0 && !stores.vault.persistent)
    planned.plan.warnings.push('This computer has no keyring, so Toolkeep keeps secrets only until it quits.');
  return planned;
}

/** Decides for the plan and the installation whether the server runs confined. An update keeps what holds for the server. */
export function confinementFor(services: CommandServices): ConfinementOf {
  return async (connection, old) => {
    if (connection.type !== 'stdio') return undefined;
    if (old?.sandbox) return { isConfined: true };
    const reason = old ? 'it was not confined before' : await whyNewUnconfined(connection, services);
    return reason === undefined ? { isConfined: true } : { isConfined: false, reason };
  };
}

/** The installed server. Throws INPUT_INVALID if it came from another entry or registry, which must not get its secrets. */
function installed(services: CommandServices, name: string, entry: string, registry: string): ServerConfig {
  const config = storedServer(services.host, name);
  const origin = config?.registry;
  if (config && origin?.name === entry && origin.registry === sourceOf(services, registry).url) return config;
  throw fail('INPUT_INVALID', `The server "${name}" was not installed from ${entry} of ${registry}.`, {
    server: name,
  });
}
