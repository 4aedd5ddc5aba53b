/** Config keys have the documented effect in the running product. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Serving, serveCore } from '../../../electron/http/serving.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands } from '../../fixtures/commands.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';

let host: TestHost;
let serving: Serving | undefined;
let core: CoreClient;

beforeEach(() => {
  host = testHost();
});
afterEach(async () => {
  await stop();
  host.dispose();
});

async function start(config: unknown): Promise<void> {
  writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify(config));
  serving = await serveCore(host, { rendererDir: host.homeDir });
  const [ours, theirs] = linkedWires();
  serving.attach(theirs, { answersQuestions: false });
  core = connectCore(ours);
}
async function stop(): Promise<void> {
  await serving?.close();
  serving = undefined;
}
const mcp = async () => {
  const origin = serving?.origin ?? '';
  await core.call('tokens.revoke', { name: 'test' }).catch(() => undefined);
  const { token } = await core.call('tokens.create', { name: 'test' });
  const body = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return (await fetch(`${origin}/mcp`, { method: 'POST', headers, body })).status;
};

test('http.port sets the port, and http.enabled disables and enables /mcp at run time', async () => {
  const port = await freePort();
  await start({ http: { enabled: false, port } });
  expect(new URL(serving?.origin ?? '').port).toBe(String(port));
  expect(await mcp()).toBe(403);
  expect((await core.call('core.status')).http).toBeUndefined();
  writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify({ http: { port } }));
  await core.call('config.reload');
  expect(await mcp()).toBe(200);
  expect((await core.call('core.status')).http?.url).toBe(`http://127.0.0.1:${port}/mcp`);
});

test('http.page decides at run time whether a Core with its own window also serves the page and its WebSocket', async () => {
  const file = join(host.dataDir, 'config.json');
  writeFileSync(join(host.homeDir, 'index.html'), '<title>Toolkeep</title>');
  await start({});
  const page = async () => (await fetch(`${serving?.origin}/`)).status;
  const wire = () =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${serving?.origin.replace('http', 'ws')}/wire`);
      socket.once('open', () => resolve('open'));
      socket.once('error', (error) => resolve(error.message));
    });
  expect(await page()).toBe(404);
  expect(await wire()).toContain('404');
  expect(serving?.pageUrl()).toBeUndefined();
  expect(await mcp()).toBe(200);
  writeFileSync(file, JSON.stringify({ http: { page: true } }));
  await core.call('config.reload');
  expect(await page()).toBe(200);
  expect(await wire()).toBe('open');
  expect(serving?.pageUrl()).toMatch(/#code=/);
});

test("A source is read from its path, or without one from the client's default location", async () => {
  const entry = (name: string) => ({ mcpServers: { [name]: commands.misbehaving('normal') } });
  mkdirSync(join(host.homeDir, '.cursor'));
  writeFileSync(join(host.homeDir, '.cursor/mcp.json'), JSON.stringify(entry('usual')));
  writeFileSync(join(host.homeDir, 'mine.json'), JSON.stringify(entry('elsewhere')));
  await start({ sources: [{ type: 'cursor' }, { type: 'custom', path: '~/mine.json' }] });
  expect((await core.call('servers.list')).map(({ id }) => id).sort()).toEqual(['elsewhere', 'usual']);
  const { sources } = await core.call('config.show');
  expect(sources.map(({ found, servers }) => [found, servers])).toEqual([
    [true, 1],
    [true, 1],
  ]);
  expect((await core.call('config.validate')).problems).toEqual([]);
});
