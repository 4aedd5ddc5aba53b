/** The entry point of the command line: `toolkeep <command>`. */
import { CommanderError } from 'commander';
import { exit } from './exit.ts';
import { createProgram } from './program.ts';
import type { Cli } from './run.ts';
import { openTerminal } from './terminal.ts';

const terminal = openTerminal(process);
let exitCode: number = exit.ok;
const cli: Cli = {
  terminal,
  setExit(code) {
    exitCode = code;
  },
};

const program = createProgram(cli);

// If the reader closes the pipe early (`| head`), exit successfully.
process.stdout.on('error', () => process.exit(exitCode));
try {
  // Without `from`, Commander would treat the script as the first argument in the packaged app.
  await program.parseAsync(process.argv, { from: 'node' });
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  exitCode = error.exitCode === 0 ? exit.ok : exit.badArguments;
}
// All work is done. Flush the output, then exit even if a library left a handle open.
process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
