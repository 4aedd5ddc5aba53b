/** `toolkeep token`: the bearer tokens of HTTP clients. */
import type { Command } from 'commander';
import type { TokenView } from '../../../shared/model/token.ts';
import { examples, refuseUnknownCommands } from '../options.ts';
import { type Cli, runWithCore } from '../run.ts';
import { printDone, type Style, safe } from '../terminal.ts';

export function addTokenCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const tokens = program
    .command('token')
    .description('Manage the tokens with which clients connect over HTTP')
    .addHelpText(
      'after',
      examples(
        'token create cursor',
        'token create ci --profile work',
        'token create monitor --status',
        'token revoke cursor',
      ),
    );

  const list = tokens
    .command('list', { isDefault: true })
    .description('List the tokens, without their values')
    .option('--json', 'print JSON')
    .action((options: { json?: true }) =>
      runWithCore(cli, options, async ({ client, show }) => show(await client.call('tokens.list'), tokensText)),
    );
  refuseUnknownCommands(list);

  /** Only the secret goes to stdout, so that a script can capture it. */
  const tokenText = ({ token }: { token: string }) => {
    terminal.err(terminal.errStyle.dim('Give this token to the client now; Toolkeep keeps only its hash:'));
    return token;
  };

  tokens
    .command('create <name>')
    .description('Create a token for one client and print it once')
    .option('--profile <name>', 'limit the client to this profile')
    .option('--status', 'the token opens only the status at /api/status/debug, and no tool')
    .option('--json', 'print JSON')
    .action((name: string, options: { profile?: string; status?: true; json?: true }) =>
      runWithCore(cli, options, async ({ client, show }) => {
        const kind = options.status ? 'status' : 'client';
        show(await client.call('tokens.create', { name, kind, profile: options.profile }), tokenText);
      }),
    );

  tokens
    .command('rotate <name>')
    .description('Replace a token and print the new one once; the old one stops working')
    .option('--json', 'print JSON')
    .action((name: string, options: { json?: true }) =>
      runWithCore(cli, options, async ({ client, show }) =>
        show(await client.call('tokens.rotate', { name }), tokenText),
      ),
    );

  tokens
    .command('revoke <name>')
    .description('Revoke a token; its client is disconnected')
    .action((name: string) =>
      runWithCore(cli, {}, async ({ client }) => {
        await client.call('tokens.revoke', { name });
        printDone(terminal, `Revoked "${name}".`);
      }),
    );
}

function tokensText(tokens: readonly TokenView[], style: Style): string {
  if (tokens.length === 0) return 'No tokens. Create one with: toolkeep token create NAME';
  return tokens
    .map(({ name, kind, profile, createdAt }) => {
      const use = kind === 'status' ? 'status only, ' : '';
      const about = `${use}${profile === undefined ? 'all servers' : `profile ${profile}`}, created ${day(createdAt)}`;
      return `${safe(name)}  ${style.dim(safe(about))}`;
    })
    .join('\n');
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10);
