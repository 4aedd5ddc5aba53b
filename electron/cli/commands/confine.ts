/** `toolkeep confine`: starts a server in a sandbox from now on, or without one. */
import type { Command } from 'commander';
import type { ConfinementTrial } from '../../../shared/model/sandbox.ts';
import { exit } from '../exit.ts';
import { examples } from '../options.ts';
import { type Cli, printJson, runWithCore } from '../run.ts';
import { count, printDone, safe } from '../terminal.ts';

export function addConfineCommand(program: Command, cli: Cli): void {
  const { terminal } = cli;
  program
    .command('confine')
    .description('Confine a local server if it then lists the same tools; Linux only')
    .argument('<server>', 'name of the server')
    .option('--off', 'run it unconfined again')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('confine github', 'confine github --off'))
    .action((server: string, options: { off?: true; json?: true }) =>
      runWithCore(cli, options, async ({ client }) => {
        const trial = await client.call('servers.confine', { server, isWanted: !options.off });
        const { failure, different, same } = trial;
        const isChanged = !failure && different.length === 0;
        if (options.json) printJson(terminal, trial);
        else if (options.off) printDone(terminal, `${safe(server)} runs unconfined.`);
        else if (isChanged)
          printDone(terminal, `${safe(server)} is confined and lists the same ${count(same, 'tool')}.`);
        else terminal.out(`${safe(server)} stays unconfined. ${failureText(trial)}`);
        return isChanged ? exit.ok : exit.failed;
      }),
    );
}

function failureText({ failure, different }: ConfinementTrial): string {
  if (!failure) return `Confined, it lists other tools: ${safe(different.join(', '))}.`;
  return safe([failure.message, failure.hint].filter(Boolean).join(' '));
}
