/** `toolkeep registry`: finds servers in registries, shows their installation plans, and installs them. */
import type { Command } from 'commander';
import { fail } from '../../../shared/failure.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { confirm } from '../confirm.ts';
import { exit } from '../exit.ts';
import {
  type InstallOptions,
  installWithPlan,
  type PlanInput,
  registrySource,
  withInstallOptions,
} from '../install-with-plan.ts';
import { examples, wholeNumber } from '../options.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { safe } from '../terminal.ts';
import { cardsText, installedText, planText } from '../text/registry.ts';

interface EntryOptions {
  registry?: string;
  option?: string;
  json?: true;
}
type AddOptions = EntryOptions & InstallOptions;

export function addRegistryCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const registry = program
    .command('registry')
    .description('Find servers in registries and install them')
    .addHelpText('after', examples('registry update', 'registry search notes', 'registry add io.github.acme/notes'));

  registry
    .command('search [words...]')
    .description('Search the lists on this computer; without words, show the latest servers')
    .option('--limit <number>', 'maximum number of results', wholeNumber(200), 20)
    .option('--json', 'print JSON')
    .action((words: string[], options: { limit: number; json?: true }) =>
      runWithCore(cli, options, async ({ client, show }) => {
        const registries = await requireList(client);
        const { cards } = await client.call('registry.search', { query: words.join(' '), limit: options.limit });
        show({ servers: cards }, ({ servers }, style) => cardsText(servers, registries, style));
      }),
    );

  withEntryOptions(registry.command('show <name[@version]>'))
    .description('Show a server in a registry and what installing it would do')
    .action((name: string, options: EntryOptions) =>
      runWithCore(cli, options, async ({ client, show }) => {
        show(await client.call('registry.plan', await entryInput(client, name, options)), planText);
      }),
    );

  withInstallOptions(withEntryOptions(registry.command('add <name[@version]>')))
    .description('Install a server from a registry after showing what the installation does')
    .addHelpText('after', examples('registry add io.github.acme/notes --input folder=~/notes'))
    .action((name: string, options: AddOptions) =>
      runWithCore(cli, options, async (core) => {
        const { client } = core;
        return installWithPlan(terminal, core, registrySource(core, await entryInput(client, name, options)), options);
      }),
    );

  withInstallOptions(registry.command('update [server]'))
    .description(
      'Read the lists again and show new versions. With a server, show what its new version changes, and install it',
    )
    .option('--json', 'print JSON')
    .action((server: string | undefined, options: AddOptions) =>
      runWithCore(cli, options, async (core) => {
        const { client } = core;
        await client.call('registry.sync', {});
        const installed = await client.call('registry.installed');
        if (server === undefined) {
          if (options.json) printJson(terminal, { registries: await client.call('registry.list'), installed });
          else terminal.out(installedText(installed, terminal.style));
          return exit.ok;
        }
        const own = installed.find((one) => one.server === server);
        if (!own?.registry)
          throw fail('SERVER_NOT_FOUND', `No server named "${server}" was installed from a configured registry.`);
        if (own.latest === own.origin.version && !options.dryRun) {
          const latest = { server, version: own.latest };
          core.show(latest, ({ version }) => `${safe(server)} has the latest version, ${safe(version)}.`);
          return exit.ok;
        }
        const input = { registry: own.registry, name: own.origin.name, replace: server };
        return installWithPlan(terminal, core, registrySource(core, input), options);
      }),
    );

  registry
    .command('revert <server>')
    .description('Revert to the version that the last update replaced')
    .option('--yes', 'revert without asking')
    .option('--json', 'print JSON')
    .action((server: string, options: { yes?: true; json?: true }) =>
      runWithCore(cli, options, async ({ client, show }) => {
        const own = (await client.call('registry.installed')).find((one) => one.server === server);
        if (!own?.previous) throw fail('INPUT_INVALID', `"${server}" has no earlier version to revert to.`);
        const question = `Replace ${safe(server)} ${safe(own.origin.version)} with ${safe(own.previous)}?`;
        if (!(await confirm(terminal, { ...options, hasPreview: false }, question, 'Pass --yes to revert'))) return;
        const { version } = await client.call('registry.revert', { server });
        show({ server, version }, () => `Reverted ${safe(server)} to version ${safe(version)}.`);
      }),
    );

  function withEntryOptions(command: Command): Command {
    return command
      .option('--registry <name>', 'the registry (default: the first one that has the server)')
      .option('--option <id>', 'one of the options that `registry show` lists')
      .option('--json', 'print JSON');
  }
}

/** Finds `NAME` or `NAME@VERSION` in the first registry that has it, unless a registry is named. */
async function entryInput(client: CoreClient, words: string, options: EntryOptions): Promise<PlanInput> {
  const { option } = options;
  const [name = '', version] = words.split('@');
  const registries = options.registry === undefined ? await requireList(client) : [{ name: options.registry }];
  for (const { name: registry } of registries) {
    const isLast = registry === registries.at(-1)?.name;
    const found = await client.call('registry.show', { registry, name, version }).catch((error: unknown) => {
      if (isLast) throw error;
    });
    if (found) return { registry, name, version, option };
  }
  throw fail('REGISTRY_ENTRY_NOT_FOUND', 'No registry is configured.', {
    hint: 'Add one to `registries` in the config file.',
  });
}

async function requireList(client: CoreClient) {
  const registries = await client.call('registry.list');
  if (registries.some(({ entries }) => entries > 0)) return registries;
  throw fail('REGISTRY_ENTRY_NOT_FOUND', 'The list of servers is not on this computer yet.', {
    hint: `Run \`toolkeep registry update\`, which downloads it from ${registries.map(({ url }) => new URL(url).host).join(', ')}.`,
  });
}
