/** The commands of the command line, with their options and help. */
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { addBrowseCommands } from './commands/browse.ts';
import { addBundleCommand } from './commands/bundle.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConfigCommands } from './commands/config.ts';
import { addConfineCommand } from './commands/confine.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addExecuteCommand } from './commands/execute.ts';
import { addGrantCommands } from './commands/grants.ts';
import { addImportCommand } from './commands/import.ts';
import { addInstallCommands } from './commands/install.ts';
import { addObserveCommands } from './commands/observe.ts';
import { addOverrideCommand } from './commands/override.ts';
import { addProcessCommands } from './commands/processes.ts';
import { addProfileCommands } from './commands/profiles.ts';
import { addRegistryCommands } from './commands/registry.ts';
import { addSecretsCommands } from './commands/secrets.ts';
import { addSetupCommands } from './commands/setup.ts';
import { addSignInCommands } from './commands/sign-in.ts';
import { addTokenCommands } from './commands/tokens.ts';
import { addToolsCommand } from './commands/tools.ts';
import { addTrustCommands } from './commands/trust.ts';
import { exit } from './exit.ts';
import { examples } from './options.ts';
import type { Cli } from './run.ts';

export function createProgram(cli: Cli): Command {
  const program = new Command('toolkeep')
    .description('A gateway to all your MCP servers.')
    .version(manifest.version)
    .showSuggestionAfterError()
    .exitOverride()
    .addHelpText(
      'after',
      examples('import', 'list', 'search "create issue"', "execute github create_issue --args '{}'"),
    );
  addBrowseCommands(program, cli);
  addToolsCommand(program, cli);
  addExecuteCommand(program, cli);
  addConfigCommands(program, cli);
  addOverrideCommand(program, cli);
  addConfineCommand(program, cli);
  addGrantCommands(program, cli);
  addObserveCommands(program, cli);
  addDoctorCommand(program, cli);
  addImportCommand(program, cli);
  addInstallCommands(program, cli);
  addRegistryCommands(program, cli);
  addBundleCommand(program, cli);
  addSecretsCommands(program, cli);
  addSignInCommands(program, cli);
  addProfileCommands(program, cli);
  addSetupCommands(program, cli);
  addTokenCommands(program, cli);
  addTrustCommands(program, cli);
  addProcessCommands(program, cli);
  addCompletionCommand(program, cli);
  endWithHelp(program, 'toolkeep');
  return program;
}

/** Runs the command that `argv` names: the words after Node and the script. */
export async function runProgram(program: Command, { setExit }: Cli, argv: string[]): Promise<void> {
  try {
    // Without `from`, Commander would treat the script as the first argument in the packaged app.
    await program.parseAsync(argv, { from: 'node' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    setExit(error.exitCode === 0 ? exit.ok : exit.badArguments);
  }
}

/** Makes errors in a command's options point to that command's help. */
function endWithHelp(command: Command, words: string): void {
  command.exitOverride().showHelpAfterError(`(see: ${words} --help)`);
  for (const inner of command.commands) endWithHelp(inner, `${words} ${inner.name()}`);
}
