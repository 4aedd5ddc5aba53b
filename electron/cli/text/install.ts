/** Text output of `toolkeep install`, `uninstall` and `undo`. */
import type { InstallPlan, InstallStatus } from '../../../shared/model/install.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { type Style, safe, safeLines } from '../terminal.ts';
import { problemsText, tilde } from './config.ts';

const stateText: Record<InstallStatus['state'], string> = {
  absent: 'not installed',
  installed: 'installed',
  foreign: 'has an entry "toolkeep" that this installation did not create',
  wiped: 'the client removed the entry; install again to restore it',
  unreadable: 'the file cannot be read',
};

export function installStatusText(statuses: InstallStatus[], style: Style): string {
  const lines = statuses
    .filter(({ found, state }) => found || state !== 'absent')
    .map(({ client, app, file, state, problem, connectedAt }) => {
      const mark = { absent: style.dim('·'), installed: style.good('✓') }[state as string] ?? style.warn('!');
      const text = connectedAt === undefined ? stateText[state] : 'installed, connected now';
      const line = `${mark} ${style.bold(safe(client))} ${safe(app)}: ${text} ${style.dim(safe(tilde(file)))}`;
      return problem ? `${line}\n    ${safeLines(problem.message, 6)}` : line;
    });
  const others = statuses.filter(({ found, state }) => !found && state === 'absent').map(({ client }) => client);
  return [
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...(others.length > 0 ? [style.dim(`No config file yet: ${safe(others.join(', '))}`)] : []),
  ].join('\n\n');
}

export function installPlanText(plan: InstallPlan, style: Style): string {
  const { app, file, unchanged, diff, warnings } = plan;
  const title = `${style.bold(safe(app))} ${style.dim(safe(tilde(file)))}`;
  const body = unchanged ? `${style.good('✓')} The file is already up to date.` : colored(diff, style);
  return [title, body, ...asksText(plan), ...warnings.map((text) => `${style.warn('!')} ${safe(text)}`)].join('\n\n');
}

/** Who asks before a call after this change. */
function asksText({ app, asks }: InstallPlan): string[] {
  if (asks === undefined) return [];
  const name = safe(app);
  if (asks.who === 'toolkeep')
    return [
      `Only Toolkeep asks before calls of its tools. To keep the questions of ${name}, pass --no-let-toolkeep-ask.`,
    ];
  const both = `${name} also asks before calls of Toolkeep's tools, and may refuse them where no user can answer.`;
  return [asks.isChoice ? `${both} To let only Toolkeep ask, pass --let-toolkeep-ask.` : both];
}

/** A unified diff in the colors of the terminal. */
export function colored(diff: string, style: Style): string {
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
  const verb = action === 'install' ? `Added Toolkeep to ${safe(app)}.` : `Removed Toolkeep from ${safe(app)}.`;
  return [
    `${style.good('✓')} ${verb}`,
    ...(moved.length > 0 ? [`  Now served by Toolkeep: ${safe(moved.join(', '))}.`] : []),
    `  ${action === 'install' ? safe(afterwards) : `Restart ${safe(app)} if it is running.`}${running === false ? ` (${safe(app)} is not running.)` : ''}`,
    style.dim(`  Undo it with \`toolkeep undo ${safe(client)}\`.`),
  ].join('\n');
}

type Removal = CommandOutput<'install.planRemoval'>;

export function removalPlanText({ plans, problems }: Removal, style: Style): string {
  const blocks = plans.map((plan) => installPlanText(plan, style));
  if (plans.length === 0) blocks.push('Toolkeep is not installed in any client.');
  return [...blocks, ...(problems.length > 0 ? [problemsText(problems, style)] : [])].join('\n\n');
}

export function removedText(
  plans: readonly InstallPlan[],
  { removed, problems }: CommandOutput<'install.removeAll'>,
  style: Style,
): string {
  const done = plans.filter(({ client }) => removed.includes(client)).map((plan) => doneText(plan, style));
  return [...done, ...(problems.length > 0 ? [problemsText(problems, style)] : [])].join('\n');
}

export function undoneText({ file, restored }: CommandOutput<'install.undo'>, style: Style): string {
  const what =
    restored === 'file' ? 'Restored the file.' : 'The file has changed since, so only the Toolkeep entry was undone.';
  return `${style.good('✓')} ${what} ${style.dim(safe(tilde(file)))}`;
}
