/** `toolkeep import`: shows the servers in other clients' files and imports the selected ones. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { ImportEntry, ImportPlan } from '../../../shared/model/import.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { confirm } from '../confirm.ts';
import { exit } from '../exit.ts';
import { examples } from '../options.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { count, printDone, safe, type Terminal } from '../terminal.ts';
import { planText, resultText, undoText } from '../text/import.ts';

interface Options {
  all?: true;
  source?: string[];
  undo?: true;
  yes?: true;
  dryRun?: true;
  plain?: true;
  json?: true;
}

export function addImportCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  program
    .command('import')
    .description("Import the MCP servers of your clients, without changing the clients' files")
    .option('--all', 'import from all clients without asking, except from files in this folder')
    .addOption(new Option('--source <name...>', 'import from these clients or files').conflicts(['all']))
    .option('--dry-run', 'show the import without changing anything')
    .addOption(new Option('--undo', 'remove the servers of the last import').conflicts(['all', 'source', 'dryRun']))
    .option('-y, --yes', 'with --source or --undo, do not ask')
    .option('--plain', 'leave secrets in plain text instead of moving them to the vault')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('import --dry-run', 'import --all', 'import --source claude-desktop'))
    .action((options: Options) =>
      runWithCore(cli, options, async ({ client }) => {
        if (options.undo) return undo(client, options);
        const sources = options.all ? undefined : options.source?.map((name) => resolveSource(terminal, name));
        const folder = terminal.cwd;
        const plan = await client.call('import.plan', { sources, folder });
        if (!options.json) terminal.out(planText(plan, terminal.style));
        const picked = options.dryRun ? [] : await choose(plan, options);
        const result =
          picked.length > 0
            ? await client.call('import.apply', {
                entries: picked.map(({ id }) => id),
                sources,
                folder,
                moveSecrets: !options.plain,
              })
            : { imported: [], moved: [], plain: [] };
        if (options.json) printJson(terminal, { ...plan, ...result });
        else if (picked.length > 0) terminal.out(`\n${resultText(result, picked, terminal.style)}`);
        else if (plan.entries.some(({ state }) => state === 'new')) terminal.out('\nNothing was imported.');
        return exitOf(plan, options);
      }),
    );

  /** The servers that a flag or the user selects. Those of the current folder need the user's own decision. */
  async function choose({ entries }: ImportPlan, options: Options): Promise<ImportEntry[]> {
    const fresh = entries.filter(({ state }) => state === 'new');
    const own = fresh.filter(({ picked }) => picked);
    const ofFolder = fresh.filter(({ folder }) => folder !== undefined);
    const given = Boolean(options.all || options.yes);
    const how = options.source
      ? 'Pass --yes to import them'
      : 'Pass --all to import them, --source to import from some clients';
    const ask = (question: string) => confirm(terminal, { yes: given, json: options.json }, question, how);
    const picked = own.length > 0 && (await ask(`Import ${count(own.length, 'server')}?`)) ? own : [];
    const [first] = ofFolder;
    if (!first) return picked;
    const isAsked = !given && terminal.canAsk && !options.json;
    const question = `Also import ${count(ofFolder.length, 'server')} from the folder ${safe(first.folder ?? '')}?`;
    if (!isAsked) tellLeftOut(terminal, ofFolder);
    else if (await ask(question)) return [...picked, ...ofFolder];
    return picked;
  }

  async function undo(client: CoreClient, options: Options): Promise<number> {
    const { lastImport } = await client.call('import.plan', { sources: [] });
    const servers = (await client.call('servers.list')).filter(({ id }) => lastImport.includes(id));
    if (!options.json && servers.length > 0) terminal.out(undoText(servers, terminal.style));
    const question = `Remove ${count(servers.length, 'server')} from Toolkeep? The clients' files do not change.`;
    const given = { yes: options.yes === true || servers.length === 0, json: options.json, hasPreview: false };
    if (!(await confirm(terminal, given, question, 'Pass --yes to remove them'))) {
      terminal.out('\nNothing was removed.');
      return exit.ok;
    }
    const { removed } = await client.call('import.undo');
    if (options.json) printJson(terminal, { removed });
    else printDone(terminal, `Removed ${count(removed.length, 'server')}: ${removed.join(', ')}.`);
    return exit.ok;
  }
}

function tellLeftOut({ err, errStyle }: Terminal, entries: ImportEntry[]): void {
  const names = entries.map(({ server }) => server.name).join(', ');
  const [file = 'FILE'] = entries.flatMap(({ origins }) => origins.flatMap((origin) => origin.file ?? []));
  err(`${errStyle.warn('!')} Not imported from the folder ${safe(entries[0]?.folder ?? '')}: ${safe(names)}.`);
  err(`  ${errStyle.dim(safe(`To import from a file in it, name the file: \`toolkeep import --source ${file}\`.`))}`);
}

/** Resolves a path against the user's working folder; a running Core has a different one. */
function resolveSource({ cwd }: Terminal, name: string): string {
  return /[\\/.]/.test(name) && !name.startsWith('~') ? resolve(cwd, name) : name;
}

/**
 * Returns a failing exit code for an unknown client or a named client without a file. A broken file is reported but
 * does not fail the import.
 */
function exitOf({ files }: ImportPlan, { source }: Options): number {
  const problems = files.flatMap((file) => file.problems);
  if (problems.some(({ code }) => code === 'CLIENT_UNKNOWN')) return exit.badArguments;
  return source && !files.some(({ found }) => found) ? exit.notFound : exit.ok;
}
