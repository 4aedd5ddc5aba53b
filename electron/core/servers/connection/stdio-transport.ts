/** An SDK transport over a child process in its own group: ignores other output, and ends the whole group. */
import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { delimiter } from 'node:path';
import type { Transport } from '@modelcontextprotocol/client';
import spawn from 'cross-spawn';
import which from 'which';
import { fail, type GatehouseError } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import type { Environment } from '../../../../shared/model/server.ts';
import type { Host } from '../../host.ts';
import { createLineSplitter } from '../../jsonrpc/line-splitter.ts';
import { createLineWriter, type LineWriter } from '../../jsonrpc/line-writer.ts';
import { lineOf, parseLine } from '../../jsonrpc/raw-json.ts';
import type { ResolvedConnection } from '../../secrets/resolve.ts';
import { watchdogOf } from '../orphan-reaper.ts';
import { inheritedEnvironment } from '../process/environment.ts';
import { endGroup, signalGroup, waitForGroupExit } from '../process/process-group.ts';
import type { Tuning } from '../types.ts';

/** Gatehouse may be configured as a server of Gatehouse; deeper nesting is a loop. */
const maxDepth = 3;
const maxStderrLines = 20;
const maxStderrLineLength = 500;
/** How long to wait for the exit of a process whose stdin is closed, and for its last output. */
const exitWaitMs = 1_000;
/** A grandchild may keep the pipes open forever, so the end of output is only awaited this long. */
const outputWaitMs = 300;
const strayOutputIntervalMs = 1_000;

export interface StdioTransport extends Transport {
  readonly pid: number | undefined;
  /** Why it closed, once it has; never set by `close()`. */
  readonly failure: GatehouseError | undefined;
}

export interface StdioOptions {
  host: Host;
  /** Server name for messages. */
  server: string;
  connection: Extract<ResolvedConnection, { type: 'stdio' }>;
  environment: Environment;
  tuning: Tuning;
  /** Removes the connection's secrets from the server's output. */
  redact(text: string): string;
  /** Reports irregular output; a later warning replaces an earlier one of the same kind. */
  onWarning(kind: string, message: string): void;
}

/** `start()` rejects with SERVER_SPAWN_FAILED; a later exit of the process is reported by `onclose` and `failure`. */
export function createStdioTransport(options: StdioOptions): StdioTransport {
  const { host, server, connection, tuning, redact, onWarning } = options;
  const watchdog = watchdogOf(host);
  const stderr: string[] = [];
  let child: ChildProcess | undefined;
  let writer: LineWriter | undefined;
  let failure: GatehouseError | undefined;
  let closing: Promise<void> | undefined;
  let ended: Promise<void> | undefined;
  let strayLines = 0;
  let lastStray = '';
  let strayTimer: NodeJS.Timeout | undefined;

  const transport: StdioTransport = {
    get pid() {
      return child?.pid;
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
    const env = childEnvironment(options);
    const cwd = connection.cwd ?? host.homeDir;
    const command = await findCommand(connection.command, cwd, env, server);
    // In its own group, so that npx and the processes it starts can be ended together.
    const started = spawn(command, connection.args, {
      cwd,
      env,
      detached: host.platform !== 'win32',
      windowsHide: true,
    });
    child = started;
    if (started.stdin) writer = createLineWriter(started.stdin);
    if (started.pid !== undefined) watchdog.watch(started.pid, server);
    await new Promise<void>((resolve, reject) => {
      started.once('spawn', resolve);
      started.once('error', (error) => reject(spawnFailed(server, connection.command, error.message)));
    });
    listen(started);
  }

  function listen(started: ChildProcess): void {
    const lines = createLineSplitter(tuning.maxLineBytes, {
      line: receive,
      tooLong() {
        const bound = `${Math.round(tuning.maxLineBytes / 1024 / 1024)} MB`;
        failure = fail('SERVER_PROTOCOL_ERROR', `"${server}" sent a message of more than ${bound}; it was stopped.`, {
          server,
          hint: 'Ask the tool for less at once, or use its paging.',
        });
        if (started.pid !== undefined) signalGroup(started.pid, 'SIGKILL');
      },
    });
    const errors = createLineSplitter(1024 * 1024, {
      line: (line) => recordStderr(line.toString()),
      tooLong: () => recordStderr('… (too much output)'),
    });
    started.stdout?.on('data', (chunk: Buffer) => lines.push(chunk)).on('end', () => lines.end());
    started.stderr?.on('data', (chunk: Buffer) => errors.push(chunk)).on('end', () => errors.end());
    // Ignore EPIPE: the exit of the process carries the reason.
    started.stdin?.on('error', () => {});
    started.on('error', (error) => transport.onerror?.(error));
    ended = new Promise((resolve) => {
      started.once('exit', (code, signal) => {
        const output = new Promise((done) => started.once('close', done));
        const timeout = new Promise((done) => setTimeout(done, outputWaitMs).unref());
        void Promise.race([output, timeout]).then(() => {
          if (!closing) failure ??= crashed(code, signal);
          resolve();
          void transport.close();
        });
      });
    });
  }

  function receive(line: Buffer): void {
    const messages = parse(line);
    if (!messages) {
      const text = line.toString().trim();
      if (text === '') return;
      strayLines += 1;
      lastStray = redact(withoutColors(text)).slice(0, 120);
      // A server that prints a lot must not cause a state change per line.
      if (strayLines === 1) warnOfStrayOutput();
      else strayTimer ??= setTimeout(warnOfStrayOutput, strayOutputIntervalMs).unref();
      return;
    }
    for (const message of messages) transport.onmessage?.(message);
  }

  function warnOfStrayOutput(): void {
    strayTimer = undefined;
    const count = strayLines === 1 ? '1 line' : `${strayLines} lines`;
    onWarning('stdout', `Ignored ${count} on stdout that are not MCP messages. Last: ${lastStray}`);
  }

  function send(message: object): Promise<void> {
    const [stdin, lines] = [child?.stdin, writer];
    if (!stdin || !lines || closing || failure || !stdin.writable)
      return Promise.reject(failure ?? fail('SERVER_CRASHED', `"${server}" is not running.`, { server }));
    return new Promise((resolve, reject) =>
      lines.write(lineOf(message), (error) => (error ? void causeOf(error).then(reject) : resolve())),
    );
  }

  /** A broken pipe only means that the process is gone; its exit, which follows, carries the reason. */
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
    clearTimeout(strayTimer);
    transport.onclose?.();
  }

  function recordStderr(line: string): void {
    if (line.trim() === '') return;
    stderr.push(redact(withoutColors(line.trimEnd())).slice(0, maxStderrLineLength));
    if (stderr.length > maxStderrLines) stderr.shift();
  }

  function crashed(code: number | null, signal: NodeJS.Signals | null): GatehouseError {
    const how = signal ? `was terminated by ${signal}` : `exited with code ${code}`;
    const output = stderr.length > 0 ? ` Its last output:\n${stderr.join('\n')}` : ' It printed nothing on stderr.';
    return fail('SERVER_CRASHED', `"${server}" ${how}.${output}`, { server });
  }

  return transport;
}

/** Terminal colors are removed: the output is shown in a window, and redaction must see secrets that follow an escape. */
const esc = String.fromCharCode(27);
const colors = new RegExp(`${esc}\\[[\\d;:]{0,30}[mK]`, 'g');
const withoutColors = (line: string) => line.replace(colors, '');

/** One message, or several in a batch (protocol 2025-03-26); undefined for anything else. */
function parse(line: Buffer): Parameters<NonNullable<Transport['onmessage']>>[0][] | undefined {
  // Cheaper than an exception for every line of a banner.
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

/** The inherited environment, with the server's own values on top. */
function childEnvironment({ host, connection, environment, server }: StdioOptions): Record<string, string> {
  const depth = (Number(host.env.GATEHOUSE_DEPTH) || 0) + 1;
  if (depth > maxDepth) {
    throw fail('SERVER_SPAWN_FAILED', `"${server}" would run Gatehouse inside Gatehouse, ${depth} levels deep.`, {
      server,
      hint: 'Remove Gatehouse from its own list of servers.',
    });
  }
  return { ...inheritedEnvironment(host.env, environment), ...connection.env, GATEHOUSE_DEPTH: String(depth) };
}

/** The path of the command; reports what is missing more precisely than ENOENT. */
async function findCommand(
  command: string,
  cwd: string,
  env: Record<string, string | undefined>,
  server: string,
): Promise<string> {
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw fail('SERVER_SPAWN_FAILED', `The working directory ${cwd} of "${server}" does not exist.`, {
      server,
      hint: 'Correct the `cwd` of the server.',
    });
  }
  const path = env.PATH ?? env.Path ?? '';
  // A command with a slash is relative to `cwd`, as in a shell.
  if (/[\\/]/.test(command)) return command;
  const found = await which(command, { path, nothrow: true });
  if (found) return found;
  throw fail('SERVER_SPAWN_FAILED', `The command "${command}" of "${server}" was not found.`, {
    server,
    hint: `Install it, or set its full path. Searched: ${path.split(delimiter).join(', ')}`,
  });
}

function spawnFailed(server: string, command: string, reason: string): GatehouseError {
  return fail('SERVER_SPAWN_FAILED', `"${command}" of "${server}" could not be started: ${reason}`, {
    server,
    hint: 'Check that it is installed and executable.',
  });
}
