/** `gatehouse status`, `audit` and `stats`: what runs now, what happened, and what it saved. */
import { type Command, InvalidArgumentError } from 'commander';
import { settled } from '../core.ts';
import { exit } from '../exit.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { statsText } from '../text/stats.ts';
import { auditCsv, auditText, statusText } from '../text/status.ts';
import { examples } from './browse.ts';

export function addObserveCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;

  program
    .command('status')
    .description('Show what runs: servers, phases, failures, calls, connected clients')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) =>
      runWithCore(cli, options, async (core) => {
        const servers = await settled(core, terminal);
        const status = await core.client.call('core.status');
        if (options.json) printJson(terminal, { running: core.running, ...status, servers });
        else terminal.out(statusText({ running: core.running, status, servers, now: Date.now() }, terminal.style));
        return exit.ok;
      }),
    );

  program
    .command('audit')
    .description('Show the history of calls, questions and grants')
    .option('--server <name>', 'of one server only')
    .option('--text <words>', 'only entries that contain these words')
    .option('--limit <n>', 'at most so many entries, newest first', limit, 50)
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('audit --server github --limit 20', 'audit --csv > calls.csv'))
    .action((options: { server?: string; text?: string; limit: number; csv?: true; json?: true }) =>
      runWithCore(cli, options, async ({ client }) => {
        const { server, text } = options;
        const filter = { limit: options.limit, ...(server && { server }), ...(text && { text }) };
        const records = await client.call('audit.list', filter);
        if (options.json) printJson(terminal, records);
        else if (options.csv) terminal.out(auditCsv(records));
        else terminal.out(auditText(records, terminal.style));
        return exit.ok;
      }),
    );

  program
    .command('stats')
    .description('Show the tokens that Gatehouse saved each client, by day')
    .option('--days <n>', 'of the last so many days', days, 30)
    .option('--json', 'print JSON')
    .addHelpText('after', examples('stats --days 7'))
    .action((options: { days: number; json?: true }) =>
      runWithCore(cli, options, async ({ client }) => {
        const rows = await client.call('stats.show', { days: options.days });
        if (options.json) printJson(terminal, rows);
        else terminal.out(statsText(rows, terminal.style));
        return exit.ok;
      }),
    );
}

const limit = wholeNumber(1000);
const days = wholeNumber(400);

function wholeNumber(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  };
}
