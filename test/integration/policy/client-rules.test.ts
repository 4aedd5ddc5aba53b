/** Rules for one client limit or spare this client only. */
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { expect, test, vi } from 'vitest';
import type { AccessLevel } from '../../../shared/model/access.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';

const args = [join(import.meta.dirname, '../../fixtures/office.mjs')];
const connection = { type: 'stdio' as const, command: process.execPath, args, env: {} };
const start = (toolRules: object[] = []) =>
  startCore([{ name: 'office', connection, enabled: true }], { config: { approvals: { ask: 'acts' }, toolRules } });

/** A client that connects through the entry of `entry`. */
async function connect({ core }: CoreTrial, entry: string): Promise<Client> {
  const [theirs, ours] = duplexPair();
  core.gateway.serveStream(ours, { mode: 'lazy', client: entry });
  const client = new Client({ name: entry, version: '1' });
  await client.connect(new StdioServerTransport(theirs, theirs));
  return client;
}
async function run(client: Client, tool: string, its: Record<string, unknown>): Promise<string> {
  const call = { server: 'office', tool, arguments: its };
  return JSON.stringify(await client.callTool({ name: 'execute_tool', arguments: call }));
}
const tools = async (client: Client) =>
  JSON.stringify(await client.callTool({ name: 'list_tools', arguments: { server: 'office' } }));
const set = ({ core }: CoreTrial, level: Exclude<AccessLevel, 'custom'>, server?: string) =>
  core.handlers['access.set']({ client: 'cursor', level, ...(server && { server }) });

test('A client without dangerous tools neither sees nor runs one, and other clients still ask', async () => {
  const trial = await start();
  await trial.core.handlers['servers.restart']({ server: 'office' });
  const [cursor, claude] = [await connect(trial, 'cursor'), await connect(trial, 'claude-desktop')];
  expect(await tools(cursor)).toContain('delete_page');
  expect(await set(trial, 'harmless')).toEqual({ before: 'usual' });
  expect(await tools(cursor)).toMatch(/read_page.*create_page|create_page.*read_page/);
  expect(await tools(cursor)).not.toContain('delete_page');
  expect(await run(cursor, 'delete_page', { page: 'p' })).toContain("is disabled for this client by the user's rules.");
  expect(await tools(claude)).toContain('delete_page');
  expect(await run(claude, 'read_page', { page: 'p' })).toContain('read_page done');
});

test('A server that is off for a client is as good as absent', async () => {
  const trial = await start();
  await trial.core.handlers['servers.restart']({ server: 'office' });
  const cursor = await connect(trial, 'cursor');
  const read = vi.spyOn(trial.host.store, 'get');
  await set(trial, 'off', 'office');
  // A rule is applied at once, without reading the list of servers again.
  expect(read.mock.calls.flat()).not.toContain('disabledServers');
  expect(await run(cursor, 'read_page', { page: 'p' })).toContain('is disabled for this client');
  const { content } = await cursor.callTool({ name: 'search_tools', arguments: { query: 'read a page' } });
  expect(JSON.stringify(content)).not.toContain('read_page');
  expect(await set(trial, 'usual', 'office')).toEqual({ before: 'off' });
  expect(await run(cursor, 'read_page', { page: 'p' })).toContain('read_page done');
});

test('A free client is asked nothing about a tool that acts, but about a dangerous one', async () => {
  const trial = await start();
  await trial.core.handlers['servers.restart']({ server: 'office' });
  const cursor = await connect(trial, 'cursor');
  await set(trial, 'free', 'office');
  expect(await run(cursor, 'create_page', { title: 't' })).toContain('create_page done');
  // No UI is open, so that each question is refused.
  expect(await run(cursor, 'delete_page', { page: 'p' })).toContain('APPROVAL_UNAVAILABLE');
  // A rule that asks each time is stronger.
  await trial.core.handlers['tools.setPolicy']({ server: 'office', tool: 'create_page', confirm: 'always' });
  expect(await run(cursor, 'create_page', { title: 't' })).toContain('APPROVAL_UNAVAILABLE');
});

test('The details of a tool say whether this client, another one, or the user is asked before it runs', async () => {
  const trial = await start();
  await trial.core.handlers['servers.restart']({ server: 'office' });
  const [cursor, claude] = [await connect(trial, 'cursor'), await connect(trial, 'claude-desktop')];
  const details = async (client: Client, tool: string) =>
    JSON.stringify(await client.callTool({ name: 'get_tool_details', arguments: { server: 'office', tool } }));
  await set(trial, 'free', 'office');
  expect(await details(cursor, 'create_page')).not.toContain('asks the user');
  expect(await details(claude, 'create_page')).toContain('asks the user once');
  for (const client of [cursor, claude]) {
    expect(await details(client, 'read_page')).not.toContain('asks the user');
    expect(await details(client, 'delete_page')).toContain('asks the user first');
  }
  const listed = await trial.core.handlers['tools.list']({ server: 'office' });
  for (const { name, asks } of listed) {
    const shown = await trial.core.handlers['tools.details']({ server: 'office', tool: name });
    expect(shown, name).toMatchObject({ asks });
  }
  expect(Object.groupBy(listed, ({ asks }) => asks)).toMatchObject({ once: [{ name: 'create_page' }] });
});

test('A rule for a client that would enable tools changes nothing', async () => {
  const trial = await start();
  await trial.core.handlers['servers.restart']({ server: 'office' });
  const cursor = await connect(trial, 'cursor');
  await trial.core.handlers['rules.save']({
    rules: [
      { client: 'cursor', pattern: ['*'], enabled: true, active: true },
      { pattern: ['read_page'], enabled: false, active: true },
    ],
  });
  expect(await run(cursor, 'read_page', { page: 'p' })).toContain('TOOL_DISABLED');
  expect(await run(cursor, 'search_pages', { query: 'p' })).toContain('search_pages done');
});

test('A rule of the config file can be for one client', async () => {
  const trial = await start([{ client: 'cursor', pattern: ['read_page'], enabled: false }]);
  await trial.core.handlers['servers.restart']({ server: 'office' });
  expect(await run(await connect(trial, 'cursor'), 'read_page', { page: 'p' })).toContain('TOOL_DISABLED');
  expect(await run(await connect(trial, 'claude-desktop'), 'read_page', { page: 'p' })).toContain('read_page done');
});

test('The table shows the level of each cell, and leaves rules of other forms alone', async () => {
  const trial = await start();
  await trial.core.handlers['tokens.create']({ name: 'scripts' });
  const table = async () => {
    const { servers, clients } = await trial.core.handlers['access.show'](undefined);
    return { servers, scripts: clients.find(({ id }) => id === 'scripts') };
  };
  expect(await table()).toMatchObject({ servers: ['office'], scripts: { all: 'usual', cells: ['usual'] } });
  const change = { client: 'scripts', server: 'office' };
  await trial.core.handlers['access.set']({ ...change, level: 'free' });
  expect(await table()).toMatchObject({ scripts: { all: 'usual', cells: ['free'] } });
  await trial.core.handlers['rules.save']({
    rules: [{ ...change, pattern: ['read_*'], enabled: false, active: true }],
  });
  expect(await table()).toMatchObject({ scripts: { cells: ['custom'] } });
  await expect((async () => trial.core.handlers['access.set']({ ...change, level: 'off' }))()).rejects.toThrow(
    'Other rules decide',
  );
});
