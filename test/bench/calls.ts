/**
 * Measures the time that the gateway adds to a call: `execute_tool` through bridge and Core, compared with a direct connection to the
 * same server and with a relay of two processes that only forward bytes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { newProduct } from '../e2e/product.ts';
import { type Command, commands } from '../fixtures/commands.ts';
import { checked, type Echo, fiftyAtOnce, oneByOne, textOf } from './echo.ts';
import type { Part, Row } from './report.ts';

type Ways = Record<'direct' | 'relay' | 'through', Echo>;

/** Wall time compared with the relay's. */
const goals = { '11 characters': '≤ 1.7', '1 KB': '≤ 1.5', '1 MB': '≤ 1.9' };

export const part: Part = {
  about:
    'an echo call through bridge and Core, compared with the same call directly over stdio and through a minimal relay',
  async run(report) {
    const product = newProduct();
    product.file('.toolkeep/config.json', {
      // There is no window that could ask the user.
      approvals: { ask: 'dangerous' },
      servers: [{ name: 'everything', connection: { type: 'stdio', ...commands.everything() } }],
    });
    const closers: (() => Promise<unknown>)[] = [];
    try {
      await product.serve();
      const direct = await connect(commands.everything(), closers);
      const relay = await connect(await startRelay(join(product.home, 'relay.sock')), closers);
      const through = await connect(product.bridge(), closers);
      const ways: Ways = {
        direct: async (message) => textOf(await direct.callTool({ name: 'echo', arguments: { message } })),
        relay: async (message) => textOf(await relay.callTool({ name: 'echo', arguments: { message } })),
        through: async (message) => {
          const call = { server: 'everything', tool: 'echo', arguments: { message } };
          return textOf(await through.callTool({ name: 'execute_tool', arguments: call }));
        },
      };
      await checked(ways);
      report.table('Milliseconds per call, sequential calls', [
        await sequential(ways, '11 characters', 11, 120),
        await sequential(ways, '1 KB', 1_000, 120),
        await sequential(ways, '1 MB', 1_000_000, 6),
      ]);
      report.table('50 concurrent calls, 1 KB', [await atOnce(ways)]);
    } finally {
      for (const close of closers.reverse()) await close().catch(() => undefined);
      await product.dispose();
    }
  },
};

async function connect({ command, args, env }: Command, closers: (() => Promise<unknown>)[]): Promise<Client> {
  const client = new Client({ name: 'bench', version: '0' });
  await client.connect(new StdioClientTransport({ command, args, ...(env && { env }) }));
  closers.push(() => client.close());
  return client;
}

/** The server behind two processes that only forward bytes; they end with their client. */
async function startRelay(socket: string): Promise<Command> {
  const script = join(import.meta.dirname, 'relay.cjs');
  const { command, args } = commands.everything();
  const core = spawn(process.execPath, [script, 'core', socket, command, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(core.stdout, 'data');
  return { command: process.execPath, args: [script, 'bridge', socket] };
}

async function sequential(ways: Ways, size: keyof typeof goals, letters: number, perRound: number): Promise<Row> {
  const { direct, relay, through } = await oneByOne(ways, letters, perRound);
  return {
    payload: size,
    'direct p50': direct.p50,
    'relay p50': relay.p50,
    'through p50': through.p50,
    'through p95': through.p95,
    'relay / direct': relay.p50 / direct.p50,
    'through / direct': through.p50 / direct.p50,
    'through / relay': through.p50 / relay.p50,
    goal: goals[size],
  };
}

async function atOnce(ways: Ways): Promise<Row> {
  const { direct, relay, through } = await fiftyAtOnce(ways);
  return {
    'direct calls/s': direct.p50,
    'relay calls/s': relay.p50,
    'through calls/s': through.p50,
    'relay / direct': relay.p50 / direct.p50,
    'through / direct': through.p50 / direct.p50,
    'through / relay': through.p50 / relay.p50,
    goal: '≥ 0.45',
  };
}
