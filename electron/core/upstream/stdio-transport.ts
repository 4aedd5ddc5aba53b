/** An SDK transport over a process of our own group: forgiving about what else the server prints, thorough in ending it. */
import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { delimiter } from 'node:path';
import type { Transport } from '@modelcontextprotocol/client';
import spawn from 'cross-spawn';
import which from 'which';
import { fail, type GatehouseError } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { Host } from '../host.ts';
import { createLineSplitter, createLineWriter, type LineWriter, lineOf, parseLine } from '../lines/lines.ts';
import type { ResolvedConnection } from '../secrets/secrets.ts';
import { endGroup, groupGone, signalGroup } from './groups.ts';
import { guardOf } from './orphans.ts';
import type { Tuning } from './types.ts';

/** A Gatehouse that serves a Gatehouse that serves … : beyond this depth it is a loop. */
const maxDepth = 3;
const keptStderrLines = 20;
const keptLineLength = 500;
/** For the exit of a process that does not read any more, and what it printed before. */
const exitWaitMs = 1_000;

export interface StdioTransport extends Transport {
  readonly pid: number | undefined;
  /** Why it closed, once it has; never set by `close()`. */
  readonly failure: GatehouseError | undefined;
}

export interface StdioOptions {
  host: Host;
  /** Name of the server, for messages. */
  server: string;
  connection: Extract<ResolvedConnection, { type: 'stdio' }>;
  tuning: Tuning;
  /** Takes the secrets of the connection out of what the server prints. */
  conceal(text: string): string;
  /** Plain words about something odd on stdout; the last one of a kind replaces the earlier ones. */
  onWarning(kind: string, message: string): void;
}

/** `start()` rejects with SERVER_SPAWN_FAILED; a later end of the process is told through `onclose` and `failure`. */
export function createStdioTransport(options: StdioOptions): StdioTransport {
  const { host, server, connection, tuning, conceal, onWarning } = options;
  const guard = guardOf(host);
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
    const env = childEnvironment(host, connection, server);
    const cwd = connection.cwd ?? host.homeDir;
    const command = await findCommand(connection.command, cwd, env, server);
    // A group of its own, so that npx and whatever it starts can be ended together.
    const started = spawn(command, connection.args, {
      cwd,
      env,
      detached: host.platform !== 'win32',
      windowsHide: true,
    });
    child = started;
    if (started.stdin) writer = createLineWriter(started.stdin);
    if (started.pid !== undefined) guard.watch(started.pid, server);
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
      line: (line) => keepError(line.toString()),
      tooLong: () => keepError('… (too much output)'),
    });
    started.stdout?.on('data', (chunk: Buffer) => lines.push(chunk)).on('end', () => lines.end());
    started.stderr?.on('data', (chunk: Buffer) => errors.push(chunk)).on('end', () => errors.end());
    // EPIPE says only that the process is gone, which its exit tells better.
    started.stdin?.on('error', () => {});
    started.on('error', (error) => transport.onerror?.(error));
    ended = new Promise((resolve) => {
      started.once('exit', (code, signal) => {
        // A grandchild may hold the pipes open for ever, so the end of output is awaited for a moment only.
        const output = new Promise((done) => started.once('close', done));
        const moment = new Promise((done) => setTimeout(done, 300).unref());
        void Promise.race([output, moment]).then(() => {
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
      lastStray = conceal(withoutColours(text)).slice(0, 120);
      // A chatty server must not turn into a storm of state changes.
      if (strayLines === 1) warnOfStray();
      else strayTimer ??= setTimeout(warnOfStray, 1_000).unref();
      return;
    }
    for (const message of messages) transport.onmessage?.(message);
  }

  function warnOfStray(): void {
    strayTimer = undefined;
    const count = strayLines === 1 ? 'A line' : `${strayLines} lines`;
    onWarning('stdout', `${count} on stdout that no MCP message is, ignored. The last: ${lastStray}`);
  }

  function send(message: object): Promise<void> {
    const [stdin, lines] = [child?.stdin, writer];
    if (!stdin || !lines || closing || failure || !stdin.writable)
      return Promise.reject(failure ?? fail('SERVER_CRASHED', `"${server}" is not running.`, { server }));
    return new Promise((resolve, reject) =>
      lines.write(lineOf(message), (error) => (error ? void causeOf(error).then(reject) : resolve())),
    );
  }

  /** A pipe that broke says only that the process is gone; why, its exit tells a moment later. */
  async function causeOf(error: Error): Promise<Error> {
    await Promise.race([ended, new Promise((done) => setTimeout(done, exitWaitMs).unref())]);
    return failure ?? error;
  }

  /** Asks it to end by closing stdin, then by SIGTERM, then SIGKILL, each time the whole group. */
  async function stop(): Promise<void> {
    const pid = child?.pid;
    if (pid !== undefined) {
      writer?.flush();
      child?.stdin?.end();
      const alive = child?.exitCode === null && child.signalCode === null;
      if (!alive || !(await groupGone(pid, tuning.stopGraceMs))) await endGroup(pid, tuning.stopGraceMs);
      await ended;
      child?.stdout?.destroy();
      child?.stderr?.destroy();
      guard.release(pid);
    }
    clearTimeout(strayTimer);
    transport.onclose?.();
  }

  function keepError(line: string): void {
    if (line.trim() === '') return;
    stderr.push(conceal(withoutColours(line.trimEnd())).slice(0, keptLineLength));
    if (stderr.length > keptStderrLines) stderr.shift();
  }

  function crashed(code: number | null, signal: NodeJS.Signals | null): GatehouseError {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    const said = stderr.length > 0 ? ` Its last output:\n${stderr.join('\n')}` : ' It printed nothing on stderr.';
    return fail('SERVER_CRASHED', `"${server}" ${how}.${said}`, { server });
  }

  return transport;
}

/** Colours are for a terminal; what is kept is shown in a window, and a secret may begin behind one. */
const esc = String.fromCharCode(27);
const colours = new RegExp(`${esc}\\[[\\d;:]{0,30}[mK]`, 'g');
const withoutColours = (line: string) => line.replace(colours, '');

/** One message, or several in a batch (protocol 2025-03-26); undefined for anything else. */
function parse(line: Buffer): Parameters<NonNullable<Transport['onmessage']>>[0][] | undefined {
  // Cheaper than an exception for every banner line.
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

/** The login shell's environment, with the server's own values on top (requirement: merged, never replaced). */
function childEnvironment(
  host: Host,
  connection: StdioOptions['connection'],
  server: string,
): Record<string, string | undefined> {
  const depth = (Number(host.env.GATEHOUSE_DEPTH) || 0) + 1;
  if (depth > maxDepth) {
    throw fail('SERVER_SPAWN_FAILED', `"${server}" would be Gatehouse inside Gatehouse, ${depth} deep.`, {
      server,
      hint: 'Remove Gatehouse from its own list of servers.',
    });
  }
  const { ELECTRON_RUN_AS_NODE: _ours, ...inherited } = host.env;
  return { ...inherited, ...connection.env, GATEHOUSE_DEPTH: String(depth) };
}

/** The absolute path of the command; says what is missing better than ENOENT does. */
async function findCommand(
  command: string,
  cwd: string,
  env: Record<string, string | undefined>,
  server: string,
): Promise<string> {
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw fail('SERVER_SPAWN_FAILED', `The folder ${cwd}, in which "${server}" should start, does not exist.`, {
      server,
      hint: 'Correct `cwd` of the server.',
    });
  }
  const path = env.PATH ?? env.Path ?? '';
  // A command with a slash is relative to the server's own folder, as a shell there would see it.
  if (/[\\/]/.test(command)) return command;
  const found = await which(command, { path, nothrow: true });
  if (found) return found;
  throw fail('SERVER_SPAWN_FAILED', `The command "${command}" of "${server}" was not found.`, {
    server,
    hint: `Install it, or write its full path. Searched: ${path.split(delimiter).join(', ')}`,
  });
}

function spawnFailed(server: string, command: string, reason: string): GatehouseError {
  return fail('SERVER_SPAWN_FAILED', `"${command}" of "${server}" could not be started: ${reason}`, {
    server,
    hint: 'Is it installed, and may it be executed?',
  });
}
