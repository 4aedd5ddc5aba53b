/** Agents receive the status of each server, tags, and the reason why a server is missing. */

import { expect, test } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { textOf } from '../servers/server-harness.ts';

async function agent() {
  const t = await startCore(
    [
      serverConfig('github', commands.github(), { description: 'Issues and repositories' }),
      serverConfig('database', commands.misbehaving('crash-at-start')),
    ],
    { config: { toolRules: [{ pattern: ['*issue*'], tags: ['github', 'issues'] }] } },
  );
  await eventually(() => t.view('github').toolCount > 0 && t.view('database').status === 'failed', 'both servers');
  const client = await t.legacyClient({}, 'lazy');
  return async (name: string, args: Record<string, unknown>) =>
    textOf((await client.callTool({ name, arguments: args })) as never);
}

test('Servers have a status, tools have tags, and a failed server shows the cause and the fix', async () => {
  const ask = await agent();
  const servers = (await ask('list_mcp_servers', {})).split('\n');
  expect(servers).toContainEqual(expect.stringMatching(/^github \(4 tools\), connected — Issues and repositories$/));
  expect(servers).toContain('database, failed (SERVER_CRASHED)');

  const found = await ask('search_tools', { query: 'create issue' });
  expect(found).toMatch(/^github\/create_issue \d\.\d\d \(repo, title, body\?\) .* \[github, issues\]$/m);
  expect(found).toMatch(/^Not searched, because they failed: database \(SERVER_CRASHED\)/m);
  expect(await ask('search_tools', { query: 'create issue', server: 'github' })).not.toContain('database');

  expect(await ask('list_tools', { server: 'github' })).toMatch(/^create_issue: .* \[github, issues\]$/m);
  const failed = await ask('list_tools', { server: 'database' });
  expect(failed).toMatch(/^database failed, SERVER_CRASHED: .*broken on purpose at start/s);
  expect(failed).not.toContain('has no tools');
});

test('A search says that a wrong limit was ignored, and reads a number in a string', async () => {
  const ask = await agent();
  const search = (limit: unknown) => ask('search_tools', { query: 'issue', server: 'github', limit });
  for (const limit of [0, -1, 'many', true])
    expect(await search(limit)).toContain('"limit" was ignored: it must be from 1 to 100.');
  expect(await search('1')).toBe(await search(1));
  expect(await search(1)).not.toBe(await search(2));
});

test.each([
  ['search_tools', 'query'],
  ['search_tools', 'server'],
  ['get_tool_details', 'tool'],
  ['execute_tool', 'server'],
  ['execute_tool', 'tool'],
])('%s refuses a %s of any length, and does not repeat it', async (name, parameter) => {
  const ask = await agent();
  const args = { query: 'issue', server: 'github', tool: 'create_issue' };
  const answer = await ask(name, { ...args, [parameter]: 'create issue '.repeat(100_000) });
  expect(answer).toContain(`"${parameter}\\" has 1300000 characters; the limit is 10000.`.replace('"', '\\"'));
  expect(answer.length).toBeLessThan(2_000);
});
