/** `gatehouse import`: shows which servers other apps have, and takes over the ones that are wanted. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { CoreClient } from '../../../shared/contract.ts';
import type { ImportPlan } from '../../../shared/model.ts';
import { exit } from '../exit.ts';
import { mayGoAhead } from '../go-ahead.ts';
import { examples } from '../options.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { count, safe, type Terminal } from '../terminal.ts';
import { planText, resultText } from '../text/import.ts';

interface Options {
  all?: true;
  source?: string[];
  undo?: true;
  dryRun?: true;
  plain?: true;
  json?: true;
}

export function addImportCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  program
    .command('import')
    .description('Take over the MCP servers of your other apps; their own files are only read')
    .option('--all', 'import from every app without asking')
    .addOption(new Option('--source <name...>', 'import from these apps (or files) without asking').conflicts(['all']))
    .option('--dry-run', 'show what would be imported, and change nothing')
    .addOption(
      new Option('--undo', 'take the servers of the last import out again').conflicts(['all', 'source', 'dryRun']),
    )
    .option('--plain', 'leave secrets in plain text instead of moving them to the vault')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('import --dry-run', 'import --all', 'import --source claude-desktop'))
    .action((options: Options) =>
      runWithCore(cli, options, async ({ client }) => {
        if (options.undo) return undo(client, options);
        const sources = options.all ? undefined : options.source?.map((name) => placed(terminal, name));
        const plan = await client.call('import.plan', sources ? { sources } : {});
        const picked = plan.entries.filter((entry) => entry.picked && entry.state === 'new');
        if (!options.json) terminal.out(planText(plan, terminal.style));
        const wanted =
          picked.length > 0 &&
          !options.dryRun &&
          (await mayGoAhead(terminal, {
            given: Boolean(options.all || options.source),
            question: `Import ${count(picked.length, 'server')}?`,
            how: 'Add --all to import them, --source to import those of some apps',
            json: options.json,
          }));
        const result = wanted
          ? await client.call('import.apply', {
              entries: picked.map(({ id }) => id),
              ...(sources && { sources }),
              moveSecrets: !options.plain,
            })
          : { imported: [], moved: [], plain: [] };
        if (options.json) printJson(terminal, { ...plan, ...result });
        else if (wanted) terminal.out(`\n${resultText(result, terminal.style)}`);
        else if (picked.length > 0) terminal.out('\nNothing was imported.');
        return exitOf(plan, options);
      }),
    );

  async function undo(client: CoreClient, options: Options): Promise<number> {
    const { removed } = await client.call('import.undo');
    if (options.json) printJson(terminal, { removed });
    else
      terminal.out(
        `${terminal.style.good('✓')} Took ${count(removed.length, 'server')} out again: ${safe(removed.join(', '))}.`,
      );
    return exit.ok;
  }
}

/** A path is meant from where the person stands, which is not where a running Gatehouse does. */
function placed({ cwd }: Terminal, name: string): string {
  return /[\\/.]/.test(name) && !name.startsWith('~') ? resolve(cwd, name) : name;
}

/** One app's broken file is told, and is no failure of the rest; a wrong name is, and one behind which there is nothing. */
function exitOf({ files }: ImportPlan, { source }: Options): number {
  const problems = files.flatMap((file) => file.problems);
  if (problems.some(({ code }) => code === 'CLIENT_UNKNOWN')) return exit.badArguments;
  return source && !files.some(({ found }) => found) ? exit.notFound : exit.ok;
}
