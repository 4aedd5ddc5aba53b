/**
 * The program that a client starts as its MCP server. It joins stdin and stdout to Core's local socket, and starts a
 * Core if none runs. It outlives Core: when Core ends, crashes, is updated or hands over to the app, the bridge
 * connects to the next Core and the client's session continues. Bundled into one CommonJS file without dependencies,
 * for Node 20 or later and for the app's own binary with ELECTRON_RUN_AS_NODE. Writes only protocol messages to stdout.
 */
import { randomUUID } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { limits } from '../shared/limits.ts';
import { type CoreRequest, modes } from '../shared/protocol/bridge-protocol.ts';
import { createFirstAnswers } from './bridge/first-answers.ts';
import { endsLine, lineSplitter } from './bridge/messages.ts';
import { RefusedByCore, reachCore, runsElsewhere } from './bridge/reach-core.ts';
import { type BridgeFailure, createBridgeSession } from './bridge/session.ts';
import { createCoreStarter } from './bridge/start-core.ts';

const dataDir = process.env.TOOLKEEP_HOME || join(homedir(), '.toolkeep');
const startTimeoutMs = Number(process.env.TOOLKEEP_START_TIMEOUT) || 20_000;
const pollMs = 25;
/** How often a disconnected bridge checks for a Core that another program started, while no request is waiting. */
const idlePollMs = 500;
/** The same limit as in Core, which closes the connection if a message is larger. */
const maxLineBytes = limits.client.messageBytes;
const unreachable =
  'Toolkeep is not running and could not be started. Start the Toolkeep app, or run "toolkeep serve" in a terminal to see why.';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** Throws for an unknown option, because ignoring a misspelled `--profile` would show the client everything. */
function readOptions(): CoreRequest {
  // An AppImage starts us with --no-sandbox, a Chromium option that we ignore.
  const options = {
    mode: text,
    'read-tool': flag,
    server: text,
    profile: text,
    client: text,
    'no-sandbox': flag,
  } as const;
  const { values } = parseArgs({ args: process.argv.slice(2), options, allowPositionals: true });
  const { server, profile, client } = values;
  const mode = modes.find((one) => one === values.mode);
  if (values.mode !== mode) throw new Error(`Unknown mode "${values.mode}". Use one of: ${modes.join(', ')}.`);
  const own = { cwd: process.cwd(), bridge: randomUUID() };
  return { purpose: 'mcp', mode, readTool: values['read-tool'], server, profile, client, ...own };
}

/** Writes to a pipe without blocking, so a client that writes before it reads cannot cause a deadlock. */
function openStdout(): Writable {
  const kind = fstatSync(1);
  if (!kind.isFIFO() && !kind.isSocket()) return process.stdout;
  return new Socket({ fd: 1, readable: false, writable: true });
}

/** Writes whole lines, and batches the lines of one event-loop turn. */
function lineWriter(stream: Writable) {
  let isCorked = false;
  return (line: Buffer | string) => {
    if (!isCorked) {
      isCorked = true;
      stream.cork();
      process.nextTick(() => {
        isCorked = false;
        stream.uncork();
      });
    }
    stream.write(typeof line === 'string' ? `${line}\n` : line);
    if (typeof line !== 'string' && !endsLine(line)) stream.write('\n');
  };
}

/** Long, because the search for a Core, the session and both streams share the state of the one connection. */
function runBridge(request: CoreRequest | { failure: BridgeFailure }): void {
  const stdout = openStdout();
  const writeOut = lineWriter(stdout);
  const starter = createCoreStarter(dataDir);
  let core: { socket: Socket; write(line: Buffer | string): void } | undefined;
  let hadCore = false;
  let isSearching = false;
  let hasEnded = false;
  let wake = () => {};
  /** Set if the first search found no Core. The bridge then answers the client with this failure and exits. */
  let failure: BridgeFailure | undefined;

  const session = createBridgeSession({
    toClient(line) {
      writeOut(line);
      if (stdout.writableNeedDrain) core?.socket.pause();
    },
    toCore(line) {
      core?.write(line);
      if (core?.socket.writableNeedDrain) process.stdin.pause();
    },
    onWaiting() {
      wake();
      if (failure) endWithFailure();
    },
    first: createFirstAnswers(dataDir, 'failure' in request ? {} : request),
  });

  /** Retries until a Core answers. Starts one if requests are waiting, and fails them after a time limit. */
  async function search(wanted: CoreRequest): Promise<void> {
    if (isSearching) return;
    isSearching = true;
    let deadline = Number.POSITIVE_INFINITY;
    for (;;) {
      const isNeeded = !hadCore || session.isWaiting();
      deadline = isNeeded ? Math.min(deadline, Date.now() + startTimeoutMs) : Number.POSITIVE_INFINITY;
      try {
        const reached = await reachCore(dataDir, wanted);
        if (reached && !reached.socket.destroyed) {
          isSearching = false;
          adopt(reached.socket, wanted);
          return;
        }
        if (!hadCore) session.starting();
        if (Date.now() > deadline) giveUp({ message: runsElsewhere(dataDir) ?? unreachable, code: 'CORE_UNREACHABLE' });
      } catch (error) {
        if (!(error instanceof RefusedByCore)) throw error;
        giveUp({ message: `Toolkeep refused the connection: ${error.message}`, code: 'CORE_UNREACHABLE' });
      }
      if (failure) return;
      const problem = isNeeded && (!hadCore || session.isWaiting()) ? starter.start() : undefined;
      if (problem) giveUp({ message: problem, code: 'CORE_UNREACHABLE' });
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, isNeeded ? pollMs : idlePollMs);
      });
    }
  }

  function adopt(socket: Socket, wanted: CoreRequest): void {
    starter.done();
    hadCore = true;
    core = { socket, write: lineWriter(socket) };
    socket.on('data', lineSplitter(maxLineBytes, { line: session.fromCore, tooLong: () => void socket.destroy() }));
    socket.on('drain', () => process.stdin.resume());
    socket.once('close', () => {
      core = undefined;
      if (hasEnded) process.exit(0);
      process.stdin.resume();
      process.stderr.write('Toolkeep ended or is restarting. The bridge will reconnect.\n');
      session.lost();
      void search(wanted);
    });
    session.connected();
    socket.resume();
    if (hasEnded) leave();
  }

  function giveUp(reason: BridgeFailure): void {
    // Do not report failures while no request is waiting; keep looking.
    if (hadCore && !session.isWaiting()) return;
    process.stderr.write(`${reason.message}\n`);
    if (hadCore) {
      session.unreachable(reason);
      if (hasEnded) stdout.write('', () => process.exit(1));
      return;
    }
    if (process.stdin.isTTY) process.exit(1);
    failure = reason;
    endWithFailure();
  }

  /** Answers the first request with the failure, because clients show that response but not stderr. */
  function endWithFailure(): void {
    if (failure && session.unreachable(failure) > 0) stdout.write('', () => process.exit(1));
  }

  function leave(): void {
    hasEnded = true;
    if (!core) {
      // If the client left while requests were waiting, stay until they have reached the Core that is starting.
      if (failure || !session.isWaiting()) process.exit(hadCore ? 0 : 1);
      return;
    }
    core.socket.end();
    // Core closes its end of the socket. If Core hangs, exit anyway.
    setTimeout(() => process.exit(0), 1000).unref();
  }

  const tooLong = { code: -32600, message: `A message exceeds ${maxLineBytes} bytes.` };
  process.stdin.on(
    'data',
    lineSplitter(maxLineBytes, {
      line: session.fromClient,
      tooLong: () => writeOut(JSON.stringify({ jsonrpc: '2.0', id: null, error: tooLong })),
    }),
  );
  process.stdin.on('end', leave).on('error', leave);
  stdout.on('drain', () => core?.socket.resume());
  stdout.on('error', leave);
  if ('failure' in request) giveUp(request.failure);
  else void search(request);
}

function main(): void {
  let request: CoreRequest | { failure: BridgeFailure };
  try {
    request = readOptions();
  } catch (error) {
    // Use only the first sentence. The rest of Node's message explains arguments that begin with a dash.
    const [what] = (error as Error).message.split(/\.(?:\s|$)/);
    const message = `toolkeep connect: ${what}. See \`toolkeep connect --help\`.`;
    request = { failure: { message, code: 'INPUT_INVALID' } };
  }
  if (process.stdin.isTTY) process.stderr.write('Waiting for an MCP client on stdin. Press Ctrl-C to exit.\n');
  runBridge(request);
}

main();
