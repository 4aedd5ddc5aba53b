/** The output of the meta-tools and its length in tokens (o200k); the benchmarks measure times. */

import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { textOf } from '../servers/server-harness.ts';

const tokens = (text: string) => encode(text).length;

async function agent() {
  const servers = {
    everything: commands.everything(),
    filesystem: commands.filesystem('/tmp'),
    memory: commands.memory(),
    github: commands.github(),
  };
  const t = await startCore(
    Object.entries(servers).map(([name, command]) => serverConfig(name, command)),
    { config: { toolRules: [{ pattern: ['*delete*'], enabled: false }] } },
  );
  await eventually(() => Object.keys(servers).every((name) => t.view(name).toolCount > 0), 'the tools');
  const client = await t.legacyClient({}, 'lazy');
  const ask = async (name: string, args: Record<string, unknown>) =>
    textOf((await client.callTool({ name, arguments: args })) as never);
  return { t, client, ask };
}

test('The five definitions take under 600 tokens, a search under 200, and the details of a tool about 100', async () => {
  const { t, client, ask } = await agent();
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(5);
  expect(tokens(JSON.stringify(tools))).toBeLessThan(600);
  // prose-ok: words of a query
  for (const query of ['read a file', 'create an issue', 'add two numbers', 'remember a person', 'list'])
    expect(tokens(await ask('search_tools', { query })), query).toBeLessThan(200);
  const all = await t.core.handlers['tools.list']({});
  expect(all.length).toBeGreaterThan(35);
  const costs = await Promise.all(
    all.map(async ({ server, name }) => tokens(await ask('get_tool_details', { server, tool: name }))),
  );
  costs.sort((a, b) => a - b);
  expect(costs[Math.floor(costs.length / 2)]).toBeLessThan(120);
  expect(costs.at(-1)).toBeLessThan(200);
});

test('The list has the tools of a server, and disabled tools only on request', async () => {
  const { ask } = await agent();
  const names = (text: string) => text.match(/\b(?:create_issue|update_issue|list_repos|delete_repo)\b/g);
  expect(names(await ask('list_tools', { server: 'github' }))).toEqual(['create_issue', 'update_issue', 'list_repos']);
  const all = await ask('list_tools', { server: 'github', includeDisabled: true });
  expect(names(all)?.toSorted()).toEqual(['create_issue', 'delete_repo', 'list_repos', 'update_issue']);
  expect(all.split('\n').find((line) => line.includes('delete_repo'))).toMatch(/off|disabled/i);
  expect(await ask('list_tools', { server: 'gihub' })).toContain('Did you mean \\"github\\"');
});

test('The details of a tool have its description, every parameter, and an example that is valid unchanged', async () => {
  const { ask } = await agent();
  const details = await ask('get_tool_details', { server: 'github', tool: 'create_issue' });
  expect(details).toContain('Create a new GitHub issue in a repository.');
  for (const parameter of ['repo', 'title', 'body']) expect(details).toMatch(new RegExp(`\\b${parameter}\\b`));
  const example = JSON.parse(/^Example with required arguments: (.*)$/m.exec(details)?.[1] ?? '');
  expect(example).toEqual({ repo: 'owner/repo', title: 'Crash on startup' });
  expect(await ask('execute_tool', { server: 'github', tool: 'create_issue', arguments: example })).not.toContain(
    'ARGUMENTS_INVALID',
  );
});
