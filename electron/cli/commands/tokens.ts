/** `toolkeep token`: the bearer tokens of HTTP clients. */
import type { Command } from 'commander';
import { exit } from '../exit.ts';
import { examples, refuseUnknownCommands } from '../options.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { printDone, safe } from '../terminal.ts';

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
      runWithCore(cli, options, async ({ client }) => {
        const list = await client.call('tokens.list');
        if (options.json) printJson(terminal, list);
        else if (list.length === 0) terminal.out('No tokens. Create one with: toolkeep token create NAME');
        for (const { name, kind, profile, createdAt } of options.json ? [] : list) {
          const use = kind === 'status' ? 'status only, ' : '';
          const about = `${use}${profile === undefined ? 'all servers' : `profile ${profile}`}, created ${day(createdAt)}`;
          terminal.out(`${safe(name)}  ${terminal.style.dim(safe(about))}`);
        }
        return exit.ok;
      }),
    );
  refuseUnknownCommands(list);

  /** Only the secret goes to stdout, so that a script can capture it. */
  const show = (token: string) => {
    terminal.err(terminal.errStyle.dim('Give this token to the client now; Toolkeep keeps only its hash:'));
    terminal.out(token);
  };

  tokens
    .command('create <name>')
    .description('Create a token for one client and print it once')
    .option('--profile <name>', 'limit the client to this profile')
    .option('--status', 'the token opens only the status at /api/status/debug, and no tool')
    .option('--json', 'print JSON')
    .action((name: string, options: { profile?: string; status?: true; json?: true }) =>
      runWithCore(cli, options, async ({ client }) => {
        const created = await client.call('tokens.create', {
          name,
          kind: options.status ? 'status' : 'client',
          profile: options.profile,
        });
        if (options.json) printJson(terminal, created);
        else show(created.token);
        return exit.ok;
      }),
    );

  tokens
    .command('rotate <name>')
    .description('Replace a token and print the new one once; the old one stops working')
    .option('--json', 'print JSON')
    .action((name: string, options: { json?: true }) =>
      runWithCore(cli, options, async ({ client }) => {
        const rotated = await client.call('tokens.rotate', { name });
        if (options.json) printJson(terminal, rotated);
        else show(rotated.token);
        return exit.ok;
      }),
    );

  tokens
    .command('revoke <name>')
    .description('Revoke a token; its client is disconnected')
    .action((name: string) =>
      runWithCore(cli, {}, async ({ client }) => {
        await client.call('tokens.revoke', { name });
        printDone(terminal, `Revoked "${name}".`);
        return exit.ok;
      }),
    );
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10);
