/**
 * The examples of the asynchronous tool provider: plug-ins over a hub behind a network call, in one served product.
 *
 * @module-tag exhaustive
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { newProduct } from '../product.ts';
import { example } from './example.ts';
import { connect } from './stage.ts';

const product = newProduct();
/** Requests by path, and those that were cancelled before the hub answered. */
const asked: string[] = [];
const aborted: string[] = [];
let down = 0;
const hub = createServer((request, response) => {
  const path = request.url ?? '';
  asked.push(path);
  request.once('close', () => response.writableEnded || aborted.push(path));
  const tools = (...names: string[]) =>
    names.map((name) => ({
      name,
      description: `Reads ${name}.`,
      inputSchema: { type: 'object', properties: {} },
      annotations: { readOnlyHint: true },
    }));
  if (path.startsWith('/slow')) return;
  if (path.startsWith('/refusing')) return void response.writeHead(403).end();
  if (path.startsWith('/flaky') && down-- > 0) return void request.socket.destroy();
  response.end(JSON.stringify(tools('shared', 'secret_plans', `of_${path.split('/')[2] || 'nobody'}`)));
});

/** A provider like the worked example: passes the signal to the hub, and caches the list for `ttlMs`. */
const provider = (name: string, ttlMs: number, more = '') => `import { gatedTools } from 'toolkeep/plugin';
const list = async ({ identity, activeSkillId, signal }) => {
  const response = await fetch(\`\${process.env.HUB}/${name}/\${identity?.tenant ?? ''}\`, { signal });
  if (!response.ok) throw Object.assign(new Error('the hub refused'), { status: response.status });
  return response.json();
};
export default {
  name: '${name}',
  ttlMs: ${ttlMs},
  provideTools: list,
  execute: (tool) => ({ content: [{ type: 'text', text: tool + ' ran' }] }),
  ${more}
};`;
/** A provider as the document defines it for production: it has its own cache, and concurrent callers share a fetch. */
const discovery = `
const hub = {
  fetchCatalog: async ({ signal }) => (await fetch(process.env.HUB + '/discovery', { signal })).json(),
};
function discoveryProvider({ hub, ttlMs }) {
  let cache;
  let inFlight;
  return {
    id: 'discovery',
    async list(ctx) {
      const now = Date.now();
      if (cache && cache.expiresAt > now) return cache.tools;
      if (inFlight) return inFlight;
      inFlight = (async () => {
        try {
          const found = await hub.fetchCatalog({ ...(ctx.signal && { signal: ctx.signal }) });
          const tools = found.map((tool) => ({ ...tool, execute: (args) => tool.name + ' ran with ' + args.text }));
          cache = { tools, expiresAt: now + ttlMs };
          return tools;
        } finally {
          inFlight = undefined;
        }
      })();
      return inFlight;
    },
  };
}
export default discoveryProvider({ hub, ttlMs: 60_000 });`;
const plugins = {
  discovery,
  hub: provider('hub', 60_000),
  gated: provider('gated', 60_000, "provideTools: gatedTools(list, (tool) => tool.name !== 'secret_plans'),"),
  fresh: provider('fresh', 0),
  slow: provider('slow', 0),
  refusing: provider(
    'refusing',
    0,
    "reliability: [{ when: ({ error }) => error.code === '403', then: 'fail-fast', kind: 'refused' }],",
  ),
  flaky: provider(
    'flaky',
    0,
    "reliability: [{ when: ({ error, attempt }) => error.code !== '403' && attempt < 3, then: 'retry', kind: 'discovery-transient', delayMs: 10 }],",
  ),
};
const countOf = (path: string) => asked.filter((one) => one === path).length;

beforeAll(async () => {
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  product.env.HUB = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  for (const [name, text] of Object.entries(plugins)) product.file(`.toolkeep/${name}.mjs`, text);
  const names = Object.keys(plugins);
  product.file('.toolkeep/config.json', {
    refreshInterval: false,
    plugins: names.map((name) => `./${name}.mjs`),
    profiles: Object.fromEntries(['red', 'blue'].map((tenant) => [tenant, { servers: names }])),
  });
  await product.serve();
}, 60_000);
afterAll(async () => {
  await product.dispose();
  hub.closeAllConnections();
  hub.close();
});

example('async/hub', async () => {
  const agent = await connect(product, '--profile', 'red');
  expect(await agent.ask('list_tools', { server: 'hub' })).toMatch(/^shared: Reads shared/);
  expect(await agent.run('hub', 'shared')).toBe('shared ran');
  expect(await agent.ask('search_tools', { query: 'secret plans', server: 'hub' })).toContain('hub/secret_plans');
  expect(countOf('/hub/red')).toBe(1);
  await agent.client.close();
});

example('async/concurrent', async () => {
  const agents = await Promise.all([connect(product, '--profile', 'blue'), connect(product, '--profile', 'blue')]);
  const lists = await Promise.all(agents.map(({ ask }) => ask('list_tools', { server: 'hub' })));
  expect(lists[0]).toBe(lists[1]);
  expect(countOf('/hub/blue')).toBe(1);
  const shared = await Promise.all(agents.map(({ ask }) => ask('list_tools', { server: 'discovery' })));
  expect(shared[0]).toMatch(/^shared: Reads shared/);
  expect(shared[1]).toBe(shared[0]);
  expect(await agents[0]?.run('discovery', 'shared', { text: 'args' })).toBe('shared ran with args');
  expect(countOf('/discovery')).toBe(1);
  for (const { client } of agents) await client.close();
});

example('async/context', async () => {
  const [red, blue] = await Promise.all([connect(product, '--profile', 'red'), connect(product, '--profile', 'blue')]);
  expect(await red.ask('list_tools', { server: 'fresh' })).toContain('of_red');
  const ofBlue = await blue.ask('list_tools', { server: 'fresh' });
  expect(ofBlue).toContain('of_blue');
  expect(ofBlue).not.toContain('of_red');
  expect(await blue.run('fresh', 'of_red')).toContain('TOOL_NOT_FOUND');
  // A time to live of 0 disables the cache.
  const before = countOf('/fresh/red');
  await red.ask('list_tools', { server: 'fresh' });
  expect(countOf('/fresh/red')).toBe(before + 1);
  await red.client.close();
  await blue.client.close();
});

example('async/gated', async () => {
  const agent = await connect(product, '--profile', 'red');
  const list = await agent.ask('list_tools', { server: 'gated' });
  expect(list).toContain('shared');
  expect(list).not.toContain('secret_plans');
  expect(await agent.run('gated', 'secret_plans')).toContain('TOOL_NOT_FOUND');
  await agent.client.close();
});

example('async/cancel', async () => {
  const agent = await connect(product, '--profile', 'red');
  const stop = new AbortController();
  const call = agent.client.callTool({ name: 'list_tools', arguments: { server: 'slow' } }, undefined, {
    signal: stop.signal,
  });
  await expect.poll(() => countOf('/slow/red')).toBeGreaterThan(0);
  stop.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => aborted).toContain('/slow/red');
  await agent.client.close();
});

example('async/failure', async () => {
  const agent = await connect(product, '--profile', 'red');
  const told = await agent.ask('list_tools', { server: 'refusing' });
  expect(told).toContain('PLUGIN_FAILED');
  expect(told).toContain('the hub refused');
  expect(countOf('/refusing/red')).toBe(1);
  expect(readFileSync(join(product.home, '.toolkeep/logs/toolkeep.log'), 'utf8')).toContain('refused');
  await agent.client.close();
});

example('async/reliability', async () => {
  const agent = await connect(product, '--profile', 'red');
  down = 2;
  expect(await agent.ask('list_tools', { server: 'flaky' })).toContain('shared');
  expect(countOf('/flaky/red')).toBe(3);
  await agent.client.close();
});
