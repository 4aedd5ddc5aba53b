/** The examples of the discovery specification other than rules, in one served product. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { newProduct } from '../product.ts';
import { example } from './example.ts';
import { type Agent, attachUser, connect, program } from './stage.ts';

const product = newProduct();
const config = `discovery:
  enabled: true
  cache: { enabled: true, ttl: 3600 }
  sources:
    - { type: 'docker-mcp', path: '~/.docker/mcp-servers.json' }
    - { type: 'claude-desktop', path: '~/Library/Application Support/Claude/claude_desktop_config.json' }
    - { type: 'windsurf', path: '~/.windsurf/mcp.json' }
    - { type: 'custom', path: './mcp-servers.yaml' }
    - { type: 'custom', path: './missing.yaml' }
  toolRules:
    - { pattern: ['*github*', '/issue/'], enabled: true, tags: ['github', 'issues'] }
    - { pattern: ['*filesystem*', '/read/', '/write/'], enabled: true, tags: ['filesystem'] }
    - { pattern: ['*dangerous*', '*delete*'], enabled: false, tags: ['dangerous'] }
    - { pattern: [echo, env, fail, sleep, list_repos], enabled: true }
`;
const issue = { repo: 'owner/repo', title: 'Bug report', body: 'Description' };
let agent: Agent;

const cli = (...args: string[]) => product.cli(...args);
const json = async (...args: string[]) => JSON.parse((await cli(...args, '--json')).stdout);

beforeAll(async () => {
  product.env.GITHUB_TOKEN = 'ghp_from_the_environment';
  program(product, 'docker', { 'mcp-github': commands.github(), 'mcp-filesystem': commands.filesystem(product.home) });
  program(product, 'npx', { 'server-github': commands.misbehaving('normal') });
  product.file('.docker/mcp-servers.json', {
    mcpServers: {
      github: {
        command: 'docker',
        args: ['exec', 'mcp-github', 'mcp-github'],
        env: { GITHUB_TOKEN: '${GITHUB_TOKEN}' },
      },
      filesystem: { command: 'docker', args: ['exec', 'mcp-filesystem', 'mcp-filesystem'] },
    },
  });
  product.file('Library/Application Support/Claude/claude_desktop_config.json', {
    mcpServers: {
      'github-claude': {
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-github'],
        env: { GITHUB_PERSONAL_ACCESS_TOKEN: '${GITHUB_TOKEN}' },
      },
    },
  });
  const { command, args } = commands.misbehaving('normal');
  product.file('.windsurf/mcp.json', {
    mcpServers: { 'github-windsurf': { command, args, env: { GITHUB_TOKEN: '${GITHUB_TOKEN}' } } },
  });
  product.file(
    '.gatehouse/mcp-servers.yaml',
    `servers:
  hub:
    name: 'GitHub MCP Server'
    description: 'GitHub API integration'
    connection: { type: 'stdio', command: 'npx', args: ['-y', 'custom-hub'] }
    tools:
      - { name: 'close_issue', description: 'Close a GitHub issue' }
      - { name: 'star_repos', description: 'Star GitHub repositories' }
  database:
    description: 'Database queries'
    connection: { type: 'stdio', command: 'node', args: ['-e', 'process.exit(3)'] }
`,
  );
  product.file('.gatehouse/config.yaml', config);
  product.file('README.md', '# A project');
  await product.serve();
  await attachUser(product, ({ approval }) => (approval ? { action: 'accept', scope: 'session' } : undefined));
  await vi.waitFor(
    async () => {
      const { servers } = await json('list');
      const states = Object.fromEntries(servers.map((one: Record<string, unknown>) => [one.name, one]));
      for (const name of ['github', 'filesystem', 'github-claude', 'github-windsurf'])
        expect(states[name], name).toMatchObject({ status: 'connected', toolCount: expect.any(Number) });
      expect(states.database).toMatchObject({ status: 'disconnected' });
    },
    { timeout: 40_000, interval: 300 },
  );
  agent = await connect(product);
}, 60_000);
afterAll(async () => {
  await agent?.client.close();
  await product.dispose();
});

example('spec/config', async () => {
  const { stdout } = await cli('config', 'show');
  expect(stdout).toContain('Status: Enabled\nCache: Enabled (TTL: 3600s)');
  expect(stdout).toContain('  ✓ docker-mcp (~/.docker/mcp-servers.json)');
  expect(stdout).toContain('  ✓ claude-desktop (~/Library/Application Support/Claude/claude_desktop_config.json)');
  expect(stdout).toContain('missing.yaml) - not found');
  expect(stdout).toContain('  1. *github*, /issue/ → enabled, tags: [github, issues]');
  expect(stdout).toContain('  2. *filesystem*, /read/, /write/ → enabled, tags: [filesystem]');
  expect(stdout).toContain('  3. *dangerous*, *delete* → disabled, tags: [dangerous]');
  expect(stdout).toMatch(/^Servers: 6 configured, [45] connected\nTools: \d+ total, \d+ enabled$/m);
});

example('spec/docker', async () => {
  const { servers } = await json('list');
  expect(servers.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['github', 'filesystem']));
  expect(await agent.run('filesystem', 'read_text_file', { path: join(product.home, 'README.md') })).toBe(
    '# A project',
  );
});

example('spec/claude', async () => {
  const told = await agent.run('github-claude', 'env', { name: 'GITHUB_PERSONAL_ACCESS_TOKEN' });
  expect(told).toBe('ghp_from_the_environment');
});

example('spec/windsurf', async () => {
  expect(await agent.run('github-windsurf', 'env', { name: 'GITHUB_TOKEN' })).toBe('ghp_from_the_environment');
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
  const lines = (await agent.ask('list_mcp_servers')).split('\n');
  expect(lines).toContainEqual(expect.stringMatching(/^github \(\d+ tools\), (ready|idle)/));
  expect(lines).toContainEqual(
    expect.stringMatching(/^database \(0 tools\), failed SERVER_CRASHED: Database queries$/),
  );
});

example('spec/search_tools', async () => {
  const [first, second] = (await agent.ask('search_tools', { query: 'github issue create' })).split('\n');
  expect(first).toMatch(
    /^github\/create_issue [01]\.\d\d \(repo, title, body\?\) Create a new GitHub issue .*\[github, issues\]$/,
  );
  expect(Number(/ ([01]\.\d\d) /.exec(first ?? '')?.[1])).toBeGreaterThanOrEqual(
    Number(/ ([01]\.\d\d) /.exec(second ?? '')?.[1] ?? 0),
  );
  const limited = await agent.ask('search_tools', { query: 'read', server: 'filesystem', limit: 2 });
  expect(limited.split('\n').filter((line) => line.startsWith('filesystem/'))).toHaveLength(2);
});

example('spec/list_tools', async () => {
  const enabled = await agent.ask('list_tools', { server: 'github' });
  expect(enabled).toMatch(/^create_issue: Create a new GitHub issue.* \[github, issues\]$/m);
  expect(enabled).not.toContain('delete_repo');
  const all = await agent.ask('list_tools', { server: 'github', includeDisabled: true });
  expect(all).toMatch(/^delete_repo \(disabled\): Delete a GitHub repository \[dangerous\]$/m);
});

example('spec/get_tool_details', async () => {
  const lines = (await agent.ask('get_tool_details', { server: 'github', tool: 'create_issue' })).split('\n');
  expect(lines).toContain('- repo: string — Repository name (owner/repo)');
  expect(lines).toContain('- title: string — Issue title');
  expect(lines).toContain('- body?: string — Issue body (markdown)');
  expect(lines).toContain('Example with required arguments: {"repo":"owner/repo","title":"Crash on startup"}');
});

example('spec/execute_tool', async () => {
  const call = { server: 'github', tool: 'create_issue', arguments: issue };
  const { content, structuredContent } = await agent.client.callTool({ name: 'execute_tool', arguments: call });
  expect(content).toEqual([{ type: 'text', text: expect.stringContaining('Issue #123 created') }]);
  expect(structuredContent).toMatchObject({ issue_number: 123, title: 'Bug report', state: 'open' });
});

example('spec/execute_error', async () => {
  const { success, error } = JSON.parse(await agent.run('github-claude', 'fail'));
  expect({ success, error }).toEqual({
    success: false,
    error: expect.objectContaining({ code: 'TOOL_EXECUTION_ERROR', server: 'github-claude', tool: 'fail' }),
  });
  expect(error.message).toContain('refused on purpose');
});

example('spec/execute_disabled', async () => {
  const { error } = JSON.parse(await agent.run('github', 'delete_repo', { repo: 'owner/repo' }));
  expect(error.code).toBe('TOOL_DISABLED');
});

example('spec/exactly_five', async () => {
  const { tools } = await agent.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'list_mcp_servers',
    'search_tools',
    'list_tools',
    'get_tool_details',
    'execute_tool',
  ]);
});

example('spec/issue', async () => {
  const found = await agent.ask('search_tools', { query: 'github issue create' });
  const [server = '', tool = ''] = (found.split(' ')[0] ?? '').split('/');
  const details = await agent.ask('get_tool_details', { server, tool });
  const call = JSON.parse(/^Example.*?: (\{.*)$/m.exec(details)?.[1] ?? '');
  expect(await agent.run(server, tool, call)).toContain(call.title);
});

example('spec/two_servers', async () => {
  const [reader = ''] = (await agent.ask('search_tools', { query: 'read file' })).split(' ');
  expect(reader).toMatch(/^filesystem\/read_/);
  const path = join(product.home, 'README.md');
  const text = await agent.run('filesystem', reader.split('/')[1] ?? '', { path });
  const created = await agent.run('github', 'create_issue', { ...issue, title: text });
  expect(created).toContain('# A project');
});

example('spec/cli_list', async () => {
  const { code, stdout } = await cli('list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^MCP Servers \(6 configured\):\n/);
  expect(stdout).toMatch(/✗ database \(0 tools\)\n {2}Database queries\n {2}Status: Disconnected/);
  expect((await cli('list', '--status')).stdout).toMatch(/✓ github\n(?: {2}.*\n)* {2}Status: Connected/);
  expect((await cli('list', '--tools')).stdout).toContain('✓ github (4 tools)');
  expect((await cli('list', '--wrong')).code).toBe(1);
});

example('spec/cli_search', async () => {
  const { code, stdout } = await cli('search', 'github issue');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Search results for "github issue" \(\d+ found\):\n\n1\. \S+:\S+ \(\d+% match\)\n {3}\S/);
  expect(stdout).toContain('   Tags: github, issues');
  expect(
    (await json('search', 'create', '--server', 'github')).results.map((hit: { server: string }) => hit.server),
  ).not.toContain('filesystem');
  expect((await json('search', 'file', '--limit', '5')).results).toHaveLength(5);
  expect((await cli('search', 'qqqzzzxx')).code).toBe(2);
});

example('spec/cli_tools', async () => {
  expect((await cli('tools', 'github')).stdout).toMatch(/^Tools from github \(3 enabled, 1 disabled\):\n/);
  const all = (await cli('tools', 'github', '--all', '--tags')).stdout;
  expect(all).toContain('✗ delete_repo (disabled)\n  Delete a GitHub repository\n  Tags: dangerous');
  expect((await cli('tools', 'gitlab')).code).toBe(2);
});

example('spec/cli_inspect', async () => {
  const { code, stdout } = await cli('inspect', 'github', 'create_issue', '--examples');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Tool: github:create_issue\n\nDescription:\n {2}Create a new GitHub issue/);
  expect(stdout).toContain('  repo (string, required)\n    Repository name (owner/repo)');
  expect(stdout).toContain('  body (string, optional)');
  expect(stdout).toContain('    repo: "owner/repo"');
  expect((await cli('inspect', 'github', 'close_door')).code).toBe(2);
});

example('spec/cli_config', async () => {
  expect(await cli('config', 'validate')).toMatchObject({ code: 0, stdout: expect.stringContaining('is valid') });
  expect((await cli('config', 'sources')).stdout).toContain('✓ docker-mcp (~/.docker/mcp-servers.json)');
  expect((await cli('config', 'reload')).stdout).toMatch(/Reloaded in \d+ ms/);
  product.file('.gatehouse/config.yaml', config.replace('enabled: true\n  cache', 'enabled: maybe\n  cache'));
  const broken = await cli('config', 'validate');
  product.file('.gatehouse/config.yaml', config);
  expect(broken.code).toBe(2);
  expect(broken.stdout).toMatch(/enabled.*config\.yaml, line 2/s);
  expect((await cli('config', 'reload')).code).toBe(0);
});

example('spec/cli_execute', async () => {
  const args = ['execute', 'github', 'create_issue', '--args', JSON.stringify(issue)];
  const { code, stdout } = await cli(...args);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Executing: github:create_issue\n\n✓ Success\n\nResult:\n/);
  const { success, result } = await json(...args);
  expect(success).toBe(true);
  expect(JSON.stringify(result)).toContain('Bug report');
  const streamed = await cli('execute', 'github-claude', 'sleep', '--args', '{"ms":60}', '--stream');
  expect(streamed).toMatchObject({ code: 0, stderr: expect.stringContaining('…') });
});

example('spec/cli_execute_codes', async () => {
  const codeOf = async (...args: string[]) => (await cli('execute', ...args)).code;
  expect(await codeOf('github', 'create_issue')).toBe(1);
  expect(await codeOf('github', 'create_issue', '--args', 'nonsense')).toBe(1);
  expect(await codeOf('github', 'close_door', '--args', '{}')).toBe(2);
  const failed = await cli('execute', 'github-claude', 'fail', '--args', '{}');
  expect(failed.code).toBe(3);
  expect(failed.stdout).toMatch(
    /✗ Error\n\nCode: TOOL_EXECUTION_ERROR\nMessage: .*\nServer: github-claude\nTool: fail/s,
  );
  expect(await codeOf('github', 'delete_repo', '--args', '{"repo":"a/b"}')).toBe(4);
});

example('spec/audit', async () => {
  const entries = JSON.parse((await cli('history', '--json', '--kind', 'call', '--limit', '500')).stdout);
  const text = JSON.stringify(entries);
  for (const tool of ['create_issue', 'fail', 'delete_repo']) expect(text, tool).toContain(`"tool":"${tool}"`);
  expect(text).toContain('TOOL_DISABLED');
});

example('spec/not_found', async () => {
  expect(await agent.ask('get_tool_details', { server: 'github', tool: 'create_isue' })).toContain('create_issue');
});

example('spec/others_continue', async () => {
  const told = await agent.ask('list_tools', { server: 'database' });
  expect(told).toMatch(/^database failed, SERVER_CRASHED/);
  expect(await agent.run('github', 'list_repos')).toMatch(/^\[/);
});

/** A machine on which Gatehouse does not run, with these files; `project` is the current folder. */
async function elsewhere<T>(files: Record<string, string>, use: (other: typeof product) => Promise<T>): Promise<T> {
  const other = newProduct();
  try {
    program(other, 'npx', { 'server-github': commands.github() });
    for (const [path, text] of Object.entries(files)) other.file(path, text);
    return await use(other);
  } finally {
    await other.dispose();
  }
}
const listed = async (other: typeof product) => JSON.parse((await other.cli('list', '--json')).stdout).servers;

example('spec/typescript', async () => {
  const text = `import { config } from 'gatehouse/config';
export default config({
  theme: 'dark',
  discovery: {
    enabled: true,
    servers: [
      {
        name: 'github',
        description: 'GitHub API integration',
        connection: { type: 'stdio', command: 'npx', args: ['-y', '@modelcontextprotocol/server-github'] },
      },
    ],
    toolRules: [],
  },
});
`;
  await elsewhere({ 'project/gatehouse.config.ts': text }, async (other) => {
    expect(await other.cli('trust', '--yes', '--run-code')).toMatchObject({ code: 0 });
    const servers = await listed(other);
    expect(servers).toMatchObject([{ name: 'github', description: 'GitHub API integration', toolCount: 4 }]);
  });
});

example('spec/typescript_advanced', async () => {
  const text = `export default {
  discovery: {
    enabled: true,
    sources: [{ type: 'custom', path: './my-mcp-servers.yaml' }],
    toolRules: [
      { pattern: ['*github*', '/issue/'], enabled: true, tags: ['github', 'issues'] },
      { pattern: ['*delete*', '*remove*'], enabled: false, tags: ['dangerous'] },
    ],
  },
};
`;
  const mine = "servers:\n  mine: { command: npx, args: ['-y', '@modelcontextprotocol/server-github'] }\n";
  await elsewhere({ '.gatehouse/config.ts': text, '.gatehouse/my-mcp-servers.yaml': mine }, async (other) => {
    const { tools } = JSON.parse((await other.cli('tools', 'mine', '--all', '--json')).stdout);
    const states = Object.fromEntries(tools.map((tool: { name: string }) => [tool.name, tool]));
    expect(states.create_issue).toMatchObject({ enabled: true, tags: ['github', 'issues'] });
    expect(states.delete_repo).toMatchObject({ enabled: false, tags: ['dangerous'] });
    expect(states.list_repos).toMatchObject({ enabled: false });
  });
});

example('spec/search_order', async () => {
  const github = 'command: npx, args: [server-github]';
  const files = {
    '.gatehouse/config.yaml': `servers:\n  home: { ${github} }\n`,
    'project/.gatehouse/config.yaml': `servers:\n  project: { ${github} }\n`,
    'project/gatehouse.config.json': '{ "discovery": { "servers": { "later": { "command": "npx" } } } }',
  };
  await elsewhere(files, async (other) => {
    expect(await other.cli('trust', '--yes')).toMatchObject({ code: 0 });
    const names = (await listed(other)).map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(['home', 'project']);
  });
});

example('spec/local', async () => {
  const local = await connect(product);
  expect((await local.client.listTools()).tools).toHaveLength(5);
  await local.client.close();
});
