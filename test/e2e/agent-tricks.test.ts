/** An agent that tries to get more out of an approval, of another client, or of Toolkeep's connections than the user gave. */
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readCoreFile } from '../../electron/bridge/reach-core.ts';
import { commands } from '../fixtures/commands.ts';
import { type Attacker, type AttackKit, attackKit } from './attack-kit.ts';
import { newProduct } from './product.ts';

const product = newProduct();
const at = (path: string) => join(product.home, path);
let kit: AttackKit;
let agent: Attacker;

const any = (name: string, description: string) => ({ name, description, inputSchema: { type: 'object' } });

beforeAll(async () => {
  product.file('passphrase', 'x');
  product.env.TOOLKEEP_PASSPHRASE_FILE = at('passphrase');
  product.file('ok/a/x.txt', 'x');
  product.file('tools.json', [any('remove_item', 'Removes an item.'), any('create_item', 'Creates an item.')]);
  const servers = {
    items: commands.misbehaving('normal', `tools-file=${at('tools.json')}`),
    other: commands.misbehaving(),
    long: commands.misbehaving('long-line', 'bytes=50000'),
    noisy: commands.misbehaving('log-flood', 'count=20000'),
  };
  product.file('.toolkeep/config.json', {
    approvals: { newTools: 'allow' },
    results: { maxCharacters: 1000 },
    servers: Object.entries(servers).map(([name, command]) => ({ name, connection: { type: 'stdio', ...command } })),
  });
  const { output } = await product.serve();
  for (const server of Object.keys(servers))
    await vi.waitFor(() => expect(output()).toContain(`${server}: ready`), { timeout: 20_000 });
  kit = await attackKit(product);
  for (const server of ['long', 'noisy', 'other'])
    await kit.ui.call('grants.allowActs', { server, destinations: 'any' });
  agent = await kit.overBridge('Agent', ['--client', 'claude-code']);
});
afterAll(async () => {
  await kit?.close();
  await product.dispose();
});

/** Has the user always allow a call, limited by the offered condition of this kind. */
async function allow(tool: string, args: Record<string, unknown>, kind: 'host' | 'is' | 'inside'): Promise<void> {
  const call = agent.execute('items', tool, args);
  const { approval } = await kit.question();
  const index = approval?.conditions?.findIndex((condition) => condition.kind === kind) ?? -1;
  expect(index).toBeGreaterThanOrEqual(0);
  await kit.answer({ action: 'accept', scope: 'always', conditions: [index] });
  expect(await call).toContain(tool);
}
async function asks(tool: string, args: Record<string, unknown>): Promise<void> {
  const call = agent.execute('items', tool, args);
  const answered = call.then((text) => text);
  const first = await Promise.race([answered, kit.question().then(() => 'asked')]);
  expect(first, JSON.stringify(args)).toBe('asked');
  await kit.answer({ action: 'decline' });
  expect(await call).toContain('APPROVAL_DENIED');
}
const good = 'https://good.example/1';
const inside = () => at('ok/a/x.txt');

it.each([
  ['many', 60, {}],
  ['long', 12, { text: 'x'.repeat(1_000_000) }],
])(
  'An agent with %s open questions leaves space for those of another client and of the same server',
  async (_, count, more) => {
    const other = await kit.overBridge('Other');
    const calls = Array.from({ length: count }, (_, n) => agent.execute('items', 'remove_item', { n, ...more }));
    const refused = await Promise.race(calls);
    expect(refused).toContain('too many questions');
    const call = other.execute('items', 'remove_item', { n: -1 });
    const open = () => kit.ui.call('questions.list');
    await expect.poll(async () => (await open()).some(({ from }) => from.client === 'Other')).toBe(true);
    let isOver = false;
    const all = Promise.all([call, ...calls]).finally(() => {
      isOver = true;
    });
    while (!isOver)
      for (const { id } of await open()) await kit.ui.call('questions.answer', { id, answer: { action: 'decline' } });
    for (const text of await all) expect(text).toMatch(/DENIED|too many questions/);
  },
);

describe('A grant that the user limited', () => {
  it('to a host covers no other host, method, name or argument', async () => {
    await allow('remove_item', { url: good }, 'host');
    expect(await agent.execute('items', 'remove_item', { url: 'https://good.example/2' })).toContain('remove_item');
    for (const args of [
      { url: 'http://good.example/1' },
      { url: 'https://good.example.evil.example/1' },
      { url: 'https://good.example@evil.example/' },
      { url: good, base_url: 'https://evil.example' },
      { url: good, URL: 'https://evil.example' },
      { url: good, method: 'DELETE' },
      { url: good, recursive: true },
      { url: [good, 'https://evil.example'] },
      { options: { url: good } },
    ])
      await asks('remove_item', args);
  });

  it('to a folder covers no other folder, program, link or target', async () => {
    await allow('remove_item', { path: inside() }, 'inside');
    expect(await agent.execute('items', 'remove_item', { path: at('ok/a/y.txt') })).toContain('remove_item');
    for (const args of [
      { path: at('ok/a') },
      { path: at('ok/a/../b') },
      { path: `${at('ok/a')}/%2e%2e/%2e%2e/etc` },
      { path: at('ok/a/*') },
      { path: inside(), options: { command: 'rm -rf ~' } },
      { path: inside(), exec: 'x' },
      { path: inside(), upload_to: 'http://evil.example' },
      { path: inside(), extra: '--output=/etc/passwd' },
      { path: inside(), env: { LD_PRELOAD: '/x.so' } },
    ])
      await asks('remove_item', args);
  });

  it('to a folder does not cover sending its files to someone else', async () => {
    const to = 'me@example.com';
    await allow('remove_item', { path: inside(), to }, 'inside');
    expect(await agent.execute('items', 'remove_item', { path: at('ok/a/y.txt'), to })).toContain('remove_item');
    await asks('remove_item', { path: inside(), to: 'you@evil.example' });
  });

  it('to the acting tools of a server covers neither its dangerous tools nor another server', async () => {
    const call = agent.execute('items', 'create_item', { a: 1 });
    await kit.answer({ action: 'accept', scope: 'always', conditions: [] });
    expect(await call).toContain('create_item');
    expect(await agent.execute('items', 'create_item', { b: 2 })).toContain('create_item');
    await asks('remove_item', { name: 'x' });
  });

  it('covers no call if the metadata of the call is new', async () => {
    const call = agent.execute('items', 'remove_item', { url: good }, { 'vendor/target': 'evil.example' });
    expect((await kit.question()).approval?.meta).toEqual({ 'vendor/target': 'evil.example' });
    await kit.answer({ action: 'decline' });
    expect(await call).toContain('APPROVAL_DENIED');
  });
});

it('Only the client that made a call can read the rest of its long result', async () => {
  const first = await agent.execute('long', 'big');
  const handle = /"handle": ?"([\w-]+)"/.exec(first)?.[1] ?? '';
  expect(handle).not.toBe('');
  const thief = await kit.overBridge('Agent', ['--client', 'cursor']);
  expect(await thief.execute('toolkeep', 'read_more', { handle })).not.toContain('xxx');
  expect(await agent.execute('toolkeep', 'read_more', { handle })).toContain('xxx');
});

it('A server that logs 20,000 messages in one call neither delays others nor floods its client', async () => {
  let received = 0;
  (agent.client as Client).setNotificationHandler(LoggingMessageNotificationSchema, () => {
    received += 1;
  });
  const flooded = agent.execute('noisy', 'echo', { text: 'done' });
  expect(await agent.execute('other', 'echo', { text: 'alive' })).toBe('alive');
  expect(await flooded).toBe('done');
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThan(2000);
});

it('A secret that a server prints as Base64 is in neither its log nor the diagnostics', async () => {
  await kit.ui.call('secrets.set', { name: 'prints/KEY', value: 'CANARY-VAULT-9z8y7x' });
  const { command, args } = commands.misbehaving();
  const print = 'printf "user:%s" "$KEY" | base64 >&2; printf %s "$KEY" | base64 >&2; exec "$0" "$@"';
  const connection = {
    type: 'stdio' as const,
    command: '/bin/sh',
    args: ['-c', print, command, ...args],
    env: { KEY: '${secret:prints/KEY}' },
  };
  // Confined, it would print a stand-in.
  const prints = { name: 'prints', enabled: true, connection, sandbox: false };
  await kit.ui.call('servers.save', { server: prints } as never);
  await expect.poll(async () => (await product.cli('diagnostics')).stdout).toContain('prints');
  await kit.ui.call('grants.allowActs', { server: 'prints', destinations: 'any' });
  expect(await agent.execute('prints', 'echo', { text: 'x' })).toBe('x');
  const shown =
    (await product.cli('diagnostics')).stdout +
    JSON.stringify(await kit.ui.call('servers.log', { server: 'prints' } as never));
  for (const form of ['user:CANARY-VAULT-9z8y7x', 'CANARY-VAULT-9z8y7x'])
    expect(shown).not.toContain(Buffer.from(form).toString('base64').slice(0, 20));
  expect(shown).not.toContain('CANARY');
  // Both lines were printed.
  expect(shown.match(/••••••/g)?.length).toBeGreaterThanOrEqual(2);
});

describe('The HTTP server', () => {
  const port = () => Number(new URL(readCoreFile(at('.toolkeep'))?.httpUrl ?? '').port);
  const status = (headers: Record<string, string>, path = '/mcp') =>
    new Promise<number | string>((resolve) => {
      request({ host: '127.0.0.1', port: port(), path, method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
        .end('{}');
    });

  it('refuses huge headers and addresses, and survives hundreds of silent connections', async () => {
    expect(await status({ 'x-large': 'x'.repeat(64_000) })).toBe(431);
    expect([414, 431]).toContain(await status({}, `/mcp?${'x'.repeat(64_000)}`));
    const silent: Socket[] = [];
    for (let i = 0; i < 400; i++) {
      const socket = connect(port(), '127.0.0.1').on('error', () => undefined);
      socket.write('POST /mcp HTTP/1.1\r\nHost: x\r\n');
      silent.push(socket);
    }
    expect(await status({})).toBe(401);
    expect(await agent.execute('other', 'echo', { text: 'alive' })).toBe('alive');
    for (const socket of silent) socket.destroy();
  });

  it('answers strange addresses without failing', async () => {
    for (const path of [
      '//evil.example/mcp',
      '/mcp/../wire',
      '/%00',
      '/..%2f..%2fetc/passwd',
      'http://evil.example/mcp',
      '/mcp%2f',
    ])
      expect([400, 401, 403, 404, 405], path).toContain(await status({}, path));
  });
});
