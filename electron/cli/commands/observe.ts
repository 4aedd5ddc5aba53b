/** `toolkeep status`, `history` and `diagnostics`. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { fail } from '../../../shared/failure.ts';
import { historyCsv } from '../../../shared/history-csv.ts';
import type { CallFilter, CallRecord } from '../../../shared/model/call.ts';
import { recordKindSchema } from '../../../shared/model/call.ts';
import { settled } from '../core.ts';
import { type ExportFormat, exportHistory, unwritable } from '../export-history.ts';
import { examples, wholeNumber } from '../options.ts';
import { type Cli, printJson, reportInvalid, runWithCore } from '../run.ts';
import { safe, safeLines, type Terminal } from '../terminal.ts';
import { changesText, historyText, statusText } from '../text/status.ts';

export function addObserveCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;

  program
    .command('status')
    .description('Show servers, start phases, failures, calls and connected clients')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) =>
      runWithCore(cli, options, async (core) => {
        const servers = await settled(core, terminal);
        const status = await core.client.call('core.status');
        if (options.json) printJson(terminal, { running: core.running, ...status, servers });
        else terminal.out(statusText({ running: core.running, status, servers, now: Date.now() }, terminal.style));
        return reportInvalid(core.client, terminal);
      }),
    );

  program
    .command('history')
    .description('Show the history of calls, questions and grants, or export it to a file')
    .argument('[file]', 'the file that --export writes (default: stdout)')
    .option('--server <name>', 'only entries of this server')
    .option('--client <name>', 'only entries of this client')
    .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(recordKindSchema.options))
    .option('--text <words>', 'only entries that contain these words')
    .option('--since <date>', 'from this date on, for example 2026-11-20', since)
    .option('--until <date>', 'up to the end of this date, or up to a time', until)
    .option('--limit <n>', 'maximum number of entries, newest first', wholeNumber(1000), 50)
    .addOption(
      new Option('--changes', 'the changes to Toolkeep and to the files of clients instead').conflicts(ofCalls),
    )
    .addOption(new Option('--export <format>', 'export all matching entries, oldest first').choices(['csv', 'json']))
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'history --server github --limit 20',
        'history --kind question --since 2026-11-01',
        'history --export csv calls.csv',
        'history --changes',
      ),
    )
    .action((file: string | undefined, options: HistoryOptions) =>
      runWithCore(cli, options, async ({ client, show }) => {
        if (options.changes) return show((await client.call('changes.list')).slice(0, options.limit), changesText);
        const { server, text, client: name, kind, since, until, limit, export: format } = options;
        const filter: CallFilter = { server, text, client: name, kind, from: since, to: until };
        if (format) {
          const count = await exportHistory(client, filter, { format, file: fileOf(terminal, file) });
          if (file !== undefined) terminal.err(`Wrote ${count} entries to ${safe(file)}.`);
          return;
        }
        if (file !== undefined)
          throw fail('INPUT_INVALID', `Unexpected argument "${file}". To write a file, pass --export.`);
        const records = await client.call('history.list', { ...filter, limit });
        const isFiltered = Object.values(filter).some((value) => value !== undefined);
        show(records, (_, style) =>
          options.csv ? historyCsv(records).trimEnd() : historyText(records, style, isFiltered),
        );
      }),
    );

  program
    .command('diagnostics')
    .description('Print diagnostics for a bug report, without secrets or arguments, or write them to a file')
    .argument('[file]', 'the file to create (default: stdout)')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('diagnostics', 'diagnostics toolkeep-diagnostics.txt'))
    .action((file: string | undefined, options: { json?: true }) =>
      runWithCore(cli, options, async (core) => {
        await settled(core, terminal);
        const report = await core.client.call('core.diagnostics');
        const path = fileOf(terminal, file);
        if (path !== undefined) {
          await writeFile(path, report.text, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
            throw unwritable(path, error);
          });
        }
        if (options.json) printJson(terminal, path === undefined ? report : { file: path });
        else if (path === undefined) terminal.out(safeLines(report.text.trimEnd(), 0));
        else terminal.err(`Wrote ${safe(path)}. Read it before you send it.`);
      }),
    );
}

/** The options that select calls. */
const ofCalls = ['server', 'client', 'kind', 'text', 'since', 'until', 'export', 'csv'];

interface HistoryOptions {
  changes?: true;
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

/** Resolves a path against the user's working folder, which may differ from this process's. `-` is stdout. */
function fileOf({ cwd }: Terminal, file: string | undefined): string | undefined {
  return file === undefined || file === '-' ? undefined : resolve(cwd, file);
}

/** Reads a date without a time as local midnight; Date.parse would use UTC. */
function since(text: string): number {
  const at = Date.parse(isDay(text) ? `${text}T00:00` : text);
  if (Number.isNaN(at))
    throw new InvalidArgumentError('It must be a date, for example 2026-11-20 or 2026-11-20T09:30.');
  return at;
}

function until(text: string): number {
  const at = since(text);
  if (!isDay(text)) return at;
  const day = new Date(at);
  return day.setDate(day.getDate() + 1) - 1;
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);
