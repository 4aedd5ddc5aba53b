/** A plug-in's tool provider receives the client of each request, and each client sees only the tools listed for it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ProviderContext } from '../../../electron/core/plugins/plugin-api.ts';
import { externalProject } from './external-project.ts';

interface Heard extends Omit<ProviderContext, 'signal'> {
  what: string;
}
declare global {
  /** Everything that the plug-in under test received. The plug-in runs in this process. */
  var heard: Heard[];
}

const plugin = (source: string) => `
  const tool = (name) => ({
    name,
    description: 'Reads the ' + name + '.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  });
  const note = (what, { signal, ask, ...context }) => globalThis.heard.push({ what, ...context });
  export default {
    name: 'hub',
    ${source}
  };`;

const lists = `
    provideTools(context) {
      note('list', context);
      const { identity, activeSkillId } = context;
      return [tool('shared'), tool((identity?.tenant ?? 'no') + '_tenant'), ...(activeSkillId ? [tool(activeSkillId)] : [])];
    },
    execute(name, args, context) {
      note('run ' + name, context);
      return { content: [{ type: 'text', text: name }] };
    },`;

async function hub(source: string) {
  globalThis.heard = [];
  const profile = (name: string) => [name, { servers: ['hub'] }];
  const project = await externalProject(({ write }) => {
    write('hub.mjs', plugin(source));
    write('config.json', {
      refreshInterval: false,
      plugins: ['./hub.mjs'],
      profiles: Object.fromEntries(['red', 'blue'].map(profile)),
    });
  });
  await expect.poll(() => project.core.handlers['servers.list']()).toMatchObject([{ id: 'hub', status: 'ready' }]);
  globalThis.heard = [];
  return project;
}
const run = (tool: string) => ({ server: 'hub', tool, arguments: {} });

describe('A provider', () => {
  it('receives the session, the configured client, its profile and the number of the request, for lists and calls', async () => {
    await using project = await hub(lists);
    const client = await project.client({ client: 'cursor', profile: 'red' });
    await client.text('list_tools', { server: 'hub' });
    await client.text('execute_tool', run('shared'));
    const [listed, before, called] = globalThis.heard;
    const { conversationId } = listed?.identity ?? { conversationId: '' };
    const { clients } = await project.core.handlers['core.status']();
    expect(clients.map(({ id }) => id)).toEqual([conversationId]);
    const identity = { tenant: 'red', principal: 'cursor', conversationId };
    expect(listed).toEqual({ what: 'list', iteration: 1, identity });
    expect(before).toEqual({ what: 'list', iteration: 2, identity });
    expect(called).toEqual({ what: 'run shared', iteration: 2, identity });
    expect(globalThis.heard).toHaveLength(3);
  });

  it('receives the name of the token of an HTTP client', async () => {
    await using project = await hub(lists);
    const { token } = await project.core.handlers['tokens.create']({ name: 'laptop' });
    const server = createServer((request, response) => void project.core.gateway.handleHttp(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const client = new Client({ name: 'agent', version: '1' });
    const { port } = server.address() as AddressInfo;
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }));
    await client.callTool({ name: 'list_tools', arguments: { server: 'hub' } });
    await client.close();
    server.closeAllConnections();
    expect(globalThis.heard).toMatchObject([{ what: 'list', identity: { principal: 'laptop' } }]);
  });

  it('counts the requests of each client separately, and lists for every request that reads tools', async () => {
    await using project = await hub(lists);
    const [one, other] = [await project.client({ mode: 'hybrid' }), await project.client()];
    await one.listed();
    await one.text('search_tools', { query: 'shared' });
    await one.text('get_tool_details', { server: 'hub', tool: 'shared' });
    await other.text('list_tools', { server: 'hub' });
    expect(globalThis.heard.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 1]);
  });

  it('shows a tool only to the client for which it lists the tool, and runs it only for that client', async () => {
    await using project = await hub(lists);
    const red = await project.client({ profile: 'red', mode: 'lazy' });
    const blue = await project.client({ profile: 'blue', mode: 'lazy' });
    expect(await red.text('list_tools', { server: 'hub' })).toMatch(/^shared: .*\nred_tenant: [^\n]*$/);
    expect(await blue.text('list_tools', { server: 'hub' })).toMatch(/^shared: .*\nblue_tenant: [^\n]*$/);
    expect(await blue.text('search_tools', { query: 'red tenant' })).not.toContain('red_tenant');
    expect(await red.text('search_tools', { query: 'red tenant' })).toContain('hub/red_tenant');
    for (const name of ['get_tool_details', 'execute_tool']) {
      expect(await red.text(name, run('red_tenant'))).toContain('red_tenant');
      const answer = await blue.text(name, run('red_tenant'));
      expect(JSON.parse(answer).error, name).toEqual({
        code: 'TOOL_NOT_FOUND',
        message:
          'The server "hub" has no tool "red_tenant" for this client. Did you mean "blue_tenant"? It has: shared, blue_tenant.',
        server: 'hub',
        tool: 'red_tenant',
      });
    }
    expect(await blue.text('list_mcp_servers', {})).toContain('hub (2 tools)');
    const full = await project.client({ profile: 'blue', mode: 'full' });
    expect((await full.listed()).sort()).toEqual(['hub-blue_tenant', 'hub-shared']);
    const direct = JSON.parse(await full.text('hub-red_tenant', {}));
    expect(direct.error).toMatchObject({ code: 'TOOL_NOT_FOUND', tool: 'red_tenant' });
  });

  it('lists the tools of the skill that a request names', async () => {
    await using project = await hub(lists);
    const client = await project.client();
    expect(await client.text('list_tools', { server: 'hub' }, { skill: 'billing' })).toContain('billing');
    expect(await client.text('list_tools', { server: 'hub' })).not.toContain('billing');
    expect(await client.text('execute_tool', run('billing'), { skill: 'billing' })).toBe('billing');
    expect(JSON.parse(await client.text('execute_tool', run('billing'))).error.code).toBe('TOOL_NOT_FOUND');
  });

  it('is notified when a client cancels its request', async () => {
    await using project = await hub(`
      provideTools(context) {
        if (!context.identity) return [tool('shared')];
        note('list', context);
        return new Promise((resolve) => context.signal.addEventListener('abort', () => {
          note('aborted', context);
          resolve([]);
        }));
      },
      execute: () => ({ content: [] }),`);
    const client = await project.client();
    const leaving = new AbortController();
    const listed = client.text('list_tools', { server: 'hub' }, { signal: leaving.signal });
    await expect.poll(() => globalThis.heard).toHaveLength(1);
    leaving.abort();
    await expect(listed).rejects.toThrow();
    await expect.poll(() => globalThis.heard.map(({ what }) => what)).toEqual(['list', 'aborted']);
  });

  it('that is late is named in the answer, and searches wait for it only once', async () => {
    await using project = await hub(`
      provideTools: (context) => (context.identity ? new Promise(() => note('list', context)) : [tool('shared')]),
      execute: () => ({ content: [] }),`);
    const client = await project.client({ profile: 'red' });
    const late = 'Still connecting, not included yet: hub. Try again in a moment.';
    expect(await client.text('search_tools', { query: 'shared' })).toContain(late);
    expect(await client.text('search_tools', { query: 'shared' })).toContain(late);
    expect(await client.text('list_tools', { server: 'hub' })).toBe(late);
    // The requests share one listing, because none of them cancelled it.
    expect(globalThis.heard).toHaveLength(1);
  });

  it('that has never answered delays a request for its tools no longer than any other', async () => {
    globalThis.heard = [];
    await using project = await externalProject(({ write }) => {
      const never = 'provideTools: () => new Promise(() => {}), execute: () => ({ content: [] }), timeoutMs: 6000,';
      write('hub.mjs', plugin(never));
      write('config.json', { refreshInterval: false, plugins: ['./hub.mjs'] });
    });
    const client = await project.client();
    const first = Promise.race([
      client.text('list_tools', { server: 'hub' }),
      vi.waitUntil(() => project.events.find(({ name }) => name === 'discovery.failed'), { timeout: 20_000 }),
    ]);
    expect(await first).toBe('Still connecting, not included yet: hub. Try again in a moment.');
  });

  it('that fails is reported in the answers to its client, and not in those to others', async () => {
    await using project = await hub(`
      async provideTools({ identity }) {
        if (identity?.tenant === 'red') throw new Error('no license');
        return [tool('shared')];
      },
      execute: () => ({ content: [] }),`);
    const red = await project.client({ profile: 'red' });
    const blue = await project.client({ profile: 'blue' });
    const message = 'Plug-in "hub" failed to list its tools: no license';
    expect(await red.text('list_mcp_servers', {})).toContain('hub, failed (PLUGIN_FAILED)');
    expect(await red.text('search_tools', { query: 'shared' })).toContain(message);
    for (const name of ['list_tools', 'get_tool_details', 'execute_tool'])
      expect(JSON.parse(await red.text(name, run('shared'))).error).toMatchObject({ code: 'PLUGIN_FAILED', message });
    expect(await blue.text('search_tools', { query: 'shared' })).toContain('hub/shared');
    const failed = project.events.filter(({ name }) => name === 'discovery.failed');
    expect(failed[0]?.data).toMatchObject({
      server: 'hub',
      iteration: 1,
      code: 'PLUGIN_FAILED',
      message: 'no license',
    });
  });
});
