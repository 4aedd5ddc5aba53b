/** A client that connects while no Core runs has Toolkeep's tools at once, unless the user has changed what it may see. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { commands } from '../fixtures/commands.ts';
import { newProduct, type Product } from './product.ts';

const coreFile = ({ home }: Product) => join(home, '.toolkeep/run/core.json');

/** A client that introduces itself, lists the tools and calls one. `isEarly`: it had the list before a Core was ready. */
async function connect(product: Product, ...args: string[]) {
  const { command, args: all, env } = product.bridge(...args);
  const bridge: ChildProcess = spawn(command, all, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const send = (message: object) => bridge.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'codex-mcp-client', version: '1' };
  send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  send({ method: 'notifications/initialized' });
  send({ id: 1, method: 'tools/list' });
  let isEarly: boolean | undefined;
  let list = '';
  for await (const line of createInterface({ input: bridge.stdout ?? process.stdin })) {
    const message = JSON.parse(line);
    if (message.id === 1) {
      isEarly = !existsSync(coreFile(product));
      list = JSON.stringify(message.result);
      send({ id: 2, method: 'tools/call', params: { name: 'notes-echo', arguments: { text: 'served' } } });
    }
    if (message.id !== 2) continue;
    bridge.stdin?.end();
    await once(bridge, 'exit');
    return { isEarly, list, called: JSON.stringify(message) };
  }
  throw new Error('The bridge ended without an answer.');
}

it('repeats the last list while Core starts, and waits for Core after the user has disabled a tool', async () => {
  const product = newProduct();
  onTestFinished(() => product.dispose());
  product.env.TOOLKEEP_IDLE_EXIT_MS = '200';
  const notes = { name: 'notes', connection: { type: 'stdio', ...commands.misbehaving('normal') } };
  product.file('.toolkeep/config.json', { servers: [notes], approvals: { ask: 'dangerous', destinations: 'any' } });
  const ended = () => expect.poll(() => existsSync(coreFile(product))).toBe(false);

  const first = await connect(product, '--mode', 'full');
  expect(first.isEarly).toBe(false);
  expect(first.called).toContain('served');
  await ended();
  const again = await connect(product, '--mode', 'full');
  expect(again.isEarly).toBe(true);
  expect(again.list).toContain('echo');
  expect(again.called).toContain('served');
  await ended();
  expect((await connect(product)).isEarly).toBe(false);
  await ended();

  await product.cli('override', 'notes', 'echo', '--disable');
  const changed = await connect(product, '--mode', 'full');
  expect(changed.isEarly).toBe(false);
  expect(changed.list).not.toContain('echo');
});
