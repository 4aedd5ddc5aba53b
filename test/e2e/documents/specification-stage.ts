/** The configuration of the discovery specification in a served product: four sources, six servers, one of which fails. */
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { newProduct } from '../product.ts';
import { type Agent, attachUser, connect, program } from './stage.ts';

const configFolders: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Library/Application Support',
  win32: 'AppData/Roaming',
};
/** Claude Desktop's own file, relative to the home folder. Only a client's own file may use the user's variables. */
export const claudeFile = `${configFolders[process.platform] ?? '.config'}/Claude/claude_desktop_config.json`;
export const config = `discovery:
  enabled: true
  cache: { enabled: true, ttl: 3600 }
  sources:
    - { type: 'docker-mcp', path: '~/.docker/mcp-servers.json' }
    - { type: 'claude-desktop', path: '~/${claudeFile}' }
    - { type: 'windsurf', path: '~/.windsurf/mcp.json' }
    - { type: 'custom', path: './mcp-servers.yaml' }
    - { type: 'custom', path: './missing.yaml' }
  toolRules:
    - { pattern: ['*github*', '/issue/'], enabled: true, tags: ['github', 'issues'] }
    - { pattern: ['*filesystem*', '/read/', '/write/'], enabled: true, tags: ['filesystem'] }
    - { pattern: ['*dangerous*', '*delete*'], enabled: false, tags: ['dangerous'] }
    - { pattern: [echo, env, fail, sleep, list_repos], enabled: true }
`;
export const issue = { repo: 'owner/repo', title: 'Bug report', body: 'Description' };

/** Serves a product for the tests of one file. The agent is connected when the tests run. */
export function specificationStage() {
  const product = newProduct();
  /** Runs `toolkeep … --json`. */
  const json = async (...args: string[]) => JSON.parse((await product.cli(...args, '--json')).stdout);
  let agent: Agent | undefined;
  beforeAll(async () => {
    product.env.GITHUB_TOKEN = 'ghp_from_the_environment';
    program(product, 'docker', {
      'mcp-github': commands.github(),
      'mcp-filesystem': commands.filesystem(product.home),
    });
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
    product.file(claudeFile, {
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
      '.toolkeep/mcp-servers.yaml',
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
    product.file('.toolkeep/config.yaml', config);
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
  return {
    product,
    cli: product.cli,
    json,
    get agent(): Agent {
      if (!agent) throw new Error('The stage is not ready.');
      return agent;
    },
  };
}
