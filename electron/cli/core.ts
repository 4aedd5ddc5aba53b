/** The Core that a command works with: the one that runs, or one in this process for as long as the command takes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CoreClient } from '../../shared/contract.ts';
import { GatehouseError } from '../../shared/failure.ts';
import type { ServerView } from '../../shared/model.ts';
import { connectCore } from '../../shared/rpc.ts';
import { linkedWires } from '../../shared/wire.ts';
import { connectLocal, socketWire } from '../core/gateway/gateway.ts';
import { createNodeHost, dataFolder } from '../host/host.ts';
import { count, type Terminal } from './terminal.ts';

export interface OpenCore {
  client: CoreClient;
  /** False: it was made for this command and has just begun. */
  running: boolean;
  close(): Promise<void>;
}

const startTimeoutMs = 15_000;

/**
 * Connects to the running Core or makes one. Fails with CORE_UNREACHABLE or CORE_RUNNING. `answersQuestions`: this command
 * puts questions to the person; one that does not must not let others wait for an answer.
 */
export async function openCore(terminal: Terminal, { answersQuestions = false } = {}): Promise<OpenCore> {
  const place = { dataDir: dataFolder(terminal.env), platform: process.platform };
  // Whoever holds the data folder may be just starting, or another command that is about to end.
  for (const deadline = Date.now() + startTimeoutMs; ; ) {
    const socket =
      existsSync(join(place.dataDir, 'run', 'core.json')) && (await connectLocal(place, 'rpc', { answersQuestions }));
    if (socket) {
      const client = connectCore(socketWire(socket));
      return { client, running: true, close: async () => client.close() };
    }
    try {
      return await ownCore(terminal, answersQuestions);
    } catch (error) {
      const busy = error instanceof GatehouseError && error.failure.code === 'CORE_RUNNING';
      if (!busy || Date.now() > deadline) throw error;
      await pause(100);
    }
  }
}

async function ownCore(terminal: Terminal, answersQuestions: boolean): Promise<OpenCore> {
  const host = await createNodeHost({ env: terminal.env });
  try {
    const { createCore } = await import('../core/core.ts');
    const core = await createCore(host);
    const [ours, theirs] = linkedWires();
    core.attach(theirs, { answersQuestions });
    const client = connectCore(ours);
    return {
      client,
      running: false,
      async close() {
        client.close();
        await core.close();
        host.release();
      },
    };
  } catch (error) {
    host.release();
    throw error;
  }
}

const settleTimeoutMs = 60_000;

/**
 * Waits until the servers (or the one named) have been looked at once, so that a fresh Core answers as a warm one would.
 * Servers that fail or hang end the wait like all others; what is known by then is what the command works with.
 */
export async function settled(core: OpenCore, terminal: Terminal, server?: string): Promise<ServerView[]> {
  let toldWaiting = false;
  const startedAt = Date.now();
  for (;;) {
    const views = await core.client.call('servers.list');
    const waiting = views.filter((view) => (!server || view.id === server) && isPending(view));
    if (waiting.length === 0 || Date.now() - startedAt > settleTimeoutMs) return views;
    if (!toldWaiting && Date.now() - startedAt > 700 && terminal.canAsk) {
      terminal.err(terminal.errStyle.dim(`Connecting to ${count(waiting.length, 'server')}…`));
      toldWaiting = true;
    }
    await pause(40);
  }
}

function isPending({ status, discovering }: ServerView): boolean {
  return status === 'starting' || (discovering === true && status === 'idle');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
