/**
 * An SDK transport over a child process in its own process group. Ignores output that is not MCP, and ends the whole
 * group.
 */
import type { ChildProcess } from 'node:child_process';
import type { Transport } from '@modelcontextprotocol/client';
import { fail, type ToolkeepError } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import { limits } from '../../../../shared/limits.ts';
import { createLineSplitter } from '../../jsonrpc/line-splitter.ts';
import { createLineWriter, type LineWriter } from '../../jsonrpc/line-writer.ts';
import { costlyMessage } from '../../jsonrpc/parse-cost.ts';
import { lineOf, outlineOf, parseLine } from '../../jsonrpc/raw-json.ts';
import { watchdogOf } from '../orphan-reaper.ts';
import { endGroup, signalGroup, waitForGroupExit } from '../process/process-group.ts';
import { type ConfinedLaunch, confine } from '../sandbox/sandbox.ts';
import type { ConnectionLog } from '../server-log.ts';
import type { Tuning } from '../types.ts';
import { programThatRan } from './program-that-ran.ts';
import { createServerOutput } from './server-output.ts';
import { hasSpawned, type Launch, type LaunchOptions, prepareLaunch, spawnInGroup } from './spawn-server.ts';

/** Milliseconds to wait for a process to exit after its stdin was closed, and for its last output. */
const exitWaitMs = 1_000;
/** Milliseconds to wait for the end of the output, because a grandchild may keep the pipes open forever. */
const outputWaitMs = 300;

export interface StdioTransport extends Transport {
  readonly pid: number | undefined;
  /** Whether the process was started confined. */
  readonly isConfined: boolean;
  /** Why the transport closed; not set by `close()`. */
  readonly failure: ToolkeepError | undefined;
}

export interface StdioOptions extends LaunchOptions {
  tuning: Tuning;
  /** Removes the connection's secrets from the server's output. */
  redact(text: string): string;
  /** Reports irregular output; a later warning replaces an earlier one of the same kind. */
  onWarning(kind: string, message: string): void;
  log: Pick<ConnectionLog, 'add'>;
}

/** `start()` rejects with SERVER_SPAWN_FAILED. `onclose` and `failure` report a later exit of the process. */
export function createStdioTransport(options: StdioOptions): StdioTransport {
  const { host, server, tuning } = options;
  const watchdog = watchdogOf(host);
  const output = createServerOutput({
    redact: options.redact,
    onStray: (message) => options.onWarning('stdout', message),
    log: (kind, text) => options.log.add({ kind, text }),
  });
  let child: ChildProcess | undefined;
  let writer: LineWriter | undefined;
  let failure: ToolkeepError | undefined;
  let closing: Promise<void> | undefined;
  let confined: ConfinedLaunch | undefined;
  let ended: Promise<void> | undefined;

  const transport: StdioTransport = {
    get pid() {
      return child?.pid;
    },
    get isConfined() {
      return confined !== undefined && child !== undefined;
    },
    get failure() {
      return failure;
    },
    start,
    send,
    close() {
      closing ??= stop();
      return closing;
    },
  };

  async function start(): Promise<void> {
    const launch = await prepareLaunch(options);
    const { limits } = options;
    if (limits)
      confined = await confine(launch, options.connection.cwd, { host, server, limits, onProblem: options.onWarning });
    if (closing) {
      confined?.release();
      throw fail('CANCELLED', `"${server}" was stopped.`, { server });
    }
    const started = spawnInGroup(confined ?? launch, host.platform);
    child = started;
    if (started.stdin) writer = createLineWriter(started.stdin);
    if (started.pid !== undefined) watchdog.watch(started.pid, server);
    await hasSpawned(started, options);
    const isSearched = launch.command !== options.connection.command;
    if (isSearched) options.log.add({ kind: 'state', text: `Started ${launch.command}` });
    listen(started, isSearched && !confined ? launch : undefined);
  }

  /** `searched`: the command without a path, which may be another version here than in the user's terminal. */
  function listen(started: ChildProcess, searched: Launch | undefined): void {
    const lines = createLineSplitter(
      tuning.maxLineBytes,
      {
        line: receive,
        costly: receiveCostly,
        tooLong() {
          failure = tooLong(server, tuning.maxLineBytes);
          if (started.pid !== undefined) signalGroup(started.pid, 'SIGKILL');
        },
      },
      started.stdout ?? undefined,
    );
    const errors = createLineSplitter(
      limits.server.outputLineBytes,
      {
        line: output.stderr,
        tooLong: () => output.stderr(Buffer.from('… (too much output)')),
      },
      started.stderr ?? undefined,
    );
    started.stdout?.on('data', lines.push).on('end', lines.end);
    started.stderr?.on('data', errors.push).on('end', errors.end);
    // Ignore EPIPE: the process's exit provides the reason.
    started.stdin?.on('error', () => {});
    started.on('error', (error) => transport.onerror?.(error));
    ended = lastOutput(started).then(async (how) => {
      if (!closing && !failure) {
        const program = searched && (await programThatRan(searched));
        const hint = confined
          ? 'It ran confined. Its page shows what it may use, and how to let it run unconfined.'
          : program &&
            `It ran ${program}. If it needs another version, set the full path of that program as its command. The next call starts it again.`;
        failure ??= fail('SERVER_CRASHED', `"${server}" ${how}. ${output.lastStderr()}`, { server, hint });
      }
      void transport.close();
    });
  }

  function receive(line: Buffer): void {
    const messages = parse(line);
    if (!messages) {
      output.stray(line);
      return;
    }
    if (messages.length > limits.server.batchedMessages)
      options.onWarning(
        'batch',
        `It sent ${messages.length} messages at once; the limit is ${limits.server.batchedMessages}.`,
      );
    else for (const message of messages) transport.onmessage?.(message);
  }

  /** Fails the request to which the message belongs. Without one, the message is ignored. */
  function receiveCostly(line: Buffer): void {
    const { id, method } = outlineOf(line);
    const text = `A message from "${server}" ${costlyMessage}.`;
    const answer = { jsonrpc: '2.0' as const, id: id as string | number, error: { code: -32603, message: text } };
    if (id === undefined) options.onWarning('costly', text);
    else if (method === undefined) transport.onmessage?.(answer);
    else send(answer).catch(() => undefined);
  }

  function send(message: object): Promise<void> {
    const [stdin, lines] = [child?.stdin, writer];
    if (!stdin || !lines || closing || failure || !stdin.writable)
      return Promise.reject(failure ?? fail('SERVER_CRASHED', `"${server}" is not running.`, { server }));
    return new Promise((resolve, reject) =>
      lines.write(lineOf(message), (error) => (error ? void causeOf(error).then(reject) : resolve())),
    );
  }

  /** A broken pipe only means that the process has ended. Its exit event, which follows, provides the reason. */
  async function causeOf(error: Error): Promise<Error> {
    await Promise.race([ended, new Promise((done) => setTimeout(done, exitWaitMs).unref())]);
    return failure ?? error;
  }

  /** Closes stdin, then sends SIGTERM and SIGKILL to the whole group. */
  async function stop(): Promise<void> {
    const pid = child?.pid;
    if (pid !== undefined) {
      writer?.flush();
      child?.stdin?.end();
      const alive = child?.exitCode === null && child.signalCode === null;
      if (!alive || !(await waitForGroupExit(pid, tuning.stopGraceMs))) await endGroup(pid, tuning.stopGraceMs);
      await ended;
      child?.stdout?.destroy();
      child?.stderr?.destroy();
      watchdog.release(pid);
    }
    confined?.release();
    output.close();
    transport.onclose?.();
  }

  return transport;
}

/** Resolves when the process has exited and its output has arrived, with how it ended. */
function lastOutput(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const printed = new Promise((done) => child.once('close', done));
      const timeout = new Promise((done) => setTimeout(done, outputWaitMs).unref());
      const how = signal ? `was terminated by ${signal}` : `exited with code ${code}`;
      void Promise.race([printed, timeout]).then(() => resolve(how));
    });
  });
}

function tooLong(server: string, maxBytes: number): ToolkeepError {
  const bound = `${Math.round(maxBytes / 1024 / 1024)} MB`;
  const hint = 'Ask the tool for less at once, or use its paging.';
  return fail('SERVER_PROTOCOL_ERROR', `"${server}" sent a message larger than ${bound}, so it was stopped.`, {
    server,
    hint,
  });
}

/** One message, or several in a batch (protocol 2025-03-26); undefined for anything else. */
function parse(line: Buffer): Parameters<NonNullable<Transport['onmessage']>>[0][] | undefined {
  // Cheaper than an exception for every line of a startup banner.
  if (!/^\s*[{[]/.test(line.toString('latin1', 0, 100))) return undefined;
  try {
    const value = parseLine(line);
    const messages = Array.isArray(value) ? value : [value];
    const isMessage = (one: unknown) =>
      isObject(one) &&
      (typeof one.method === 'string' || (one.id !== undefined && ('result' in one || 'error' in one)));
    return messages.length > 0 && messages.every(isMessage) ? messages : undefined;
  } catch {
    return undefined;
  }
}
