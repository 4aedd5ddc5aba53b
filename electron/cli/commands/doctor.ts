/** `toolkeep doctor`: how Toolkeep runs on this computer, and the checks of the last smoke run. */
import type { Command } from 'commander';
import type { Installation } from '../../../shared/model/installation.ts';
import { notSearched } from '../../../shared/server-facts.ts';
import { shellQuoted } from '../../../shared/shell-quoted.ts';
import { exit } from '../exit.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { type Style, safe } from '../terminal.ts';
import { refusalsOf } from '../text/confinement.ts';

export function addDoctorCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  program
    .command('doctor')
    .description(
      'Show how Toolkeep runs on this computer: binary, session, sandbox, keyring, tray, updates, checks and refusals',
    )
    .option('--json', 'print JSON')
    .action((options: { json?: true }) =>
      runWithCore(cli, options, async ({ client, running }) => {
        const found = await client.call('core.installation');
        const { standstill } = await client.call('core.status');
        const servers = await client.call('servers.list');
        const failed = notSearched(servers.filter(({ isUnavailable }) => isUnavailable));
        const problems = [...standstill, ...(failed === undefined ? [] : [`${failed} \`toolkeep list\` shows why.`])];
        const refused = servers.flatMap((server) =>
          refusalsOf(server).map((destination) => ({ server: server.id, destination })),
        );
        const unconfined = servers.flatMap(({ id, unconfined: why }) =>
          why?.reason === undefined ? [] : { server: id, reason: why.reason },
        );
        if (options.json) printJson(terminal, { ...found, problems, refused, unconfined });
        else {
          const problemLines = problems.map((problem) => `${terminal.style.warn('!')} ${safe(problem)}`);
          terminal.out(
            [
              doctorText(found, running, terminal.style),
              ...problemLines,
              ...refusedText(refused),
              ...unconfinedText(unconfined),
            ].join('\n'),
          );
        }
        return found.smoke?.results.some(({ result }) => result === 'failed') ? exit.failed : exit.ok;
      }),
    );
}

/** The commands that allow what confined servers were refused. */
function refusedText(refused: readonly { server: string; destination: string }[]): string[] {
  if (refused.length === 0) return [];
  const lines = refused.map(({ server, destination }) =>
    safe(`  toolkeep allow ${quoted(server)} --destination ${quoted(destination)}`),
  );
  return ['', 'Confined servers were refused hosts or folders. To allow one:', ...lines];
}

const quoted = (word: string) => (/^[\w./:=-]+$/.test(word) ? word : shellQuoted(word));

const labels: Record<Installation['facts'][number]['name'], string> = {
  binary: 'Binary',
  session: 'Session',
  sandbox: 'Sandbox',
  secrets: 'Secrets',
  tray: 'Tray',
  updates: 'Updates',
};

function doctorText({ facts, smoke }: Installation, isRunning: boolean, style: Style): string {
  const about = isRunning ? 'Toolkeep is running:' : 'Toolkeep is not running, so this is about the command line:';
  const lines = [
    about,
    ...facts.map(
      ({ name, value, isProblem }) =>
        `${isProblem ? style.warn('!') : style.good('✓')} ${labels[name].padEnd(8)} ${safe(value)}`,
    ),
  ];
  if (!smoke) return [...lines, '', 'No smoke run has checked this installation.'].join('\n');
  return [
    ...lines,
    '',
    `Smoke run of ${safe(smoke.subject)}, ${safe(smoke.at)}:`,
    ...smoke.results.map(({ name, result, detail }) =>
      result === 'passed'
        ? `${style.good('✓')} ${safe(name)}`
        : `${style.bad('✗')} ${safe(name)}: ${safe(String(detail))}`,
    ),
    ...smoke.notRun.map(({ name, needs }) => style.dim(`- ${safe(name)}: not checked, needs ${safe(needs)}`)),
  ].join('\n');
}

/** Why local servers run with all the rights of the user, each reason once. */
function unconfinedText(unconfined: readonly { server: string; reason: string }[]): string[] {
  const byReason = Map.groupBy(unconfined, ({ reason }) => reason);
  const lines = [...byReason].map(
    ([reason, all]) => `  ${all.map(({ server }) => safe(server)).join(', ')}: ${safe(reason)}`,
  );
  return lines.length > 0 ? ['', 'Servers that are not confined:', ...lines] : [];
}
