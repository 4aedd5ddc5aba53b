/** Commands for profiles and for setup files. */
import { fail } from '../../../shared/failure.ts';
import { setupSchema } from '../../../shared/model/setup-file.ts';
import type { CommandHandlers } from '../../../shared/protocol/contract.ts';
import { unknownServers } from '../config/profiles.ts';
import { applySetup, exportSetup, planSetup, type SetupContext } from '../config/setup-file.ts';
import type { Events } from '../events.ts';
import { configuredServers } from '../servers/configured-servers.ts';
import { confineNew } from '../servers/new-servers.ts';
import { endNamesakes } from './end-decisions.ts';
import type { CommandServices } from './services.ts';

export function profileCommands(services: CommandServices) {
  const { host, configStore, servers, knownTools, profiles, scopes } = services;
  const { vault } = services.stores;
  async function setupContext(): Promise<SetupContext> {
    const current = configStore.state.config;
    return {
      host,
      vault,
      servers: await configuredServers(host, current),
      configRules: current.toolRules,
      profiles: profiles.list().map(({ profile }) => profile),
      confine: (server) => confineNew(server, services),
    };
  }
  return {
    'profiles.list': () => {
      const tools = knownTools.usable();
      const known = new Set(servers.configs().map(({ name }) => name));
      return profiles.list().map(({ profile, origin }) => ({
        ...profile,
        origin,
        tools: tools.filter(({ tool }) => scopes.hasTool({ profile: profile.name }, tool)).length,
        unknown: unknownServers(profile, known),
      }));
    },
    'profiles.save': ({ profile }) => {
      profiles.save(profile);
      profilesChanged(services.events);
    },
    'profiles.remove': ({ name }) => {
      profiles.remove(name);
      profilesChanged(services.events);
    },
    'setup.export': async () => exportSetup(await setupContext()),
    'setup.import': async ({ setup: given, replace, dryRun, accept }) => {
      const checked = setupSchema.safeParse(given);
      if (!checked.success) {
        const [issue] = checked.error.issues;
        throw fail('INPUT_INVALID', 'This is not a Toolkeep setup file.', {
          ...(issue && { path: issue.path.join('.'), hint: `At "${issue.path.join('.')}": ${issue.message}.` }),
        });
      }
      const own = await setupContext();
      const report = await planSetup(checked.data, own, replace);
      if (dryRun) return report;
      endNamesakes(services, await applySetup(checked.data, own, replace, accept));
      const { added, changed } = await services.applier.reconfigure();
      profilesChanged(services.events);
      for (const name of [...added, ...changed]) servers.refresh(name).catch(() => undefined);
      return report;
    },
  } satisfies Partial<CommandHandlers>;
}

/** Notifies clients, because those with a profile may now see different tools, prompts and resources. */
function profilesChanged(events: Events): void {
  events.emit('core.changed', {});
  events.allListsChanged();
}
