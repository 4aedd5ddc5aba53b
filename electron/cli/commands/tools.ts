/** `toolkeep tools`: the tools of some servers or of all, with the same filters and sort orders as in the window. */
import { type Command, Option } from 'commander';
import { ToolkeepError } from '../../../shared/failure.ts';
import { categorySchema, safetyLevelSchema } from '../../../shared/model/tool.ts';
import type { CommandInput } from '../../../shared/protocol/contract.ts';
import { settled } from '../core.ts';
import { examples, wholeNumber } from '../options.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { allToolsText, disabledServer, isRunnable, toolsText } from '../text/tools.ts';

type Filter = CommandInput<'tools.list'>;
type Options = Omit<Filter, 'server' | 'servers' | 'sortBy' | 'sortDirection' | 'safetyLevel'> & {
  all?: true;
  tags?: true;
  json?: true;
  sort: NonNullable<Filter['sortBy']>;
  desc?: true;
  safety?: Filter['safetyLevel'];
};

const yesOrNo = ['yes', 'no'];

export function addToolsCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const command = program
    .command('tools')
    .description('List the tools of some servers, or of all')
    .argument('[servers...]', 'names of the servers')
    .option('--all', 'include disabled tools')
    .option('--tags', 'show tags')
    .option('--name <text>', 'only tools with this text in their name, or whose name matches a glob or /regex/')
    .option('--description <words>', 'only tools with these words in their description')
    .option('--tag <tag>', 'only tools with this tag')
    .addOption(new Option('--category <category>', 'only tools of this category').choices(categorySchema.options))
    .addOption(new Option('--safety <level>', 'only tools of this safety level').choices(safetyLevelSchema.options))
    .option('--available', 'only tools that an agent can run now')
    .addOption(new Option('--sort <figure>', 'sort order').choices(orders).default('name'))
    .option('--desc', 'sort in descending order')
    .option('--limit <n>', 'maximum number of tools', wholeNumber(10_000))
    .option('--json', 'print JSON');
  for (const [flag, about] of hints)
    command.addOption(
      new Option(`--${flag} <yes|no>`, about).choices(yesOrNo).argParser((text) => {
        if (yesOrNo.includes(text)) return text === 'yes';
        return command.error(`error: option '--${flag}' must be yes or no`);
      }),
    );
  command
    .addHelpText(
      'after',
      examples(
        'tools github',
        'tools github --all --tags',
        'tools github gitlab --sort callCount --desc',
        'tools --category file-system --read-only yes --sort successRate --desc --limit 20',
      ),
    )
    .action((servers: string[], options: Options) =>
      runWithCore(cli, options, async (core) => {
        const server = servers.length === 1 ? servers[0] : undefined;
        const views = await settled(core, terminal, server);
        const listed = await core.client.call('tools.list', filterOf(servers, options));
        const byName = new Map(views.map((view) => [view.id, view]));
        const isOff = (of: string | undefined) => of !== undefined && byName.get(of)?.status === 'disabled';
        const tools = listed.map((tool) => ({ ...tool, enabled: tool.enabled && !isOff(tool.server) }));
        const failure = views.find(({ id }) => id === server)?.failure;
        if (tools.length === 0 && failure) throw new ToolkeepError(failure);
        const show = { all: Boolean(options.all), tags: Boolean(options.tags) };
        const shown = tools.filter((tool) => show.all || tool.enabled).slice(0, options.limit);
        if (options.json)
          printJson(terminal, {
            ...(server === undefined ? {} : { server }),
            tools: shown.map(
              ({ server: of, name, summary, enabled, tags, safetyLevel, hints, explained, held, calls }) => ({
                ...(server === undefined ? { server: of } : {}),
                ...{ name, summary, enabled: isRunnable({ enabled, held }), tags, safetyLevel, hints, ...explained },
                ...(held && { held }),
                ...(calls && { calls }),
              }),
            ),
          });
        else if (server === undefined) terminal.out(allToolsText(shown, servers, show, terminal.style));
        else {
          if (isOff(server)) terminal.out(`${disabledServer(server)}\n`);
          terminal.out(toolsText(server, { tools, shown }, show, terminal.style));
        }
      }),
    );
}

const orders = ['name', 'callCount', 'successRate', 'averageTime'];
const hints = [
  ['read-only', 'yes: only read-only tools; no: only the others'],
  ['destructive', 'yes: only tools that destroy data; no: only the others'],
  ['idempotent', 'yes: only tools that can be repeated without further effect; no: only the others'],
  ['open-world', 'yes: only tools that reach other systems; no: only the others'],
  ['requires-confirmation', 'yes: only tools that need approval; no: only the others'],
] as const;

/** Without `limit`, which applies to the tools that are shown. */
function filterOf(servers: string[], { all: _all, tags: _tags, json, ...options }: Options): Filter {
  const { sort, desc, safety, limit: _limit, ...filter } = options;
  return {
    ...filter,
    ...(servers.length > 0 && { servers }),
    includeDisabled: true,
    ...(json && { explain: true }),
    sortBy: sort,
    sortDirection: desc ? 'desc' : 'asc',
    ...(safety && { safetyLevel: safety }),
  };
}
