/** `gatehouse status`, `audit` and `stats`: what runs now, what happened, and what it saved. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { fail } from '../../../shared/failure.ts';
import type { CallFilter, CallRecord } from '../../../shared/model.ts';
import { settled } from '../core.ts';
import { exit } from '../exit.ts';
import { type ExportFormat, exportHistory } from '../export-history.ts';
import { examples, wholeNumber } from '../options.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { safe, type Terminal } from '../terminal.ts';
import { statsText } from '../text/stats.ts';
import { auditCsv, auditText, statusText } from '../text/status.ts';

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
    .description('Show the history of calls, questions and grants, or write all of it to a file')
    .argument('[file]', 'where --export writes to; without it to stdout')
    .option('--server <name>', 'of one server only')
    .option('--client <name>', 'of one client only')
    .addOption(new Option('--kind <kind>', 'of one kind only').choices(['call', 'question', 'grant']))
    .option('--text <words>', 'only entries that contain these words')
    .option('--since <date>', 'from this date on, such as 2026-11-20', since)
    .option('--until <date>', 'up to this date, with the whole day, or up to a time', until)
    .option('--limit <n>', 'at most so many entries, newest first', wholeNumber(1000), 50)
    .addOption(new Option('--export <format>', 'write the whole history, oldest first').choices(['csv', 'json']))
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'audit --server github --limit 20',
        'audit --kind question --since 2026-11-01',
        'audit --export csv calls.csv',
      ),
    )
    .action((file: string | undefined, options: AuditOptions) =>
      runWithCore(cli, options, async ({ client }) => {
        const { server, text, client: name, kind, since, until, limit, export: format } = options;
        const filter: CallFilter = {
          ...(server && { server }),
          ...(text && { text }),
          ...(name && { client: name }),
          ...(kind && { kind }),
          ...(since !== undefined && { from: since }),
          ...(until !== undefined && { to: until }),
        };
        if (format) {
          const count = await exportHistory(client, filter, { format, file: fileOf(terminal, file) });
          if (file !== undefined) terminal.err(`${count} entries written to ${safe(file)}.`);
          return exit.ok;
        }
        if (file !== undefined)
          throw fail('INPUT_INVALID', `"${file}" is not an option. To write a file, add --export.`);
        const records = await client.call('audit.list', { ...filter, limit });
        if (options.json) printJson(terminal, records);
        else if (options.csv) terminal.out(auditCsv(records));
        else terminal.out(auditText(records, terminal.style, Object.keys(filter).length > 0));
        return exit.ok;
      }),
    );

  program
    .command('stats')
    .description('Show the tokens that Gatehouse saved each client, by day')
    .option('--days <n>', 'of the last so many days', wholeNumber(400), 30)
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

interface AuditOptions {
  server?: string;
  client?: string;
  kind?: CallRecord['kind'];
  text?: string;
  since?: number;
  until?: number;
  limit: number;
  export?: ExportFormat;
  csv?: true;
  json?: true;
}

/** Where the person stands is not always where this process does; `-` is stdout. */
function fileOf({ cwd }: Terminal, file: string | undefined): string | undefined {
  return file === undefined || file === '-' ? undefined : resolve(cwd, file);
}

/** A date without a time is the day of the person who types it, whatever the standard says of UTC. */
function since(text: string): number {
  const at = Date.parse(isDay(text) ? `${text}T00:00` : text);
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be a date such as 2026-11-20 or 2026-11-20T09:30.');
  return at;
}

function until(text: string): number {
  const at = since(text);
  if (!isDay(text)) return at;
  const day = new Date(at);
  return day.setDate(day.getDate() + 1) - 1;
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);
