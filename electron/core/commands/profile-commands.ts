/** Commands on profiles, and on the whole setup as one file. */
import type { CommandHandlers } from '../../../shared/contract.ts';
import { fail } from '../../../shared/failure.ts';
import { setupSchema } from '../../../shared/model.ts';
import { effectiveServers } from '../effective-servers.ts';
import { applySetup, exportSetup, planSetup, type SetupParts } from '../profiles/profiles.ts';
import type { Parts } from './parts.ts';

type Handlers = Pick<
  CommandHandlers,
  'profiles.list' | 'profiles.save' | 'profiles.remove' | 'setup.export' | 'setup.import'
>;

export function profileCommands(parts: Parts): Handlers {
  const { host, config, servers, toolbox, profiles, vault } = parts;
  async function setupParts(): Promise<SetupParts> {
    const current = config.state.config;
    return {
      ...{ host, vault, servers: await effectiveServers(host, current), configRules: current.toolRules },
      profiles: profiles.list().map(({ profile }) => profile),
    };
  }
  return {
    'profiles.list': () => {
      const tools = toolbox.usable();
      const known = new Set(servers.configs().map(({ name }) => name));
      return profiles.list().map(({ profile, origin }) => ({
        ...profile,
        origin,
        tools: tools.filter(({ tool: { server }, tags }) => isIn(profile, { server, tags })).length,
        unknown: profile.servers.filter((name) => !known.has(name)),
      }));
    },
    'profiles.save': ({ profile }) => {
      profiles.save(profile);
      parts.profilesChanged();
    },
    'profiles.remove': ({ name }) => {
      profiles.remove(name);
      parts.profilesChanged();
    },
    'setup.export': async () => exportSetup(await setupParts()),
    'setup.import': async ({ setup: given, replace, dryRun }) => {
      const checked = setupSchema.safeParse(given);
      if (!checked.success) {
        const [issue] = checked.error.issues;
        throw fail('INPUT_INVALID', 'This is not a setup of Gatehouse.', {
          ...(issue && { path: issue.path.join('.'), hint: `At "${issue.path.join('.')}": ${issue.message}.` }),
        });
      }
      const own = await setupParts();
      const report = await planSetup(checked.data, own, replace);
      if (dryRun) return report;
      applySetup(checked.data, own, replace);
      const { added, changed } = await parts.reconfigure();
      parts.profilesChanged();
      for (const name of [...added, ...changed]) servers.refresh(name).catch(() => undefined);
      return report;
    },
  };
}

function isIn(profile: { servers: string[]; tags: string[] }, tool: { server: string; tags: string[] }): boolean {
  const { servers, tags } = profile;
  return (
    (servers.length === 0 || servers.includes(tool.server)) &&
    (tags.length === 0 || tool.tags.some((tag) => tags.includes(tag)))
  );
}
