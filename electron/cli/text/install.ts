/** How Gatehouse stands with other apps, and what would change in their files, for people. */
import type { CommandOutput } from '../../../shared/contract.ts';
import type { InstallPlan, InstallStatus } from '../../../shared/model.ts';
import { type Style, safe } from '../terminal.ts';
import { tilde } from './config.ts';

const stateWords: Record<InstallStatus['state'], string> = {
  absent: 'without Gatehouse',
  installed: 'with Gatehouse',
  foreign: 'has an entry "gatehouse" that this one did not make',
  wiped: 'the app lost the entry; install again to repair it',
  unreadable: 'the file cannot be read',
};

export function installStatusText(statuses: InstallStatus[], style: Style): string {
  const lines = statuses
    .filter(({ found, state }) => found || state !== 'absent')
    .map(({ client, app, file, state, problem, connectedAt }) => {
      const mark = { absent: style.dim('·'), installed: style.good('✓') }[state as string] ?? style.warn('!');
      const words = connectedAt === undefined ? stateWords[state] : 'with Gatehouse, connected now';
      const line = `${mark} ${style.bold(client)} ${safe(app)}: ${words} ${style.dim(safe(tilde(file)))}`;
      return problem ? `${line}\n    ${safe(problem.message)}` : line;
    });
  const others = statuses.filter(({ found, state }) => !found && state === 'absent').map(({ client }) => client);
  return [
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...(others.length > 0 ? [style.dim(`Without a file so far: ${others.join(', ')}`)] : []),
  ].join('\n\n');
}

export function installPlanText({ app, file, unchanged, diff, warnings }: InstallPlan, style: Style): string {
  const title = `${style.bold(safe(app))} ${style.dim(safe(tilde(file)))}`;
  const body = unchanged ? `${style.good('✓')} The file is already as it should be.` : colored(diff, style);
  return [title, body, ...warnings.map((text) => `${style.warn('!')} ${safe(text)}`)].join('\n\n');
}

function colored(diff: string, style: Style): string {
  return diff
    .trimEnd()
    .split('\n')
    .map((line) => {
      const text = safe(line);
      if (/^(?:---|\+\+\+|@@)/.test(line)) return style.dim(text);
      return line.startsWith('+') ? style.good(text) : line.startsWith('-') ? style.bad(text) : text;
    })
    .join('\n');
}

export function doneText({ action, app, client, moved, afterwards, running }: InstallPlan, style: Style): string {
  const verb = action === 'install' ? `Gatehouse is in ${safe(app)}.` : `Gatehouse is out of ${safe(app)}.`;
  return [
    `${style.good('✓')} ${verb}`,
    ...(moved.length > 0 ? [`  Moved behind Gatehouse: ${safe(moved.join(', '))}.`] : []),
    `  ${safe(afterwards)}${running === false ? ` (${safe(app)} does not run now.)` : ''}`,
    style.dim(`  Undo it with \`gatehouse undo ${client}\`.`),
  ].join('\n');
}

export function undoneText({ file, restored }: CommandOutput<'install.undo'>, style: Style): string {
  const what =
    restored === 'file' ? 'The file is as it was before.' : 'The file changed since, so only our own entry was undone.';
  return `${style.good('✓')} ${what} ${style.dim(safe(tilde(file)))}`;
}
