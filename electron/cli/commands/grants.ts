/** `toolkeep allow` and `toolkeep grants`: choose and list the calls that need no approval. */
import type { Command } from 'commander';
import type { Condition, Destination, GrantView, KnownDestinationView } from '../../../shared/model/question.ts';
import { confirm } from '../confirm.ts';
import { settled } from '../core.ts';
import { badArguments, exit } from '../exit.ts';
import { examples } from '../options.ts';
import { type Cli, runWithCore } from '../run.ts';
import { safe } from '../terminal.ts';

export function addGrantCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;
  program
    .command('allow')
    .description("Let a server's tools run without approval")
    .argument('<server>', 'name of the server')
    .option('--acts', 'every tool except dangerous ones')
    .option('--tool <name>', 'one tool, even if it is dangerous')
    .option('--any-destination', 'also calls to destinations that you have not allowed')
    .option('--destination <kind=value...>', 'calls to these destinations, as an error names them')
    .addHelpText(
      'after',
      examples(
        'allow github --acts',
        'allow github --tool create_issue',
        'allow gmail --destination email=ann@example.com',
      ),
    )
    .action((server: string, options: AllowOptions) =>
      runWithCore(cli, {}, async (core) => {
        const { acts, tool, destination } = options;
        if (acts && tool !== undefined) throw badArguments('Choose --acts or --tool NAME.', seeHelp);
        if (!acts && tool === undefined && destination === undefined)
          throw badArguments('Choose --acts, --tool NAME or --destination KIND=VALUE.', seeHelp);
        const destinations = options.anyDestination ? 'any' : 'known';
        const limit = options.anyDestination ? '' : ' A call to a new destination still needs approval.';
        if (destination) {
          await core.client.call('grants.allowDestinations', {
            server,
            destinations: destination.map(parseDestination),
          });
          terminal.out(safe(`Every client may use these destinations of ${server}: ${destination.join(', ')}`));
        }
        if (acts || tool !== undefined) await settled(core, terminal, server);
        if (acts) {
          await core.client.call('grants.allowActs', { server, destinations });
          const text = `Every client may call the tools of ${server} without approval, except dangerous ones.`;
          terminal.out(safe(text + limit));
        } else if (tool !== undefined) {
          await core.client.call('tools.setPolicy', { server, tool, confirm: 'never', destinations });
          terminal.out(safe(`${server}:${tool} runs without approval.${limit}`));
        }
      }),
    );

  const grants = program.command('grants').description('List and revoke grants, the approvals that outlive one call');
  grants
    .command('list', { isDefault: true })
    .description('List the grants')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) =>
      runWithCore(cli, options, async ({ client, show }) => {
        const found = { grants: await client.call('grants.list') };
        show(found, ({ grants }) => grants.map(grantText).join('\n') || 'No grants.');
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
          throw badArguments(`There is no grant with the ID ${safe(id)}.`, 'See `toolkeep grants list`.');
        await core.client.call('grants.revoke', { id });
        terminal.out('Revoked.');
      }),
    );
  grants
    .command('limit')
    .description('Limit a grant for any destination to the destinations of its approved calls')
    .argument('<id>', 'the ID that `toolkeep grants list` shows')
    .option('--yes', 'limit it without asking')
    .action((id: string, options: { yes?: true }) =>
      runWithCore(cli, {}, async (core) => {
        const destinations = await core.client.call('grants.usedDestinations', { id });
        terminal.out('These destinations stay allowed. Each other one needs approval.');
        terminal.out(destinations.map(({ kind, value }) => safe(`  ${kind}=${value}`)).join('\n') || '  (none)');
        if (!(await confirm(terminal, { ...options, hasPreview: false }, 'Limit the grant?', 'Pass --yes to limit it')))
          return exit.failed;
        await core.client.call('grants.limit', { id, destinations });
        terminal.out('Limited.');
        return exit.ok;
      }),
    );
  grants
    .command('destinations')
    .description('List the destinations that you have allowed')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) =>
      runWithCore(cli, options, async ({ client, show }) => {
        const destinations = await client.call('grants.destinations');
        show({ destinations }, () => destinations.map(destinationText).join('\n') || 'No destinations.');
      }),
    );
  grants
    .command('forget')
    .description('Forget a destination, so that the next call to it needs approval')
    .argument('<id>', 'the ID that `toolkeep grants destinations` shows')
    .action((id: string) =>
      runWithCore(cli, {}, async (core) => {
        await core.client.call('grants.forget', { id });
        terminal.out('Forgotten.');
      }),
    );
}

interface AllowOptions {
  acts?: true;
  tool?: string;
  destination?: string[];
  anyDestination?: true;
}

const seeHelp = 'See `toolkeep allow --help`.';

/** `email=ann@example.com`; with the tool in front if its destinations are its own: `delete_user:email=ann@example.com`. */
function parseDestination(text: string): Destination {
  const [, tool, kind, value] = /^(?:([^=]+):)?([^=:]+)=(.+)$/s.exec(text) ?? [];
  if (kind === undefined || value === undefined)
    throw badArguments(`${safe(text)} is not KIND=VALUE.`, 'For example: --destination email=ann@example.com');
  return { kind, value, ...(tool !== undefined && { tool }) };
}

function destinationText({ id, kind, value, server, tool, client }: KnownDestinationView): string {
  const place = tool === undefined ? server : `${server}:${tool}`;
  return safe(`${id}  ${kind}=${value}  on ${place} for ${client || 'every client'}`);
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
  destinations,
}: GrantView): string {
  const target = covers === 'acts' ? `${server}, every tool except dangerous ones` : `${server}:${tool}`;
  const until = expiresAt === undefined ? '' : ` until ${new Date(expiresAt).toLocaleString()}`;
  const reach = destinations === undefined && conditions.length === 0 ? ', any destination' : '';
  const limits = [...choices, ...conditions].map((condition) => `    only if ${describeCondition(condition)}`);
  const line = `${id}  ${target}  for ${client || 'every client'}, ${scope}${until}${reach}`;
  return [line, ...limits].map(safe).join('\n');
}

function describeCondition(condition: Condition): string {
  if (condition.kind === 'inside') return `every path is inside ${condition.value}`;
  const relation = { is: 'is', atMost: 'is at most', host: 'is on' }[condition.kind];
  return `${condition.argument} ${relation} ${condition.value}`;
}
