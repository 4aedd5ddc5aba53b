/** `toolkeep override`: lists and changes the user's settings for single tools, and enables servers. */
import { type Command, Option } from 'commander';
import { fail } from '../../../shared/failure.ts';
import type { Override } from '../../../shared/model/rule.ts';
import type { CommandInput } from '../../../shared/protocol/contract.ts';
import { settled } from '../core.ts';
import { examples } from '../options.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { printDone, safe } from '../terminal.ts';

interface Options {
  enable?: true;
  disable?: true;
  confirm?: Override['confirm'] | 'default';
  destinations?: Override['destinations'] | 'default';
  clear?: true;
  json?: true;
}

export function addOverrideCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  program
    .command('override')
    .description(
      'Enable or disable a server or one tool, or set when the tool needs approval; without options, list the overrides',
    )
    .argument('[server]', 'name of the server')
    .argument('[tool]', 'name of the tool')
    .addOption(
      new Option('--enable', 'enable the tool, or the server if no tool is given').conflicts(['disable', 'clear']),
    )
    .addOption(new Option('--disable', 'disable the tool, or the server if no tool is given').conflicts('clear'))
    .addOption(
      new Option('--confirm <when>', 'when its calls need approval; default leaves it to the rules')
        .choices(['always', 'never', 'auto', 'default'])
        .conflicts('clear'),
    )
    .addOption(
      new Option('--destinations <which>', 'the destinations that need no approval; default leaves it to the rules')
        .choices(['known', 'any', 'default'])
        .conflicts('clear'),
    )
    .option('--clear', 'remove the override, so that the rules decide')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'override',
        'override github --disable',
        'override github delete_repo --disable',
        'override github push --confirm always',
      ),
    )
    .action((server: string | undefined, tool: string | undefined, options: Options) =>
      runWithCore(cli, options, async (core) => {
        const change = changeOf(options);
        if (change && server !== undefined && tool === undefined && isSwitch(change)) {
          await core.client.call('servers.setEnabled', { server, enabled: change.enabled });
          if (options.json) printJson(terminal, { server, enabled: change.enabled });
          else printDone(terminal, `${server} is ${change.enabled ? 'enabled' : 'disabled'}.`);
          return;
        }
        if (change && (server === undefined || tool === undefined))
          throw fail('ARGUMENTS_INVALID', 'An override needs the server and the tool.', {
            hint: 'For example: toolkeep override github delete_repo --disable',
          });
        if (change && server !== undefined && tool !== undefined) {
          await settled(core, terminal, server);
          await core.client.call('tools.setPolicy', { server, tool, ...change });
        }
        const all = await core.client.call('rules.overrides');
        const shown = all.filter(
          (override) =>
            (server === undefined || override.server === server) && (tool === undefined || override.tool === tool),
        );
        core.show({ overrides: shown }, () => shown.map(overrideText).join('\n') || 'No overrides; the rules decide.');
      }),
    );
}

type Change = Pick<CommandInput<'tools.setPolicy'>, 'enabled' | 'confirm' | 'destinations'>;

/** Only this applies to a whole server. */
const isSwitch = (change: Partial<Change>): change is { enabled: boolean } =>
  typeof change.enabled === 'boolean' && Object.keys(change).length === 1;

function changeOf({ enable, disable, confirm, destinations, clear }: Options): Change | undefined {
  if (clear) return { enabled: null, confirm: null, destinations: null };
  const change: Partial<Change> = {};
  if (enable || disable) change.enabled = enable === true;
  if (confirm) change.confirm = confirm === 'default' ? null : confirm;
  if (destinations) change.destinations = destinations === 'default' ? null : destinations;
  return Object.keys(change).length > 0 ? change : undefined;
}

function overrideText({ server, tool, enabled, confirm, destinations }: Override): string {
  const parts: string[] = [];
  if (enabled !== undefined) parts.push(enabled ? 'enabled' : 'disabled');
  if (confirm !== undefined) parts.push(`confirm ${confirm}`);
  if (destinations !== undefined) parts.push(`destinations ${destinations}`);
  return `${safe(`${server}:${tool}`)}  ${parts.join(', ')}`;
}
