/**
 * The handshake of a client, and its list of meta-tools, are answered before any server has started. A client that lists every
 * tool waits for servers that were never discovered, and so does an agent that lists the servers.
 */

import { expect, test } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { textOf } from '../servers/server-harness.ts';

test.each(['legacy', 'modern'] as const)(
  'A %s client completes its handshake and reads its list while every server is still silent',
  async (era) => {
    const silent = Array.from({ length: 5 }, (_, at) =>
      serverConfig(`silent-${at}`, commands.misbehaving('hang-at-initialize')),
    );
    const t = await startCore(silent);
    const client = era === 'legacy' ? await t.legacyClient({}, 'lazy') : await t.modernClient({}, 'lazy');
    expect((await client.listTools()).tools).toHaveLength(5);
    for (const { name } of silent) expect(['idle', 'starting']).toContain(t.view(name).status);
  },
);

test('A client that lists every tool gets the tools from the catalog without starting a server', async () => {
  const host = testHost();
  const servers = [serverConfig('github', commands.github())];
  const first = await startCore(servers, { host });
  await eventually(() => first.view('github').toolCount > 0, 'the tools');
  await first.core.close();
  const t = await startCore(servers, { host });
  const client = await t.legacyClient({}, 'full');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('github-create_issue');
  expect(t.view('github')).toMatchObject({ status: 'idle', pid: undefined });
  // The timeout of each tool is in its metadata, which costs the model no tokens.
  expect(tools[0]?._meta).toEqual({ 'toolkeep/timeoutMs': 60_000 });
  await t.core.close();
  host.dispose();
});

test('The first list of a client in full or hybrid mode has the tools of a slow server', async () => {
  const t = await startCore([serverConfig('late', commands.misbehaving('slow-start', 'delay=2500'))], {
    config: { toolRules: [{ pattern: ['echo'], tags: ['pinned'] }] },
  });
  const clients = await Promise.all([t.legacyClient({}, 'full'), t.legacyClient({}, 'hybrid')]);
  // Neither an answer at once nor the wait of a search would be enough.
  for (const { tools } of await Promise.all(clients.map((client) => client.listTools())))
    expect(tools.map(({ name }) => name)).toContain('late-echo');
});

test('An agent that lists the servers reads which of them still connect, never that they have no tools', async () => {
  const t = await startCore([
    serverConfig('late', commands.misbehaving('slow-start', 'delay=700')),
    serverConfig('silent', commands.misbehaving('hang-at-initialize')),
  ]);
  const client = await t.legacyClient({}, 'lazy');
  for (;;) {
    const answer = textOf(await client.callTool({ name: 'list_mcp_servers', arguments: {} }));
    expect(answer).not.toContain('0 tools');
    expect(answer).toMatch(/^silent, starting$/m);
    expect(answer).toMatch(/^Still connecting, not included yet: .*silent\. Try again in a moment\.$/m);
    // On a busy machine, the brief wait may not be enough.
    if (/^late \(\d+ tools\), connected$/m.test(answer)) return;
    expect(answer).toMatch(/^late, starting$/m);
  }
});

test('A client that calls a tool by its listed name before its server was ever discovered gets the result', async () => {
  const servers = [
    serverConfig('late', commands.misbehaving('slow-start', 'delay=700')),
    serverConfig('silent', commands.misbehaving('hang-at-initialize')),
  ];
  const t = await startCore(servers);
  const client = await t.legacyClient({}, 'full');
  const call = { name: 'late-echo', arguments: { text: 'hello' } };
  expect((await client.callTool(call)).isError).not.toBe(true);
  // No server can have a tool with this name, so the call waits for no server.
  await expect(client.callTool({ name: 'other-echo', arguments: {} })).rejects.toThrow('Unknown tool: other-echo');
  expect(t.view('silent').status).toBe('starting');
});
