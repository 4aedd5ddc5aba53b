/** Keys of the config do in the running product what the docs say of them. */
import { cpSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { statusText } from '../../electron/cli/text/status.ts';
import { type Serving, serveCore } from '../../electron/serve/serve.ts';
import type { CoreClient } from '../../shared/contract.ts';
import { connectCore } from '../../shared/rpc.ts';
import { linkedWires } from '../../shared/wire.ts';
import { commands } from '../fixtures/commands.ts';
import { docsModel } from '../fixtures/docs-model.ts';
import { type TestHost, testHost } from '../fixtures/host.ts';

let host: TestHost;
let serving: Serving | undefined;
let core: CoreClient;

beforeEach(() => {
  host = testHost();
  mkdirSync(join(host.cwd, '.gatehouse'));
});
afterEach(async () => {
  await stop();
  host.dispose();
});

async function start(config: unknown): Promise<void> {
  writeFileSync(join(host.cwd, '.gatehouse/config.json'), JSON.stringify(config));
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
  const origin = new URL(serving?.pageUrl ?? '').origin;
  const token = readFileSync(join(host.dataDir, 'run/token'), 'utf8').trim();
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

test('http.port is the port, http.enabled switches /mcp off and on again while it runs', async () => {
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
  await start({ http: { enabled: false, port } });
  expect(new URL(serving?.pageUrl ?? '').port).toBe(String(port));
  expect(await mcp()).toBe(403);
  expect((await core.call('core.status')).http).toBeUndefined();
  writeFileSync(join(host.cwd, '.gatehouse/config.json'), JSON.stringify({ http: { port } }));
  await core.call('config.reload');
  expect(await mcp()).toBe(200);
  expect((await core.call('core.status')).http?.url).toBe(`http://127.0.0.1:${port}/mcp`);
});

test('a source without a path is followed where its app keeps it, one with a path there (A7)', async () => {
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

test('a model in the data folder, or where search.model says, finds by meaning; a broken one is told in the status (A2)', async () => {
  const model = docsModel();
  try {
    const bare = (text: string) => text;
    const plain = { good: bare, bad: bare, warn: bare, dim: bare, bold: bare };
    const servers = { everything: commands.everything() };
    const best = async (query: string) => (await core.call('tools.search', { query })).map(({ tool }) => tool)[0];
    const searching = async () => {
      const status = await core.call('core.status');
      const report = { running: true, status, servers: [], now: Date.now() };
      return statusText(report, plain).match(/^Search: .*\n(?: {2}.*)?/m)?.[0];
    };
    await start({ servers });
    await vi.waitFor(async () => expect(await best('gzip')).toBe('gzip-file-as-resource'), { timeout: 20_000 });
    expect(await best('deflate')).toBeUndefined();
    expect(await searching()).toBeUndefined();
    await stop();

    cpSync(model.folder, join(host.dataDir, 'search-model'), { recursive: true });
    await start({ servers });
    await vi.waitFor(async () => expect(await best('deflate')).toBe('gzip-file-as-resource'), { timeout: 20_000 });
    expect(await searching()).toMatch(/by words and by meaning \(.*search-model\)/);
    await stop();

    const named = join(host.cwd, '.gatehouse/broken');
    cpSync(model.folder, named, { recursive: true });
    truncateSync(join(named, 'model.safetensors'), 1_000);
    await start({ servers, search: { model: './broken' } });
    expect(await searching()).toMatch(/by words alone\n {2}! .*broken.model\.safetensors: .*ends at byte 1000/);
    expect(await best('gzip')).toBe('gzip-file-as-resource');
    expect(await best('deflate')).toBeUndefined();
  } finally {
    model.dispose();
  }
}, 90_000);
