/** `gatehouse execute`: runs one tool under the same rules, checks and questions as an agent. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { CommandOutput } from '../../../shared/contract.ts';
import { type Failure, GatehouseError, toFailure } from '../../../shared/failure.ts';
import { type Asking, answerQuestions } from '../ask.ts';
import { type OpenCore, openCore, settled } from '../core.ts';
import { badArguments, exit, exitCodeOf, nextStep } from '../exit.ts';
import { examples } from '../options.ts';
import { type Cli, printJson, run } from '../run.ts';
import { indent, safe, type Terminal } from '../terminal.ts';
import { resultText } from '../text/result.ts';

interface Options {
  args: string;
  json?: true;
  stream?: true;
}

type CallResult = CommandOutput<'tools.execute'>;

export function addExecuteCommand(program: Command, cli: Cli): void {
  program
    .command('execute')
    .description('Run a tool')
    .argument('<server>', 'name of the server')
    .argument('<tool>', 'name of the tool')
    .requiredOption('--args <json>', 'arguments as JSON; @file reads them from a file, - from standard input')
    .option('--stream', 'show progress as it comes')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        `execute github create_issue --args '{"repo":"owner/repo","title":"Bug report"}'`,
        'execute files read_file --args @arguments.json --json',
        `execute server tool --args - < arguments.json`,
      ),
    )
    .action((server: string, tool: string, options: Options) =>
      run(cli, options, () => execute(cli.terminal, server, tool, options)),
    );
}

async function execute(terminal: Terminal, server: string, tool: string, options: Options): Promise<number> {
  const { style } = terminal;
  let result: CallResult;
  if (!options.json) terminal.out(`Executing: ${safe(`${server}:${tool}`)}\n`);
  try {
    const args = await readArguments(terminal, options.args);
    const core = await openCore(terminal, { answersQuestions: terminal.canAsk });
    try {
      await settled(core, terminal, server);
      result = await call(core, terminal, { server, tool, arguments: args, stream: Boolean(options.stream) });
    } finally {
      await core.close();
    }
  } catch (error) {
    return report(terminal, { server, tool, ...toFailure(error) }, options);
  }
  if (result.isError === true) {
    const message = resultText(result);
    return report(terminal, { code: 'TOOL_EXECUTION_ERROR', message, server, tool }, options, result);
  }
  if (options.json) printJson(terminal, { success: true, result });
  else terminal.out(`${style.good('✓')} Success\n\nResult:\n${indent(resultText(result), 2)}`);
  return exit.ok;
}

async function call(
  core: OpenCore,
  terminal: Terminal,
  { stream, ...input }: { server: string; tool: string; arguments: Record<string, unknown>; stream: boolean },
): Promise<CallResult> {
  const callId = randomUUID();
  const asking = terminal.canAsk ? answerQuestions(core.client, terminal, input) : undefined;
  const stopStream = stream && core.client.on('calls.progressed', (event) => showProgress(terminal, event, callId));
  const cancel = () => void core.client.call('tools.cancel', { callId }).catch(() => undefined);
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  try {
    for (;;) {
      try {
        return await core.client.call('tools.execute', { ...input, callId });
      } catch (error) {
        const failure = toFailure(error);
        // A client is told to call again when the person takes long; here the person is the one who calls.
        if (asking && failure.code === 'APPROVAL_PENDING') continue;
        // The person who is asked whether to switch it on is this one; the command stays until they said so.
        if (asking && exitCodeOf(failure) === exit.disabled)
          throw new GatehouseError(await afterOffer(failure, asking));
        throw error;
      }
    }
  } finally {
    process.off('SIGINT', cancel).off('SIGTERM', cancel);
    if (stopStream) stopStream();
    asking?.stop();
  }
}

async function afterOffer({ hint: _, ...failure }: Failure, asking: Asking): Promise<Failure> {
  return (await asking.switchedOn()) ? { ...failure, hint: 'It is switched on now. Run the command again.' } : failure;
}

/** Progress goes to stderr, so that what a script reads on stdout stays the result alone. */
function showProgress(
  terminal: Terminal,
  event: { callId: string; progress: number; total?: number | undefined; message?: string | undefined },
  callId: string,
): void {
  if (event.callId !== callId) return;
  const amount = event.total ? `${Math.round((event.progress / event.total) * 100)}%` : String(event.progress);
  terminal.err(terminal.errStyle.dim(safe(`… ${amount}${event.message ? ` ${event.message}` : ''}`)));
}

function report(terminal: Terminal, failure: Failure, options: Options, result?: CallResult): number {
  const { code, message, server, tool } = failure;
  const { bad, dim } = terminal.style;
  if (options.json) printJson(terminal, { success: false, error: failure, ...(result ? { result } : {}) });
  else {
    terminal.out(`${bad('✗')} Error\n\nCode: ${code}\nMessage: ${safe(message)}\nServer: ${server}\nTool: ${tool}`);
    const next = code === 'TOOL_EXECUTION_ERROR' ? '' : nextStep(failure);
    if (next) terminal.out(`\n${dim(safe(next))}`);
  }
  return exitCodeOf(failure);
}

async function readArguments(terminal: Terminal, written: string): Promise<Record<string, unknown>> {
  const [text, place] = await argumentsText(terminal, written);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new GatehouseError(
      badArguments(
        `${place} is not valid JSON: ${(error as Error).message}`,
        `Write it like --args '{"path":"README.md"}'.`,
      ),
    );
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new GatehouseError(badArguments(`${place} must be a JSON object, for example '{"path":"README.md"}'.`));
}

async function argumentsText(terminal: Terminal, written: string): Promise<[text: string, place: string]> {
  if (written === '-') return [await readAll(terminal.stdin), 'Standard input'];
  if (!written.startsWith('@')) return [written, '--args'];
  const file = resolve(terminal.cwd, written.slice(1));
  try {
    return [await readFile(file, 'utf8'), file];
  } catch (error) {
    throw new GatehouseError(badArguments(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`));
  }
}
