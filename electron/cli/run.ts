/** Shared by all commands: opening a Core, reporting failures, and printing only JSON with --json. */
import { type Failure, toFailure } from '../../shared/failure.ts';
import type { CoreClient } from '../../shared/protocol/contract.ts';
import { withJsonEscapes } from '../../shared/visible-text.ts';
import { type OpenCore, openCore } from './core.ts';
import { exit, exitCodeOf, nextStep } from './exit.ts';
import { type Style, safe, safeLines, type Terminal } from './terminal.ts';
import { problemsText } from './text/config.ts';

export interface Cli {
  terminal: Terminal;
  /** Sets the exit code of the process. */
  setExit(code: number): void;
}

export interface Output {
  json?: boolean;
}

/** The work of a command. Resolves with its exit code; by default `exit.ok`. */
type Work<A extends unknown[]> = (...args: A) => Promise<number> | Promise<void>;

/** The Core that a command works with, and how the command prints its result. */
interface Session extends OpenCore {
  /** Prints the value with --json, otherwise its text. */
  show<T>(value: T, text: (value: T, style: Style) => string): void;
}

/** Runs `work` and sets the exit code that it returns, or the code for its failure. */
export async function run(cli: Cli, { json }: Output, work: Work<[]>): Promise<void> {
  try {
    cli.setExit((await work()) ?? exit.ok);
  } catch (error) {
    const failure = toFailure(error);
    if (json) printJson(cli.terminal, { success: false, error: failure });
    else printFailure(cli.terminal, failure);
    if (failure.code === 'INTERNAL' && cli.terminal.env.TOOLKEEP_LOG === 'debug' && error instanceof Error)
      cli.terminal.err(String(error.stack));
    cli.setExit(exitCodeOf(failure));
  }
}

/** Like `run`, but with a Core that is closed afterwards. */
export function runWithCore(cli: Cli, output: Output, work: Work<[Session]>): Promise<void> {
  const { terminal } = cli;
  return run(cli, output, async () => {
    const core = await openCore(terminal);
    try {
      const code = await work({
        ...core,
        show(value, text) {
          if (output.json) printJson(terminal, value);
          else terminal.out(text(value, terminal.style));
        },
      });
      return code ?? exit.ok;
    } finally {
      await core.close();
    }
  });
}

/** Prints to stderr what is wrong with the config file and the settings. Resolves with the exit code: an error only for the former. */
export async function reportInvalid(client: CoreClient, { err, errStyle }: Terminal): Promise<number> {
  const { problems } = await client.call('config.validate');
  const broken = problems.filter(({ code }) => code === 'CONFIG_INVALID' || code === 'SETTINGS_DAMAGED');
  if (broken.length > 0) err(problemsText(broken, errStyle));
  return broken.some(({ code }) => code === 'CONFIG_INVALID') ? exit.configError : exit.ok;
}

export function printJson(terminal: Terminal, value: unknown): void {
  terminal.out(withJsonEscapes(JSON.stringify(value, null, 2)));
}

export function printFailure(terminal: Terminal, failure: Failure): void {
  const { bad, dim } = terminal.errStyle;
  terminal.err(`${bad('✗')} ${safeLines(failure.message, 4)}`);
  const next = nextStep(failure);
  if (next) terminal.err(`  ${dim(safe(next))}`);
}
