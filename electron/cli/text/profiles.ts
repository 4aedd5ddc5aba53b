/** Text output of `toolkeep profiles` and `toolkeep setup`. */
import type { ProfileView } from '../../../shared/model/profile.ts';
import type { SetupReport } from '../../../shared/model/setup-file.ts';
import { count, type Style, safe } from '../terminal.ts';
import { fromFolder } from './config.ts';

export function profilesText(profiles: ProfileView[], style: Style): string {
  if (profiles.length === 0) return 'No profiles: all clients see all tools. Create one with `toolkeep profiles save`.';
  return profiles
    .map(({ name, description, servers, tags, safety, category, mode, readTool, origin, tools, unknown }) => {
      const facts = [
        servers.length > 0 ? servers.join(', ') : 'all servers',
        ...(tags.length > 0 ? [`tagged ${tags.join(' or ')}`] : []),
        ...(safety ? [`only ${safety.join(' and ')}`] : []),
        ...(category ? [`category ${category.join(' or ')}`] : []),
        ...(mode ? [`mode ${mode}`] : []),
        ...(readTool ? ['read_tool'] : []),
        count(tools, 'tool'),
        ...{ own: [], config: ['from the config file'], folder: [fromFolder] }[origin],
      ];
      const lines = [`${style.bold(safe(name))}: ${safe(facts.join('; '))}`];
      if (description) lines.push(`  ${style.dim(safe(description))}`);
      if (unknown.length > 0)
        lines.push(`  ${style.warn('!')} Unknown server: ${safe(unknown.map((one) => `"${one}"`).join(', '))}.`);
      return lines.join('\n');
    })
    .join('\n');
}

export function setupText(report: SetupReport, replace: boolean, style: Style): string {
  const stateText = {
    new: style.good('+ new'),
    same: style.dim('· unchanged'),
    other: replace
      ? style.warn('! replaces your version')
      : style.warn('· your version differs and is kept (see --replace)'),
  };
  const servers = report.servers.map(
    ({ name, state, target }) => `${stateText[state]} ${style.bold(safe(name))} ${style.dim(safe(target))}`,
  );
  const profiles = report.profiles.map(({ name, state }) => `${stateText[state]} ${style.bold(safe(name))}`);
  const ruleLine = ({ id, text, loosens }: SetupReport['rules'][number]) =>
    loosens
      ? `${style.warn('!')} ${id} ${safe(text)} ${style.warn('(weakens your protection; imported only with your consent)')}`
      : `${style.good('+')} ${id} ${safe(text)}`;
  const missing = report.missing.map(({ server, secrets }) => `  ${safe(server)}: ${safe(secrets.join(', '))}`);
  return [
    `Servers (${servers.length})${servers.length > 0 ? `:\n${servers.join('\n')}` : ''}`,
    [`New rules (${report.rules.length})${report.rules.length > 0 ? ':' : ''}`, ...report.rules.map(ruleLine)].join(
      '\n',
    ),
    `Profiles (${profiles.length})${profiles.length > 0 ? `:\n${profiles.join('\n')}` : ''}`,
    ...(missing.length > 0
      ? [`Secrets to enter; Toolkeep asks when a server first needs them:\n${missing.join('\n')}`]
      : []),
  ].join('\n\n');
}
