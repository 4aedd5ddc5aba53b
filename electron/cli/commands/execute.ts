/** `toolkeep execute`: runs one tool with the same rules, checks and questions as for an agent. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import { type Failure, ToolkeepError, toFailure } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { type OpenCore, openCore, settled } from '../core.ts';
import { badArguments, exit, exitCodeOf, nextStep } from '../exit.ts';
import { examples } from '../options.ts';
import { answerQuestions, type QuestionPrompt } from '../prompt.ts';
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
    .option('--stream', 'show progress while the tool runs')
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
    return report(terminal, { server, tool, ...forTerminal(toFailure(error)) }, options);
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
  const prompt = terminal.canAsk ? answerQuestions(core.client, terminal, input) : undefined;
  const stopStream = stream && core.client.on('calls.progress', (event) => showProgress(terminal, event, callId));
  const cancel = () => void core.client.call('tools.cancel', { callId }).catch(() => undefined);
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  try {
    for (;;) {
      try {
        return await core.client.call('tools.execute', { ...input, callId });
      } catch (error) {
        const failure = toFailure(error);
        // The approval question is still open at this terminal: call again to keep waiting for it.
        if (prompt && failure.code === 'APPROVAL_PENDING') continue;
        // This terminal is still asking whether to enable the tool: wait for the answer.
        if (prompt && exitCodeOf(failure) === exit.disabled)
          throw new ToolkeepError(await afterEnableRequest(failure, prompt));
        throw error;
      }
    }
  } finally {
    process.off('SIGINT', cancel).off('SIGTERM', cancel);
    if (stopStream) stopStream();
    prompt?.stop();
  }
}

async function afterEnableRequest({ hint: _, ...failure }: Failure, prompt: QuestionPrompt): Promise<Failure> {
  return (await prompt.wasEnabled()) ? { ...failure, hint: 'It is now enabled. Run the command again.' } : failure;
}

/** Replaces the hints that tell an agent to repeat its call. */
function forTerminal(failure: Failure): Failure {
  if (failure.code === 'APPROVAL_PENDING')
    return { ...failure, hint: 'Answer in the Toolkeep window and run the command again, or run it in a terminal.' };
  if (failure.code === 'CALL_PENDING') return { ...failure, hint: 'Run the command again to wait for the result.' };
  return failure;
}

/** Prints progress to stderr, so that stdout contains only the result. */
function showProgress(
  terminal: Terminal,
  event: { callId: string; progress: number; total?: number; message?: string | undefined },
  callId: string,
): void {
  if (event.callId !== callId) return;
  const amount = event.total ? `${Math.round((event.progress / event.total) * 100)}%` : String(event.progress);
  terminal.err(terminal.errStyle.dim(safe(`… ${amount}${event.message ? ` ${event.message}` : ''}`)));
}

function report(terminal: Terminal, failure: Failure, options: Options, result?: CallResult): number {
  const { code, message, server, tool } = failure;
  const { bad, dim } = terminal.errStyle;
  if (options.json) printJson(terminal, { success: false, error: failure, ...(result ? { result } : {}) });
  else {
    terminal.err(`${bad('✗')} Error\n\nCode: ${code}\nMessage: ${safe(message)}\nServer: ${server}\nTool: ${tool}`);
    const next = code === 'TOOL_EXECUTION_ERROR' ? '' : nextStep(failure);
    if (next) terminal.err(`\n${dim(safe(next))}`);
  }
  return exitCodeOf(failure);
}

async function readArguments(terminal: Terminal, written: string): Promise<Record<string, unknown>> {
  const [text, source] = await argumentsText(terminal, written);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ToolkeepError(
      badArguments(
        `${source} is not valid JSON: ${(error as Error).message}`,
        `Example: --args '{"path":"README.md"}'`,
      ),
    );
  }
  if (isObject(value)) return value;
  throw new ToolkeepError(badArguments(`${source} must be a JSON object, for example '{"path":"README.md"}'.`));
}

async function argumentsText(terminal: Terminal, written: string): Promise<[text: string, source: string]> {
  if (written === '-') return [await readAll(terminal.stdin), 'Standard input'];
  if (!written.startsWith('@')) return [written, '--args'];
  const file = resolve(terminal.cwd, written.slice(1));
  try {
    return [await readFile(file, 'utf8'), file];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ToolkeepError(badArguments(`${file} cannot be read (${code}).`, 'Check the path and its permissions.'));
  }
}
