/**
 * The examples of the discovery specification other than rules and commands, in one served product.
 *
 * @module-tag exhaustive
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { example } from './example.ts';
import { issue, specificationStage } from './specification-stage.ts';
import { connect } from './stage.ts';

const stage = specificationStage();
const { product, json } = stage;

example('spec/docker', async () => {
  const { servers } = await json('list');
  expect(servers.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['github', 'filesystem']));
  expect(await stage.agent.run('filesystem', 'read_text_file', { path: join(product.home, 'README.md') })).toBe(
    '# A project',
  );
});

example('spec/claude', async () => {
  const told = await stage.agent.run('github-claude', 'env', { name: 'GITHUB_PERSONAL_ACCESS_TOKEN' });
  expect(told).toBe('ghp_from_the_environment');
});

example('spec/windsurf', async () => {
  expect(await stage.agent.run('github-windsurf', 'env', { name: 'GITHUB_TOKEN' })).toBe('ghp_from_the_environment');
});

example('spec/custom', async () => {
  const { servers } = await json('list');
  expect(servers.find((one: { description: string }) => one.description === 'GitHub API integration')).toMatchObject({
    toolCount: 2,
  });
  const { tools } = await json('tools', 'hub', '--all');
  expect(tools).toEqual([
    expect.objectContaining({ name: 'close_issue', summary: 'Close a GitHub issue', enabled: true }),
    expect.objectContaining({ name: 'star_repos', summary: 'Star GitHub repositories', enabled: false }),
  ]);
});

example('spec/list_mcp_servers', async () => {
  const lines = (await stage.agent.ask('list_mcp_servers')).split('\n');
  expect(lines).toContainEqual(expect.stringMatching(/^github \(\d+ tools\), connected/));
  expect(lines).toContainEqual(expect.stringMatching(/^database, failed \(SERVER_CRASHED\) — Database queries$/));
});

example('spec/search_tools', async () => {
  const [first, second] = (await stage.agent.ask('search_tools', { query: 'github issue create' })).split('\n');
  expect(first).toMatch(
    /^github\/create_issue [01]\.\d\d \(repo, title, body\?\) Create a new GitHub issue .*\[github, issues\]$/,
  );
  expect(Number(/ ([01]\.\d\d) /.exec(first ?? '')?.[1])).toBeGreaterThanOrEqual(
    Number(/ ([01]\.\d\d) /.exec(second ?? '')?.[1] ?? 0),
  );
  const limited = await stage.agent.ask('search_tools', { query: 'read', server: 'filesystem', limit: 2 });
  expect(limited.split('\n').filter((line) => line.startsWith('filesystem/'))).toHaveLength(2);
});

example('spec/list_tools', async () => {
  const enabled = await stage.agent.ask('list_tools', { server: 'github' });
  expect(enabled).toMatch(/^create_issue: Create a new GitHub issue.* \[github, issues\]$/m);
  expect(enabled).not.toContain('delete_repo');
  const all = await stage.agent.ask('list_tools', { server: 'github', includeDisabled: true });
  expect(all).toMatch(/^delete_repo \(disabled\): Delete a GitHub repository \[dangerous\]$/m);
});

example('spec/get_tool_details', async () => {
  const lines = (await stage.agent.ask('get_tool_details', { server: 'github', tool: 'create_issue' })).split('\n');
  expect(lines).toContain('- repo: string — Repository name (owner/repo)');
  expect(lines).toContain('- title: string — Issue title');
  expect(lines).toContain('- body?: string — Issue body (markdown)');
  expect(lines).toContain('Example with required arguments: {"repo":"owner/repo","title":"Crash on startup"}');
});

example('spec/execute_tool', async () => {
  const call = { server: 'github', tool: 'create_issue', arguments: issue };
  const { content, structuredContent } = await stage.agent.client.callTool({ name: 'execute_tool', arguments: call });
  expect(content).toEqual([{ type: 'text', text: expect.stringContaining('Issue #123 created') }]);
  expect(structuredContent).toMatchObject({ issue_number: 123, title: 'Bug report', state: 'open' });
});

example('spec/execute_error', async () => {
  const { success, error } = JSON.parse(await stage.agent.run('github-claude', 'fail'));
  expect({ success, error }).toEqual({
    success: false,
    error: expect.objectContaining({ code: 'TOOL_EXECUTION_ERROR', server: 'github-claude', tool: 'fail' }),
  });
  expect(error.message).toContain('refused on purpose');
});

example('spec/execute_disabled', async () => {
  const { error } = JSON.parse(await stage.agent.run('github', 'delete_repo', { repo: 'owner/repo' }));
  expect(error.code).toBe('TOOL_DISABLED');
});

example('spec/exactly_five', async () => {
  const { tools } = await stage.agent.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'list_mcp_servers',
    'search_tools',
    'list_tools',
    'get_tool_details',
    'execute_tool',
  ]);
});

example('spec/issue', async () => {
  const found = await stage.agent.ask('search_tools', { query: 'github issue create' });
  const [server = '', tool = ''] = (found.split(' ')[0] ?? '').split('/');
  const details = await stage.agent.ask('get_tool_details', { server, tool });
  const call = JSON.parse(/^Example.*?: (\{.*)$/m.exec(details)?.[1] ?? '');
  expect(await stage.agent.run(server, tool, call)).toContain(call.title);
});

example('spec/two_servers', async () => {
  const [reader = ''] = (await stage.agent.ask('search_tools', { query: 'read file' })).split(' ');
  expect(reader).toMatch(/^filesystem\/read_/);
  const path = join(product.home, 'README.md');
  const text = await stage.agent.run('filesystem', reader.split('/')[1] ?? '', { path });
  const created = await stage.agent.run('github', 'create_issue', { ...issue, title: text });
  expect(created).toContain('# A project');
});

example('spec/not_found', async () => {
  expect(await stage.agent.ask('get_tool_details', { server: 'github', tool: 'create_isue' })).toContain(
    'create_issue',
  );
});

example('spec/others_continue', async () => {
  const told = await stage.agent.ask('list_tools', { server: 'database' });
  expect(told).toMatch(/^database failed, SERVER_CRASHED.* The next call starts it again\.$/);
  const log = readFileSync(join(product.home, '.toolkeep/logs/toolkeep.log'), 'utf8');
  expect(log).toMatch(/warn The discovery of "database" failed: .* \[SERVER_CRASHED\]/);
  expect(await stage.agent.run('github', 'list_repos')).toMatch(/^\[/);
});

example('spec/local', async () => {
  const local = await connect(product);
  expect((await local.client.listTools()).tools).toHaveLength(5);
  await local.client.close();
});
