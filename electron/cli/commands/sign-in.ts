/** `gatehouse sign-in` and `sign-out`: at servers that want an account, in the browser. */
import type { Command } from 'commander';
import { exit } from '../exit.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { count, safe } from '../terminal.ts';

const refusedWithinMs = 500;

export function addSignInCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const { good, dim } = terminal.style;

  program
    .command('sign-in <server>')
    .description('Sign in at a server that wants it; the browser opens')
    .option('--json', 'print JSON')
    .action((server: string, options: { json?: true }) =>
      runWithCore(cli, options, async ({ client }) => {
        // A refusal comes at once.
        const wait = () => terminal.err(dim('Waiting for you in the browser; Ctrl-C gives up.'));
        const waiting = options.json ? undefined : setTimeout(wait, refusedWithinMs);
        const view = await client.call('servers.signIn', { server }).finally(() => clearTimeout(waiting));
        if (options.json) printJson(terminal, view);
        else terminal.out(`${good('✓')} Signed in at "${safe(server)}": ${count(view.toolCount, 'tool')}.`);
        return exit.ok;
      }),
    );

  program
    .command('sign-out <server>')
    .description('Forget the sign-in at a server, there and here')
    .action((server: string) =>
      runWithCore(cli, {}, async ({ client }) => {
        await client.call('servers.signOut', { server });
        terminal.out(`${good('✓')} Signed out at "${safe(server)}".`);
        return exit.ok;
      }),
    );
}
