/** `toolkeep allow` and `toolkeep grants`: choose and list the calls that need no approval. */
import type { Command } from 'commander';
import { ToolkeepError } from '../../../shared/failure.ts';
import type { Condition, GrantView } from '../../../shared/model/question.ts';
import { settled } from '../core.ts';
import { badArguments, exit } from '../exit.ts';
import { examples } from '../options.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { safe } from '../terminal.ts';

export function addGrantCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;
  program
    .command('allow')
    .description("Let a server's tools run without approval")
    .argument('<server>', 'name of the server')
    .option('--acts', 'every tool except dangerous ones')
    .option('--tool <name>', 'one tool, even if it is dangerous')
    .addHelpText('after', examples('allow github --acts', 'allow github --tool create_issue'))
    .action((server: string, options: { acts?: true; tool?: string }) =>
      runWithCore(cli, {}, async (core) => {
        const { acts, tool } = options;
        if ((acts === undefined) === (tool === undefined))
          throw new ToolkeepError(badArguments('Choose --acts or --tool NAME.', 'See `toolkeep allow --help`.'));
        await settled(core, terminal, server);
        if (tool === undefined) {
          await core.client.call('grants.allowActs', { server });
          terminal.out(safe(`Every client may call the tools of ${server} without approval, except dangerous ones.`));
        } else {
          await core.client.call('tools.setPolicy', { server, tool, confirm: 'never' });
          terminal.out(safe(`${server}:${tool} runs without approval.`));
        }
        return exit.ok;
      }),
    );

  const grants = program.command('grants').description('List and revoke grants, the approvals that outlive one call');
  grants
    .command('list', { isDefault: true })
    .description('List the grants')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) =>
      runWithCore(cli, options, async (core) => {
        const found = await core.client.call('grants.list');
        if (options.json) printJson(terminal, { grants: found });
        else terminal.out(found.length === 0 ? 'No grants.' : found.map(grantText).join('\n'));
        return exit.ok;
      }),
    );
  grants
    .command('revoke')
    .description('Revoke a grant')
    .argument('<id>', 'the ID that `toolkeep grants list` shows')
    .action((id: string) =>
      runWithCore(cli, {}, async (core) => {
        const known = await core.client.call('grants.list');
        if (!known.some((grant) => grant.id === id))
          throw new ToolkeepError(
            badArguments(`There is no grant with the ID ${safe(id)}.`, 'See `toolkeep grants list`.'),
          );
        await core.client.call('grants.revoke', { id });
        terminal.out('Revoked.');
        return exit.ok;
      }),
    );
}

function grantText({
  id,
  client,
  server,
  tool,
  covers,
  scope,
  expiresAt,
  choices = [],
  conditions,
}: GrantView): string {
  const target = covers === 'acts' ? `${server}, every tool except dangerous ones` : `${server}:${tool}`;
  const until = expiresAt === undefined ? '' : ` until ${new Date(expiresAt).toLocaleString()}`;
  const limits = [...choices, ...conditions].map((condition) => `\n    only if ${describeCondition(condition)}`);
  return safe(`${id}  ${target}  for ${client || 'every client'}, ${scope}${until}${limits.join('')}`);
}

function describeCondition(condition: Condition): string {
  if (condition.kind === 'inside') return `every path is inside ${condition.value}`;
  return `${condition.argument} ${condition.kind === 'is' ? 'is' : 'is on'} ${condition.value}`;
}
