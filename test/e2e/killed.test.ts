/**
 * Whichever process is killed, no other process remains, and the next start works.
 *
 * @module-tag exhaustive
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Command, commands } from '../fixtures/commands.ts';
import { signal } from '../fixtures/signal.ts';
import { newProduct, type Product } from './product.ts';

let product: Product;

beforeEach(() => {
  product = newProduct();
  serveWith(commands.everything());
});
afterEach(() => product.dispose());

/** The servers of the Core that starts next. */
function serveWith(everything: Command, stubborn?: Command): void {
  const server = (name: string, command: Command) => ({ name, connection: { type: 'stdio', ...command } });
  product.file('.toolkeep/config.json', {
    approvals: { ask: 'dangerous' },
    servers: [server('everything', everything), ...(stubborn ? [server('stubborn', stubborn)] : [])],
  });
}

/** Ignores SIGTERM and has a child process; ending it takes a while. */
const stubborn = () => commands.misbehaving('ignore-sigterm,grandchild');
const stubbornRuns = () =>
  expect
    .poll(() => product.processes().filter(({ command }) => command.includes('misbehaving')).length, { interval: 100 })
    .toBeGreaterThan(0);

async function connect() {
  const { command, args, env } = product.bridge();
  const transport = new StdioClientTransport({ command, args, env });
  const client = new Client({ name: 'killer', version: '1' });
  await client.connect(transport);
  const call = (tool: string, args: Record<string, unknown>) =>
    client.callTool({ name: 'execute_tool', arguments: { server: 'everything', tool, arguments: args } });
  const echo = async () => ((await call('echo', { message: 'hi' })).content as { text: string }[])[0]?.text;
  return { client, pid: transport.pid as number, call, echo };
}

/** Resolves when the servers run and a call is in progress. */
async function atWork() {
  const core = await product.serve();
  const session = await connect();
  expect(await session.echo()).toBe('Echo: hi');
  session.call('trigger-long-running-operation', { duration: 30, steps: 30 }).catch(() => undefined);
  await delay(200);
  return { core, ...session };
}

describe('SIGKILL', () => {
  it('A killed Core takes every server and its descendants with it, and the next start works', async () => {
    serveWith(commands.everything(), stubborn());
    const { client } = await atWork();
    await stubbornRuns();
    process.kill(product.corePid(), 'SIGKILL');
    await client.close();
    await product.nothingLeft();
    await product.serve();
    const again = await connect();
    expect(await again.echo()).toBe('Echo: hi');
    await again.client.close();
  });

  it('A killed command takes the Core that it started and every server with it', async () => {
    const { core, client } = await atWork();
    core.kill('SIGKILL');
    await client.close();
    await product.nothingLeft();
  });

  it('A killed bridge leaves the Core and its servers running for the next client', async () => {
    const { pid } = await atWork();
    process.kill(pid, 'SIGKILL');
    const again = await connect();
    expect(await again.echo()).toBe('Echo: hi');
    await again.client.close();
  });

  it('A client is notified if a server is killed during a call, and the next call restarts the server', async () => {
    const { client, echo } = await atWork();
    const server = product.processes().find(({ command }) => command.includes('server-everything'));
    signal(server?.pid, 'SIGKILL');
    await expect.poll(echo, { timeout: 15_000, interval: 300 }).toBe('Echo: hi');
    await client.close();
  });

  it('A killed client ends its bridge, and a Core that a bridge started ends with its last client', async () => {
    const { command, args, env } = product.bridge();
    const client = new Client({ name: 'killer', version: '1' });
    const transport = new StdioClientTransport({ command, args, env: { ...env, TOOLKEEP_IDLE_EXIT_MS: '2000' } });
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(5);
    expect(product.processes().some(({ command }) => command.includes('headless'))).toBe(true);
    // A killed client closes the bridge's stdin.
    await client.close();
    await product.nothingLeft();
  });
});

describe('Ctrl-C', () => {
  it('Ctrl-C ends the Core and every server, even one that ignores signals', async () => {
    serveWith(commands.everything(), stubborn());
    const { core, client } = await atWork();
    await stubbornRuns();
    core.kill('SIGINT');
    await client.close();
    await product.nothingLeft();
  });
});
