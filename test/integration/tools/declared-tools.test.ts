/** Tools that the configuration declares are known before their server starts, and are replaced by the server's list. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { textOf } from '../servers/server-harness.ts';

const tools = [
  { name: 'create_issue', description: 'Create an issue' },
  { name: 'gone', description: 'A tool that the server no longer has' },
];

function yamlSource(command: { command: string; args: string[] }) {
  const host = testHost();
  onTestFinished(host.dispose);
  const path = join(host.homeDir, 'mcp-servers.yaml');
  const connection = { type: 'stdio', command: command.command, args: command.args };
  const entry = { name: 'GitHub MCP Server', description: 'GitHub API integration', connection, tools };
  // JSON is YAML.
  writeFileSync(path, JSON.stringify({ servers: { github: entry } }));
  return { host, config: { sources: [{ type: 'custom', path }] } };
}

test('A declared tool of a server that does not respond yet is found and listed, with a note', async () => {
  const t = await startCore([], yamlSource(commands.misbehaving('hang-at-initialize')));
  await eventually(() => t.view('github').toolCount === 2, 'the declared tools');
  const client = await t.legacyClient({}, 'lazy');
  const text = async (name: string, args: object) =>
    textOf(await client.callTool({ name, arguments: { ...args } as Record<string, unknown> }));
  const found = await text('search_tools', { query: 'create issue' });
  expect(found).toContain('github/create_issue');
  expect(found).toContain('Still connecting, not included yet: github.');
  expect((await t.core.handlers['tools.details']({ server: 'github', tool: 'create_issue' })).metadata).toEqual({
    isDeclared: true,
  });
});

test("The server's own list replaces the declared tools, and no tool is held", async () => {
  const t = await startCore([], yamlSource(commands.github()));
  const called = await t.call('github', 'create_issue', { owner: 'me', repo: 'notes', title: 'Declared' });
  expect(textOf(called)).toContain('Declared');
  const details = await t.core.handlers['tools.details']({ server: 'github', tool: 'create_issue' });
  expect(details.metadata).toEqual({});
  expect(details.held).toBeUndefined();
  const listed = await t.core.handlers['tools.list']({ server: 'github' });
  expect(listed.map(({ name }) => name)).not.toContain('gone');
  expect(listed.some(({ held }) => held)).toBe(false);
});
