/** `toolkeep sign-in` and `sign-out`: OAuth for remote servers, in the browser. */
import type { Command } from 'commander';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { count, printDone } from '../terminal.ts';

const refusedWithinMs = 500;

export function addSignInCommands(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const { dim } = terminal.style;

  program
    .command('sign-in <server>')
    .description('Sign in to a server; opens the browser')
    .option('--json', 'print JSON')
    .action((server: string, options: { json?: true }) =>
      runWithCore(cli, options, async ({ client }) => {
        // A sign-in that fails at once does so within this time, so show the hint only afterward.
        const wait = () => terminal.err(dim('Waiting for the sign-in in the browser. Press Ctrl-C to cancel.'));
        const waiting = options.json ? undefined : setTimeout(wait, refusedWithinMs);
        const view = await client.call('servers.signIn', { server }).finally(() => clearTimeout(waiting));
        if (options.json) printJson(terminal, view);
        else printDone(terminal, `Signed in to "${server}": ${count(view.toolCount, 'tool')}.`);
      }),
    );

  program
    .command('sign-out <server>')
    .description('Sign out of a server and delete its tokens')
    .action((server: string) =>
      runWithCore(cli, {}, async ({ client }) => {
        await client.call('servers.signOut', { server });
        printDone(terminal, `Signed out of "${server}".`);
      }),
    );
}
