/** `toolkeep setup`: shares servers, rules and profiles in a file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { fail } from '../../../shared/failure.ts';
import type { SetupReport } from '../../../shared/model/setup-file.ts';
import { confirm } from '../confirm.ts';
import { unwritable } from '../export-history.ts';
import { examples } from '../options.ts';
import { isYes, readLine } from '../prompt.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { printDone, safe } from '../terminal.ts';
import { setupText } from '../text/profiles.ts';

export function addSetupCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const setup = program
    .command('setup')
    .description('Export or import servers, rules and profiles as one file, without secrets')
    .addHelpText('after', examples('setup export toolkeep-setup.json', 'setup import toolkeep-setup.json'));

  setup
    .command('export [file]')
    .description('Write the setup to a file, or to stdout')
    .action((file: string | undefined) =>
      runWithCore(cli, {}, async ({ client }) => {
        const text = JSON.stringify(await client.call('setup.export'), null, 2);
        if (file === undefined) terminal.out(text);
        else {
          writeNew(resolve(terminal.cwd, file), `${text}\n`);
          printDone(terminal, `Wrote ${file}. It contains no secrets; the import asks for them.`);
        }
      }),
    );

  setup
    .command('import <file>')
    .description('Import a setup; shows its contents and asks first')
    .option('-y, --yes', 'do not ask')
    .option('--replace', 'also replace servers and profiles that differ (in a terminal)')
    .option('--accept <id...>', 'import these rules that weaken your protection')
    .option('--dry-run', 'show the import without changing anything')
    .option('--json', 'print JSON')
    .action((file: string, options: { yes?: true; replace?: true; accept?: string[]; dryRun?: true; json?: true }) =>
      runWithCore(cli, options, async ({ client }) => {
        const input = { setup: readSetup(resolve(terminal.cwd, file)), replace: options.replace === true };
        const report = await client.call('setup.import', { ...input, dryRun: true });
        if (!options.json) terminal.out(setupText(report, input.replace, terminal.style));
        const hasChanges = changesSomething(report, input.replace);
        const accept = options.accept ?? [];
        const mayAsk = hasChanges && terminal.canAsk && !options.yes && !options.json && !options.dryRun;
        for (const { id, text, loosens } of mayAsk ? report.rules : []) {
          if (!loosens || accept.includes(id)) continue;
          if (isYes(await readLine(terminal, `\nImport the rule "${safe(text)}"? [y/N] `))) accept.push(id);
        }
        const wanted = hasChanges && (await confirm(terminal, options, 'Import it?', 'Pass --yes to import it'));
        if (wanted) await client.call('setup.import', { ...input, accept, dryRun: false });
        if (options.json) printJson(terminal, { ...report, imported: wanted });
        else if (wanted) printDone(terminal, 'Imported.');
        else if (!hasChanges) terminal.out('\nThe file contains nothing new.');
        else if (!options.dryRun) terminal.out('\nNothing was changed.');
      }),
    );
}

function changesSomething({ servers, profiles, rules }: SetupReport, replace: boolean): boolean {
  return (
    rules.length > 0 || [...servers, ...profiles].some(({ state }) => state === 'new' || (replace && state === 'other'))
  );
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    throw unwritable(file, error);
  }
}

function readSetup(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw fail('INPUT_INVALID', `${file} cannot be read.`, { file, hint: 'Check the path and its permissions.' });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw fail('INPUT_INVALID', `${file} is not valid JSON.`, {
      file,
      hint: 'Export the setup again with `toolkeep setup export`.',
    });
  }
}
