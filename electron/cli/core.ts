/** The Core that a command works with: the running one, or one in this process for the duration of the command. */
import { existsSync, realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { fail, ToolkeepError } from '../../shared/failure.ts';
import type { ServerView } from '../../shared/model/server.ts';
import type { CoreRequest } from '../../shared/protocol/bridge-protocol.ts';
import type { CommandOutput, CoreClient } from '../../shared/protocol/contract.ts';
import { connectCore, withoutDecisions } from '../../shared/protocol/rpc.ts';
import { linkedWires } from '../../shared/protocol/wire.ts';
import { RefusedByCore, reachCore } from '../bridge/reach-core.ts';
import { folderCandidates } from '../core/config/search-order.ts';
import { socketWire } from '../core/gateway/socket-wire.ts';
import { createNodeHost, dataFolder } from '../host/host.ts';
import { count, safe, type Terminal } from './terminal.ts';

export interface OpenCore {
  client: CoreClient;
  /** False if the Core was started for this command. */
  running: boolean;
  close(): Promise<void>;
}

type UntrustedFolder = NonNullable<CommandOutput<'core.status'>['folder']>;

const startTimeoutMs = 15_000;

/**
 * Connects to the running Core, or starts one. Fails with CORE_UNREACHABLE or CORE_RUNNING. `answersQuestions`: this
 * command shows questions to the user. Leave it false otherwise, or calls would wait for an answer.
 */
export async function openCore(terminal: Terminal, { answersQuestions = false } = {}): Promise<OpenCore> {
  const dataDir = dataFolder(terminal.env);
  // The data folder may be locked by a Core that is starting or by another command that is about to end.
  for (const deadline = Date.now() + startTimeoutMs; ; ) {
    const reached = await reach(dataDir, { purpose: 'rpc', interactive: terminal.canAsk, answersQuestions });
    if (reached) {
      const client = connectCore(socketWire(reached.socket));
      await warnOtherFolder(terminal, client, dataDir);
      return { client, running: true, close: async () => client.close() };
    }
    try {
      return await ownCore(terminal, answersQuestions);
    } catch (error) {
      const busy = error instanceof ToolkeepError && error.failure.code === 'CORE_RUNNING';
      if (!busy || Date.now() > deadline) throw error;
      await pause(100);
    }
  }
}

async function reach(dataDir: string, request: CoreRequest) {
  try {
    return await reachCore(dataDir, request);
  } catch (error) {
    if (!(error instanceof RefusedByCore)) throw error;
    throw fail('CORE_UNREACHABLE', `The running Toolkeep refused the connection: ${error.message}`);
  }
}

async function ownCore(terminal: Terminal, answersQuestions: boolean): Promise<OpenCore> {
  const host = await createNodeHost({ env: terminal.env });
  const { createCore } = await import('../core/core.ts');
  const creating = createCore(host);
  let client: CoreClient | undefined;
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    stopListening();
    client?.close();
    await creating.then(
      (core) => core.close(),
      () => undefined,
    );
    host.release();
  };
  const close = () => (closing ??= closeAll());
  // Servers may already start before Core answers.
  const stopListening = endBySignals(close);
  try {
    const core = await creating;
    const { folder } = await core.handlers['core.status']();
    if (folder && folder.status !== 'trusted') warnUntrusted(terminal, folder);
    const [ours, theirs] = linkedWires();
    // Without a terminal, the caller may be an agent with a shell, as on the socket of a running Core.
    const hasUser = terminal.canAsk || answersQuestions;
    core.attach(hasUser ? theirs : withoutDecisions(theirs, { mayInstall: true }), {
      answersQuestions,
      isTerminal: true,
    });
    client = connectCore(ours);
    return { client, running: false, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Calls `close` before a signal ends this process, with the exit code that shells use. Returns a function that stops listening. */
function endBySignals(close: () => Promise<void>): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (signal: NodeJS.Signals) => void close().finally(() => process.exit(128 + constants.signals[signal]));
  for (const signal of signals) process.on(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

/** The running Core uses the configuration of the folder in which it was started, or of none. */
async function warnOtherFolder(terminal: Terminal, client: CoreClient, dataDir: string): Promise<void> {
  const path = realpathSync(terminal.cwd);
  // Most folders have no configuration, and every command would wait for Core's answers.
  if (!folderCandidates(path, dataDir).some(({ file }) => existsSync(file))) return;
  const { folder: used } = await client.call('core.status');
  const isUsed = used?.path === path;
  const here = isUsed ? used : await client.call('trust.review', { folder: path }).catch(() => undefined);
  if (!here || here.status === 'none') return;
  const { file, status } = here;
  if (status !== 'trusted') return warnUntrusted(terminal, { path, file, status });
  if (isUsed) return;
  const { err, errStyle } = terminal;
  err(`${errStyle.warn('!')} Ignored ${safe(file ?? path)}. The running Toolkeep was not started in this folder.`);
  err(`  ${errStyle.dim('To use it, quit Toolkeep, then run `toolkeep serve` in this folder.')}`);
}

/** Prints to stderr, because stdout may be parsed. Folder names may contain untrusted text. */
function warnUntrusted({ err, errStyle }: Terminal, { path, file, status }: UntrustedFolder): void {
  const why =
    status === 'changed' ? 'It has changed since you trusted this folder.' : 'You have not trusted this folder.';
  err(`${errStyle.warn('!')} Ignored ${safe(file ?? `the configuration in ${path}`)}. ${why}`);
  err(`  ${errStyle.dim('To see what it does and decide, run `toolkeep trust`.')}`);
}

const settleTimeoutMs = 60_000;
/** After Core has run for `starting` milliseconds, only a server that was just added, or that hangs, is still connecting. */
const runningTimeoutMs = { starting: 10_000, later: 2_000 };

/**
 * Waits until each server, or the named one, has been discovered once, so that a new Core answers like a long-running
 * one. Failed servers count as discovered; a hanging server delays the command by at most a minute, or by two seconds if the
 * Core has been running for a while and no server is named.
 */
export async function settled(core: OpenCore, terminal: Terminal, server?: string): Promise<ServerView[]> {
  let toldWaiting = false;
  const startedAt = Date.now();
  const limitMs = core.running && server === undefined ? await runningLimit(core) : settleTimeoutMs;
  for (const sentence of (await core.client.call('core.status')).standstill)
    terminal.err(`${terminal.errStyle.warn('!')} ${sentence}`);
  for (;;) {
    const views = await core.client.call('servers.list');
    const waiting = views.filter((view) => (!server || view.id === server) && isPending(view));
    if (waiting.length === 0 || Date.now() - startedAt > limitMs) return views;
    if (!toldWaiting && Date.now() - startedAt > 700) {
      terminal.err(terminal.errStyle.dim(`Connecting to ${count(waiting.length, 'server')}…`));
      toldWaiting = true;
    }
    await pause(40);
  }
}

async function runningLimit({ client }: OpenCore): Promise<number> {
  const { startedAt } = await client.call('core.status');
  const { starting, later } = runningTimeoutMs;
  return Math.max(later, startedAt + starting - Date.now());
}

function isPending({ status, discovering }: ServerView): boolean {
  return status === 'starting' || (discovering === true && status === 'idle');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
