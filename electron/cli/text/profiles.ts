/** Profiles and setups for people. */
import type { ProfileView, SetupReport } from '../../../shared/model.ts';
import { count, type Style, safe } from '../terminal.ts';

export function profilesText(profiles: ProfileView[], style: Style): string {
  if (profiles.length === 0)
    return 'No profiles: every client sees everything. Make one with `gatehouse profiles save`.';
  return profiles
    .map(({ name, description, servers, tags, mode, origin, tools, unknown }) => {
      const facts = [
        servers.length > 0 ? servers.join(', ') : 'all servers',
        ...(tags.length > 0 ? [`tagged ${tags.join(' or ')}`] : []),
        ...(mode ? [`mode ${mode}`] : []),
        count(tools, 'tool'),
        ...(origin === 'config' ? ['from the config file'] : []),
      ];
      const lines = [`${style.bold(safe(name))}: ${safe(facts.join('; '))}`];
      if (description) lines.push(`  ${style.dim(safe(description))}`);
      if (unknown.length > 0)
        lines.push(
          `  ${style.warn('!')} There is no server ${safe(unknown.map((one) => `"${one}"`).join(', '))} here.`,
        );
      return lines.join('\n');
    })
    .join('\n');
}

export function setupText(report: SetupReport, replace: boolean, style: Style): string {
  const words = {
    new: style.good('+ new'),
    same: style.dim('· there already'),
    other: replace
      ? style.warn('! replaces the one here')
      : style.warn('· another one has this name; kept (see --replace)'),
  };
  const servers = report.servers.map(
    ({ name, state, target }) => `${words[state]} ${style.bold(safe(name))} ${style.dim(safe(target))}`,
  );
  const profiles = report.profiles.map(({ name, state }) => `${words[state]} ${style.bold(safe(name))}`);
  const missing = report.missing.map(({ server, secrets }) => `  ${safe(server)}: ${safe(secrets.join(', '))}`);
  return [
    `Servers (${servers.length})${servers.length > 0 ? `:\n${servers.join('\n')}` : ''}`,
    `New rules: ${report.rules}`,
    `Profiles (${profiles.length})${profiles.length > 0 ? `:\n${profiles.join('\n')}` : ''}`,
    ...(missing.length > 0
      ? [`To be entered here; you are asked when they are first needed:\n${missing.join('\n')}`]
      : []),
  ].join('\n\n');
}
