/** Commands for the configuration. */
import type { ServerConfig, ServerView } from '../../../shared/model/server.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { isConnected, pluginFailures } from '../../../shared/server-facts.ts';
import { readSource } from '../clients/import/import.ts';
import { type Profiles, unknownServers } from '../config/profiles.ts';
import type { Config } from '../config/schema.ts';
import { effectiveSettings } from '../config/user-settings.ts';
import { secretsInArguments } from '../secrets/plain-secrets.ts';
import { renamedServers } from '../servers/configured-servers.ts';
import { ruleWarnings } from '../tools/rule-order.ts';
import { shownServer } from './server-commands.ts';
import type { CommandServices } from './services.ts';

export function configCommands(services: CommandServices) {
  const { host, configStore, plugins, servers, knownTools } = services;
  const { isDiscovered } = services.stores.catalog;
  return {
    'config.show': async () => {
      const { config: current, file, folder } = configStore.state;
      const sources = allSources(current).map(async (source) => {
        const read = await readSource(host, source);
        return { ...source, files: read.files, found: read.found, servers: read.servers.length };
      });
      const tools = knownTools.size();
      const views = servers.configs().map((server) => shownServer(services, server));
      return {
        enabled: current.enabled,
        cache: current.cache,
        file,
        folder,
        settings: effectiveSettings(current, host.store.get('userSettings'), configStore.state.written),
        sources: await Promise.all(sources),
        rules: knownTools.ruleViews(),
        servers: {
          configured: views.length,
          connected: views.filter(isConnected).length,
        },
        tools: { total: tools.all, enabled: tools.enabled },
      };
    },
    'config.validate': async () => {
      const { file, inEffect, problems, warnings } = configStore.state;
      const names = servers.configs().map(({ name }) => name);
      const awaited = servers.configs().flatMap(({ name, enabled }) => (enabled && !isDiscovered(name) ? name : []));
      const known = { servers: names, tools: knownTools.size().all, awaited };
      const notes = ruleWarnings(knownTools.ruleViews(), known);
      const read = await Promise.all(allSources(configStore.state.config).map((source) => readSource(host, source)));
      const all = [...problems, ...plugins.problems, ...read.flatMap((source) => source.problems)];
      return {
        // An untrusted folder's configuration is ignored, so it makes nothing invalid.
        valid: all.every(({ code }) => code === 'CONFIG_UNTRUSTED'),
        ...(file && { file }),
        inEffect,
        problems: all,
        warnings: [
          ...warnings,
          ...notes,
          ...profileWarnings(services.profiles, names),
          ...read.flatMap(missingSource),
          ...(await renamedServers(host, services.config())),
          ...argumentWarnings(servers.configs()),
          ...(await unsetWarnings(services)),
          ...servers.configs().flatMap((server) => pluginWarnings(shownServer(services, server))),
        ],
      };
    },
    'config.reload': async () => {
      const startedAt = performance.now();
      const report = await services.applier.reload();
      return { ...report, durationMs: performance.now() - startedAt };
    },
  } satisfies Partial<CommandHandlers>;
}

function profileWarnings(profiles: Profiles, servers: readonly string[]): string[] {
  const known = new Set(servers);
  return profiles.list().flatMap(({ profile }) => {
    const unknown = unknownServers(profile, known);
    return unknown.map((server) => `Profile "${profile.name}" names the server "${server}", which is not configured.`);
  });
}

function pluginWarnings({ id, warnings }: ServerView): string[] {
  return pluginFailures(warnings).map(({ text }) => `Server "${id}": ${text}`);
}

/** The sources of the user's config file, then those of the trusted folder. */
function allSources({ sources, folder }: Config): (Config['sources'][number] & { origin?: 'folder' })[] {
  return [...sources, ...(folder?.sources ?? []).map((source) => ({ ...source, origin: 'folder' as const }))];
}

function missingSource({ found, problems, files }: Awaited<ReturnType<typeof readSource>>): string[] {
  return found || problems.length > 0 ? [] : [`A source has no file. Looked for: ${files.join(', ')}.`];
}

/** Also for servers that have not started, so that their missing values are known before a client needs them. */
async function unsetWarnings({ servers, missingSecrets }: CommandServices): Promise<string[]> {
  const enabled = servers.configs().filter((server) => server.enabled);
  const unset = await Promise.all(enabled.map((server) => missingSecrets.unset(server)));
  return enabled.flatMap(({ name }, index) => {
    const labels = unset[index] ?? [];
    return labels.length === 0 ? [] : `Server "${name}" needs values that are not set: ${labels.join(', ')}.`;
  });
}

function argumentWarnings(configs: readonly ServerConfig[]): string[] {
  return configs.flatMap(({ name, connection }) => {
    const found = secretsInArguments(connection);
    if (found.length === 0) return [];
    return `Server "${name}" has secrets in its arguments (${found.join(', ')}), which other users of this machine can read in the process list. Pass them in \`env\` if the server supports it.`;
  });
}
