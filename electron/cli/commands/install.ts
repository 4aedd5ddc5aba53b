/** `toolkeep install`, `uninstall` and `undo`: edit clients' config files, after showing the exact change. */
import { type Command, Option } from 'commander';
import { fail } from '../../../shared/failure.ts';
import type { Mode } from '../../../shared/model/call.ts';
import type { InstallChoice } from '../../../shared/model/install.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { confirm } from '../confirm.ts';
import { badArguments, exit, exitCodeOf } from '../exit.ts';
import { examples, readToolHelp } from '../options.ts';
import { type Cli, printJson, run, runWithCore } from '../run.ts';
import { count, safe, type Terminal } from '../terminal.ts';
import {
  colored,
  doneText,
  installPlanText,
  installStatusText,
  removalPlanText,
  removedText,
  undoneText,
} from '../text/install.ts';

interface Options {
  dryRun?: true;
  mode?: Mode;
  readTool?: true;
  profile?: string;
  letToolkeepAsk?: boolean;
  moveServers?: true;
  yes?: true;
  list?: true;
  all?: true;
  json?: true;
}

export function addInstallCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;

  program
    .command('install')
    .argument('[client]', "the client's name in `toolkeep install --list`")
    .description("Add Toolkeep to a client's config file; shows the change first")
    .option('--list', 'show all clients and their state')
    .option('--dry-run', 'show the change without writing it')
    .addOption(new Option('--mode <mode>', 'how the client sees tools').choices(['lazy', 'full', 'hybrid']))
    .option('--read-tool', readToolHelp)
    .option('--profile <name>', 'only the servers and tools of this profile')
    .option('--let-toolkeep-ask', "end the client's own questions about Toolkeep's tools, so that only Toolkeep asks")
    .option('--no-let-toolkeep-ask', "keep the client's own questions")
    .option('--move-servers', 'also remove from the file the servers that Toolkeep has imported and started')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('install --list', 'install claude-desktop --dry-run', 'install cursor --move-servers'),
    )
    .action((client: string | undefined, options: Options) => {
      if (options.list) return list(cli, options);
      return client ? change(cli, client, 'install', options) : missingClient(cli);
    });

  program
    .command('uninstall')
    .argument('[client]', 'the client')
    .description('Remove Toolkeep from a client, or from all of them')
    .option('--all', 'all clients, for example before you remove Toolkeep from this computer')
    .option('--dry-run', 'show the change without writing it')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('uninstall cursor', 'uninstall --all --dry-run'))
    .action((client: string | undefined, options: Options) => {
      if (options.all && client === undefined) return removeAll(cli, options);
      return client && !options.all
        ? change(cli, client, 'uninstall', options)
        : missingClient(cli, 'Name a client or pass --all.');
    });

  program
    .command('undo')
    .argument('<client>', 'the client')
    .description("Undo the last change to a client's file; shows the change first")
    .option('--dry-run', 'show the change without writing it')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print JSON')
    .action((client: string, options: Options) =>
      runWithCore(cli, options, async ({ client: core }) => {
        const planned = await core.call('install.undo', { client, dryRun: true });
        if (!options.json) terminal.out(colored(planned.diff, terminal.style));
        const question = `Undo the last change to the file of ${safe(client)}?`;
        const wanted = await confirm(terminal, options, question, 'Pass --yes to undo the change');
        const done = wanted ? await core.call('install.undo', { client }) : planned;
        if (options.json) printJson(terminal, done);
        else terminal.out(wanted ? undoneText(done, terminal.style) : '\nNothing was written.');
      }),
    );
}

const missingClient = (cli: Cli, message = 'Name a client.') =>
  run(cli, {}, async () => {
    throw badArguments(message, 'Run `toolkeep install --list` to list them.');
  });

const list = (cli: Cli, options: Options) =>
  runWithCore(cli, options, async ({ client, show }) => show(await client.call('install.status'), installStatusText));

function removeAll(cli: Cli, options: Options) {
  const { terminal } = cli;
  return runWithCore(cli, options, async ({ client: core }) => {
    const { plans, problems } = await core.call('install.planRemoval');
    if (!options.json) terminal.out(removalPlanText({ plans, problems }, terminal.style));
    const question = `Change ${count(plans.length, 'file')}?`;
    const wanted = plans.length > 0 && (await confirm(terminal, options, question, 'Pass --yes to change the files'));
    const changes = wanted ? plans.map(({ client, token }) => ({ client, token })) : [];
    const done = await core.call('install.removeAll', { changes });
    if (options.json) printJson(terminal, { plans, ...done, problems: [...problems, ...done.problems] });
    else if (wanted) terminal.out(`\n${removedText(plans, done, terminal.style)}`);
    else if (plans.length > 0) terminal.out('\nNothing was written.');
    const [failed] = [...problems, ...done.problems];
    return failed ? exitCodeOf(failed) : exit.ok;
  });
}

/** True for a new installation whose plan the user reads now: only Toolkeep asks, unless the user says otherwise. */
async function isTicked(
  core: CoreClient,
  { canAsk }: Terminal,
  { client, action, yes, dryRun }: Options & Pick<InstallChoice, 'client' | 'action'>,
): Promise<true | undefined> {
  if (!canAsk || yes || dryRun || action !== 'install') return undefined;
  const installed = (await core.call('install.status')).some(
    (one) => one.client === client && one.state === 'installed',
  );
  return installed ? undefined : true;
}

function change(cli: Cli, client: string, action: InstallChoice['action'], options: Options) {
  const { terminal } = cli;
  return runWithCore(cli, options, async ({ client: core }) => {
    const { mode, readTool, profile, moveServers } = options;
    // With an unknown profile, the client would see no tools.
    if (profile !== undefined && !(await core.call('profiles.list')).some(({ name }) => name === profile))
      throw fail('PROFILE_NOT_FOUND', `There is no profile "${profile}".`);
    const letToolkeepAsk = options.letToolkeepAsk ?? (await isTicked(core, terminal, { client, action, ...options }));
    const choice = { client, action, mode, readTool, profile, letToolkeepAsk, moveServers };
    const plan = await core.call('install.plan', choice);
    if (!options.json) terminal.out(installPlanText(plan, terminal.style));
    const question = `Change the file of ${safe(plan.app)}?`;
    const wanted = !plan.unchanged && (await confirm(terminal, options, question, 'Pass --yes to change the file'));
    if (wanted)
      await core.call('install.apply', { ...choice, moveServers: moveServers && plan.moved, token: plan.token });
    if (options.json) printJson(terminal, { ...plan, applied: wanted });
    else if (wanted) terminal.out(`\n${doneText(plan, terminal.style)}`);
    else if (!plan.unchanged) terminal.out('\nNothing was written.');
    return exit.ok;
  });
}
