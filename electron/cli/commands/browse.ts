/** `toolkeep list`, `restart`, `search`, `inspect`: servers and their tools. */

import type { Command } from 'commander';
import { ToolkeepError } from '../../../shared/failure.ts';
import { firstSentence } from '../../../shared/first-sentence.ts';
import { notSearched } from '../../../shared/server-facts.ts';
import { settled } from '../core.ts';
import { exit } from '../exit.ts';
import { examples, wholeNumber } from '../options.ts';
import { type Cli, printJson, reportInvalid, runWithCore } from '../run.ts';
import { count, printDone, safe, safeLines } from '../terminal.ts';
import { examplesOf, parametersOf } from '../text/parameters.ts';
import { serversJson, serversText } from '../text/servers.ts';
import { hitsText, isRunnable, toolText } from '../text/tools.ts';

export function addBrowseCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;

  program
    .command('list')
    .description('List all configured MCP servers')
    .option('--status', 'show the connection status only')
    .option('--tools', 'show the number of tools only')
    .option('--json', 'print JSON')
    .action((options: { status?: true; tools?: true; json?: true }) =>
      runWithCore(cli, options, async (core) => {
        const servers = await settled(core, terminal);
        const { discovery } = await core.client.call('core.status');
        const show = { status: Boolean(options.status), tools: Boolean(options.tools) };
        if (options.json) printJson(terminal, serversJson(servers));
        else terminal.out(serversText(servers, discovery, show, terminal.style));
        // The list shows the last valid configuration; the exit code still reports the broken file to a script.
        return reportInvalid(core.client, terminal);
      }),
    );

  program
    .command('restart')
    .description('Stop a server, start it and list its tools again')
    .argument('<server>', 'name of the server')
    .option('--json', 'print JSON')
    .action((server: string, options: { json?: true }) =>
      runWithCore(cli, options, async ({ client }) => {
        const view = await client.call('servers.restart', { server });
        if (view.failure) throw new ToolkeepError(view.failure);
        if (options.json) printJson(terminal, { server, toolCount: view.toolCount, phases: view.phases });
        else printDone(terminal, `${server} is running, with ${count(view.toolCount, 'tool')}.`);
      }),
    );

  program
    .command('search')
    .description('Search the tools of all servers')
    .argument('<query>', 'what the tool should do')
    .option('--server <name>', 'search one server only')
    .option('--limit <n>', 'maximum number of results', wholeNumber(100), 10)
    .option('--json', 'print JSON')
    .addHelpText('after', examples('search "github issue"', 'search create --server github', 'search file --limit 5'))
    .action((query: string, options: { server?: string; limit: number; json?: true }) =>
      runWithCore(cli, options, async (core) => {
        const { server } = options;
        const views = await settled(core, terminal, server);
        const missing = notSearched(views.filter(({ id, isUnavailable }) => isUnavailable && id === (server ?? id)));
        if (missing !== undefined)
          terminal.err(`${terminal.errStyle.warn('!')} ${safe(missing)} \`toolkeep list\` shows why.`);
        const hits = await core.client.call('tools.search', { query, limit: options.limit, server });
        if (options.json) printJson(terminal, { query, results: hits });
        else if (hits.length > 0) terminal.out(hitsText(query, hits, terminal.style));
        else
          terminal.out(
            `No tools found for "${query}".\n\nTry other words, or run \`toolkeep list\` to see the servers.`,
          );
        return hits.length > 0 ? exit.ok : exit.notFound;
      }),
    );

  program
    .command('inspect')
    .description('Show all details of one tool')
    .argument('<server>', 'name of the server')
    .argument('<tool>', 'name of the tool')
    .option('--examples', 'show usage examples')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('inspect github create_issue', 'inspect github create_issue --examples'))
    .action((server: string, name: string, options: { examples?: true; json?: true }) =>
      runWithCore(cli, options, async (core) => {
        const view = (await settled(core, terminal, server)).find(({ id }) => id === server);
        const [tool, clients, rules] = await Promise.all([
          core.client.call('tools.details', { server, tool: name }),
          core.client.call('tools.compatibility', { server, tool: name }),
          core.client.call('rules.list'),
        ]);
        const parameters = parametersOf(tool);
        if (options.json) {
          const { name: _name, key: _key, ...rest } = tool;
          printJson(terminal, {
            ...rest,
            tool: name,
            enabled: isRunnable(tool, view),
            summary: firstSentence(safeLines(tool.description, 0)),
            parameters,
            examples: examplesOf(tool),
            clients,
          });
          return;
        }
        const examples = options.examples ? examplesOf(tool) : [];
        terminal.out(toolText(tool, { parameters, clients, rules, view, examples }, terminal.style));
      }),
    );
}
