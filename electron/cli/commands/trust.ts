/** `toolkeep trust`: reviews the configuration of a folder and lets the user decide whether it applies. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { TrustReview } from '../../../shared/model/trust.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { confirm } from '../confirm.ts';
import type { OpenCore } from '../core.ts';
import { badArguments, exit } from '../exit.ts';
import { examples } from '../options.ts';
import { isYes, readLine } from '../prompt.ts';
import { type Cli, printFailure, printJson, runWithCore } from '../run.ts';
import { printDone, safe, type Terminal } from '../terminal.ts';
import { effectsText, filesText, trustedText } from '../text/trust.ts';

interface Options {
  yes?: true;
  runCode?: true;
  accept?: string[];
  dryRun?: true;
  json?: true;
}

export function addTrustCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const trust = program
    .command('trust')
    .description("Review a folder's configuration and decide whether to trust it")
    .addHelpText('after', examples('trust', 'trust ~/work/shop', 'trust list', 'trust revoke ~/work/shop'));

  trust
    .command('review [folder]', { isDefault: true })
    .description("Show what a folder's configuration does, and trust exactly this content")
    .option('-y, --yes', 'trust the content without asking')
    .option('--run-code', 'run a configuration that is code, without asking')
    .option('--accept <id...>', 'accept these lines that weaken your protection')
    .option('--dry-run', 'show the configuration without changing anything')
    .option('--json', 'print JSON')
    .action((folder: string | undefined, options: Options) =>
      runWithCore(cli, options, (core) => review(core, terminal, resolve(terminal.cwd, folder ?? '.'), options)),
    );

  trust
    .command('list')
    .description('List the trusted folders')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      runWithCore(cli, options, async ({ client, show }) => {
        show(await client.call('trust.list'), trustedText);
      }),
    );

  trust
    .command('revoke <folder>')
    .description("Stop trusting a folder's configuration")
    .action((folder: string) =>
      runWithCore(cli, {}, async ({ client }) => {
        const path = resolve(terminal.cwd, folder);
        await client.call('trust.revoke', { folder: path });
        printDone(terminal, `${path} is no longer trusted.`);
      }),
    );
}

async function review(
  { client, running }: OpenCore,
  terminal: Terminal,
  folder: string,
  options: Options,
): Promise<number> {
  const show = (text: string) => {
    if (!options.json) terminal.out(text);
  };
  if (!existsSync(folder)) throw badArguments(`The folder ${safe(folder)} does not exist.`);
  const seen = await readAll(client, terminal, folder, options, show);
  if (!seen.effects) {
    if (options.json) printJson(terminal, { ...seen, trusted: false });
    return seen.status === 'none' || options.dryRun ? exit.ok : exit.failed;
  }
  show(effectsText(seen.effects, terminal.style));
  for (const problem of seen.problems) printFailure(terminal, problem);
  const isDone = seen.status === 'trusted' && !options.accept && !options.yes;
  const trusted = isDone || (seen.problems.length === 0 && (await decide(client, terminal, seen, options)));
  if (options.json) printJson(terminal, { ...seen, trusted });
  else if (isDone) show(`\n${terminal.style.good('✓')} You trust this content.`);
  else if (trusted) show(`${terminal.style.good('✓')} Trusted. If these files change, you need to trust them again.`);
  if (trusted && running && (await client.call('core.status')).folder?.path !== seen.folder)
    show('It applies after you quit Toolkeep, to `toolkeep serve` and other commands that you run in this folder.');
  else if (!options.dryRun && seen.problems.length === 0 && (isDone || !trusted)) show('\nNothing was changed.');
  return seen.problems.length > 0 ? exit.configError : exit.ok;
}

/** Reads the folder and, once the user allows it, runs a configuration that is code. */
async function readAll(
  client: CoreClient,
  terminal: Terminal,
  folder: string,
  options: Options,
  show: (text: string) => void,
): Promise<TrustReview> {
  const first = await client.call('trust.review', { folder });
  if (first.status === 'none') {
    show(`${safe(first.folder)} has no configuration for Toolkeep.`);
    return first;
  }
  show(filesText(first, terminal.style));
  if (first.effects || !first.isCode) return first;
  show(
    `\n${terminal.style.warn('!')} This configuration is code. To read it, Toolkeep runs it with all your permissions.`,
  );
  if (options.dryRun && !options.runCode) return first;
  const how = terminal.canAsk ? 'Pass --run-code to run it' : 'To run it, use a terminal';
  const mayRun = await confirm(
    terminal,
    { yes: options.runCode, json: options.json },
    'Run it to see what it changes?',
    how,
  );
  if (!mayRun) {
    show('\nNothing was run or changed.');
    return first;
  }
  return client.call('trust.review', { folder, runCode: first.codeHash });
}

/** Asks about each line that weakens the user's protection, then about the whole configuration. */
async function decide(client: CoreClient, terminal: Terminal, seen: TrustReview, options: Options): Promise<boolean> {
  if (options.dryRun) return false;
  const accept = [...(options.accept ?? [])];
  const mayAsk = terminal.canAsk && !options.json && !options.yes;
  for (const { id, text } of mayAsk ? (seen.effects?.loosens ?? []) : []) {
    if (accept.includes(id)) continue;
    if (isYes(await readLine(terminal, `\nAccept "${safe(text)}"? [y/N] `))) accept.push(id);
  }
  const question = `Trust this content${accept.length > 0 ? ` and accept ${accept.map(safe).join(', ')}` : ''}?`;
  const how = terminal.canAsk ? 'Pass --yes to trust it' : 'To trust it, use a terminal';
  if (!(await confirm(terminal, options, question, how))) return false;
  const { folder, hash, codeHash } = seen;
  await client.call('trust.save', { folder, hash, codeHash, accept });
  return true;
}
