/** The entry point of the command line: `toolkeep <command>`. */
import { exit } from './exit.ts';
import { createProgram, runProgram } from './program.ts';
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

// If the reader closes the pipe early (`| head`), exit successfully.
process.stdout.on('error', () => process.exit(exitCode));
await runProgram(createProgram(cli), cli, process.argv);
// All work is done. Flush the output, then exit even if a library left a handle open.
process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
