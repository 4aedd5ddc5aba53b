/**
 * The commands and configuration files of the discovery specification, in one served product.
 *
 * @module-tag exhaustive
 */
import { expect } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { newProduct, type Product } from '../product.ts';
import { example } from './example.ts';
import { claudeFile, config, issue, specificationStage } from './specification-stage.ts';
import { program } from './stage.ts';

const { product, cli, json } = specificationStage();

example('spec/config', async () => {
  const { stdout } = await cli('config', 'show');
  expect(stdout).toContain('Status: Enabled\nCache: Enabled (TTL: 3600s)');
  expect(stdout).toContain('  ✓ docker-mcp (~/.docker/mcp-servers.json)');
  expect(stdout).toContain(`  ✓ claude-desktop (~/${claudeFile})`);
  expect(stdout).toContain('missing.yaml) - not found');
  expect(stdout).toContain('  1. *github*, /issue/ → enabled, tags: [github, issues]');
  expect(stdout).toContain('  2. *filesystem*, /read/, /write/ → enabled, tags: [filesystem]');
  expect(stdout).toContain('  3. *dangerous*, *delete* → disabled, tags: [dangerous]');
  expect(stdout).toMatch(/^Servers: 6 configured, [45] connected\nTools: \d+ total, \d+ enabled$/m);
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
  product.file('.toolkeep/config.yaml', config.replace('enabled: true\n  cache', 'enabled: maybe\n  cache'));
  const broken = await cli('config', 'validate');
  product.file('.toolkeep/config.yaml', config);
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
  expect(failed.stderr).toMatch(
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

/** Runs `use` on a machine with these files where Toolkeep is not running. `project` is the current folder. */
async function elsewhere<T>(files: Record<string, string>, use: (other: Product) => Promise<T>): Promise<T> {
  const other = newProduct();
  try {
    program(other, 'npx', { 'server-github': commands.github() });
    for (const [path, text] of Object.entries(files)) other.file(path, text);
    return await use(other);
  } finally {
    await other.dispose();
  }
}
const listed = async (other: Product) => JSON.parse((await other.cli('list', '--json')).stdout).servers;

example('spec/typescript', async () => {
  const text = `import { config } from 'toolkeep/config';
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
  await elsewhere({ 'project/toolkeep.config.ts': text }, async (other) => {
    expect(await other.inTerminal('trust', '--yes', '--run-code')).toMatchObject({ code: 0 });
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
  await elsewhere({ '.toolkeep/config.ts': text, '.toolkeep/my-mcp-servers.yaml': mine }, async (other) => {
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
    '.toolkeep/config.yaml': `servers:\n  home: { ${github} }\n`,
    'project/.toolkeep/config.yaml': `servers:\n  project: { ${github} }\n`,
    'project/toolkeep.config.json': '{ "discovery": { "servers": { "later": { "command": "npx" } } } }',
  };
  await elsewhere(files, async (other) => {
    expect(await other.inTerminal('trust', '--yes')).toMatchObject({ code: 0 });
    const names = (await listed(other)).map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(['home', 'project']);
  });
});
