/** `toolkeep completion`: prints the completion script of a shell. */
import { Argument, type Command } from 'commander';
import { completionScript, shells } from '../completion-script.ts';
import { examples } from '../options.ts';
import { type Cli, run } from '../run.ts';

export function addCompletionCommand(program: Command, cli: Cli): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', examples('completion bash > ~/.local/share/bash-completion/completions/toolkeep'))
    .action((shell: (typeof shells)[number]) =>
      run(cli, {}, async () => {
        cli.terminal.out(completionScript(program, shell).trimEnd());
      }),
    );
}
