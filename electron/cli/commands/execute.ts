/** `toolkeep execute`: runs one tool, or the calls of a file, with the same rules, checks and questions as for an agent. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { type Failure, ToolkeepError, toFailure } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import { toolsCommands } from '../../../shared/protocol/contract/tools.ts';
import type { CommandOutput, CoreClient } from '../../../shared/protocol/contract.ts';
import { type OpenCore, openCore, settled } from '../core.ts';
import { badArguments, exit, exitCodeOf, nextStep } from '../exit.ts';
import { examples } from '../options.ts';
import { answerQuestions, type QuestionPrompt } from '../prompt.ts';
import { type Cli, printJson, run } from '../run.ts';
import { indent, safe, safeLines, type Terminal } from '../terminal.ts';
import { resultText } from '../text/result.ts';

interface Options {
  args?: string;
  batch?: string;
  keepGoing?: true;
  json?: true;
  stream?: true;
}

type CallResult = CommandOutput<'tools.execute'>;
type ToolRef = { server: string; tool: string };

/** The calls to run. */
interface Job {
  title: string;
  /** The tool that a failure names. */
  from: Partial<ToolRef>;
  /** Reads the arguments or the file. */
  read(): Promise<Work>;
}

interface Work {
  targets: ToolRef[];
  send(client: CoreClient, callId: string): Promise<CallResult>;
}

export function addExecuteCommand(program: Command, cli: Cli): void {
  program
    .command('execute')
    .description('Run a tool, or many calls from a file after one question')
    .argument('[server]', 'name of the server')
    .argument('[tool]', 'name of the tool')
    .addOption(new Option('--args <json>', 'arguments as JSON; @file reads them from a file, - from standard input'))
    .addOption(
      new Option('--batch <file>', 'run the calls of a file, or of standard input with -, in order').conflicts('args'),
    )
    .option('--keep-going', 'with --batch, go on after a call that fails')
    .option('--stream', 'show progress while the tool runs')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        `execute github create_issue --args '{"repo":"owner/repo","title":"Bug report"}'`,
        'execute files read_file --args @arguments.json --json',
        `execute server tool --args - < arguments.json`,
        'execute --batch calls.json',
      ),
    )
    .action((server: string | undefined, tool: string | undefined, options: Options) =>
      run(cli, options, () => execute(cli.terminal, jobOf(cli.terminal, server, tool, options), options)),
    );
}

function jobOf(terminal: Terminal, server: string | undefined, tool: string | undefined, options: Options): Job {
  const { args, batch, keepGoing } = options;
  if (batch !== undefined && server === undefined)
    return { title: batch, from: {}, read: () => readBatch(terminal, batch, !keepGoing) };
  if (server === undefined || tool === undefined || args === undefined || keepGoing)
    throw badArguments(
      'Name a server and a tool, and pass --args; or pass only --batch, with or without --keep-going.',
      `Example: toolkeep execute files read_file --args '{"path":"README.md"}'`,
    );
  return {
    title: `${server}:${tool}`,
    from: { server, tool },
    async read() {
      const input = { server, tool, arguments: await readArguments(terminal, args) };
      return { targets: [input], send: (client, callId) => client.call('tools.execute', { ...input, callId }) };
    },
  };
}

async function execute(terminal: Terminal, job: Job, options: Options): Promise<number> {
  const { style } = terminal;
  let result: CallResult;
  if (!options.json) terminal.out(`Executing: ${safe(job.title)}\n`);
  try {
    const work = await job.read();
    const core = await openCore(terminal, { answersQuestions: terminal.canAsk });
    try {
      for (const server of new Set(work.targets.map((target) => target.server))) await settled(core, terminal, server);
      result = await call(core, terminal, work, options);
    } finally {
      await core.close();
    }
  } catch (error) {
    return report(terminal, { ...job.from, ...forTerminal(toFailure(error)) }, options);
  }
  if (result.isError === true) {
    const message = resultText(result);
    return report(terminal, { code: 'TOOL_EXECUTION_ERROR', message, ...job.from }, options, result);
  }
  if (options.json) printJson(terminal, { success: true, result });
  else terminal.out(`${style.good('✓')} Success\n\nResult:\n${indent(resultText(result), 2)}`);
  return exit.ok;
}

async function call(
  core: OpenCore,
  terminal: Terminal,
  { targets, send }: Work,
  { stream }: Options,
): Promise<CallResult> {
  const callId = randomUUID();
  const prompt = terminal.canAsk ? answerQuestions(core.client, terminal, targets) : undefined;
  const stopStream = stream && core.client.on('calls.progress', (event) => showProgress(terminal, event, callId));
  const cancel = () => void core.client.call('tools.cancel', { callId }).catch(() => undefined);
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  try {
    for (;;) {
      try {
        return await send(core.client, callId);
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
    const place =
      server === undefined ? '' : `\nServer: ${safe(server)}${tool === undefined ? '' : `\nTool: ${safe(tool)}`}`;
    terminal.err(`${bad('✗')} Error\n\nCode: ${code}\nMessage: ${safeLines(message, 2)}${place}`);
    const next = code === 'TOOL_EXECUTION_ERROR' ? '' : nextStep(failure);
    if (next) terminal.err(`\n${dim(safe(next))}`);
  }
  return exitCodeOf(failure);
}

async function readArguments(terminal: Terminal, written: string): Promise<Record<string, unknown>> {
  const [text, source] =
    written === '-' || written.startsWith('@')
      ? await readInput(terminal, written.replace(/^@/, ''))
      : [written, '--args'];
  const value = parsed(text, source, `--args '{"path":"README.md"}'`);
  if (isObject(value)) return value;
  throw badArguments(`${source} must be a JSON object, for example '{"path":"README.md"}'.`);
}

async function readBatch(terminal: Terminal, file: string, stopOnError: boolean): Promise<Work> {
  const [text, source] = await readInput(terminal, file);
  const input = toolsCommands['tools.executeMany'].input.safeParse({
    calls: parsed(text, source, callsExample),
    stopOnError,
  });
  if (input.success)
    return {
      targets: input.data.calls,
      send: (client, callId) => client.call('tools.executeMany', { ...input.data, callId }),
    };
  const [issue] = input.error.issues;
  const place = issue?.path.slice(1).join('.');
  throw badArguments(
    `${source} is not a list of calls${place ? `, at ${place}` : ''}: ${issue?.message}`,
    `Example: ${callsExample}`,
  );
}

const callsExample = '[{"server":"files","tool":"read_file","arguments":{"path":"README.md"}}]';

function parsed(text: string, source: string, example: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badArguments(`${source} is not valid JSON: ${(error as Error).message}`, `Example: ${example}`);
  }
}

/** Reads a file, or standard input for `-`. */
async function readInput(terminal: Terminal, written: string): Promise<[text: string, source: string]> {
  if (written === '-') return [await readAll(terminal.stdin), 'Standard input'];
  const file = resolve(terminal.cwd, written);
  try {
    return [await readFile(file, 'utf8'), file];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw badArguments(`${file} cannot be read (${code}).`, 'Check the path and its permissions.');
  }
}
