/** Clients that list `read_tool` beside `execute_tool`, over real bridges and over HTTP. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCoreFile } from '../../electron/bridge/reach-core.ts';
import { commands } from '../fixtures/commands.ts';
import { firstText } from './client-session.ts';
import { newProduct } from './product.ts';

const product = newProduct();
const clients: (Client | ModernClient)[] = [];

beforeAll(async () => {
  product.file('.toolkeep/config.json', {
    // read_tool refuses tools that do more than read, even if these settings require no approval for them.
    approvals: { ask: 'dangerous' },
    toolRules: [
      { pattern: ['delete_repo'], server: 'github', confirm: 'never', destinations: 'any' },
      { pattern: ['list_repos'], server: 'asking', confirm: 'always' },
    ],
    servers: ['github', 'asking'].map((name) => ({ name, connection: { type: 'stdio', ...commands.github() } })),
    profiles: { reader: { readTool: true } },
  });
  await product.serve();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await product.dispose();
});

async function overBridge(...flags: string[]): Promise<Client> {
  const client = new Client({ name: 'reader', version: '1' });
  await client.connect(new StdioClientTransport(product.bridge(...flags)) as never);
  clients.push(client);
  return client;
}

async function overHttp(query: string): Promise<ModernClient> {
  const { stdout } = await product.cli('token', 'create', `reader-${clients.length}`, '--json');
  const { token } = JSON.parse(stdout);
  const client = new ModernClient(
    { name: 'web', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const url = new URL(`${readCoreFile(join(product.home, '.toolkeep'))?.httpUrl}/mcp?${query}`);
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  );
  clients.push(client);
  return client;
}

const names = async (client: Client | ModernClient) => (await client.listTools()).tools.map(({ name }) => name);
const run = async (client: Client | ModernClient, runner: string, tool: string, args: object = {}, server = 'github') =>
  firstText(
    (await client.callTool({ name: runner, arguments: { server, tool, arguments: args } })) as Record<string, unknown>,
  );

describe('A client that asked for read_tool', () => {
  it('lists it as the only tool besides the five, marked as read-only, and all six take under 600 tokens', async () => {
    const { tools } = await (await overBridge('--read-tool')).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_mcp_servers',
      'search_tools',
      'list_tools',
      'get_tool_details',
      'execute_tool',
      'read_tool',
    ]);
    const [execute, read] = tools.slice(-2);
    expect(read?.annotations).toEqual({ readOnlyHint: true });
    expect(read?.inputSchema).toEqual(execute?.inputSchema);
    expect(execute?.annotations).toBeUndefined();
    expect(encode(JSON.stringify(tools)).length).toBeLessThan(600);
  });

  it('finds it in the instructions of the session', async () => {
    expect((await overBridge('--read-tool')).getInstructions()).toContain('read_tool');
    expect((await overBridge()).getInstructions()).not.toContain('read_tool');
  });

  it('runs tools that read', async () => {
    expect(await run(await overBridge('--read-tool'), 'read_tool', 'list_repos')).toBe('[]');
  });

  it.each([
    ['create_issue', { repo: 'a/b', title: 'x' }],
    ['delete_repo', { repo: 'a/b' }],
  ])(
    'cannot run %s, which needs no approval but does not only read, and learns which tool to use',
    async (tool, args) => {
      const client = await overBridge('--read-tool');
      const refused = await run(client, 'read_tool', tool, args);
      expect(refused).toContain('TOOL_NOT_READ_ONLY');
      expect(refused).toContain('Run it with execute_tool.');
      expect(await run(client, 'execute_tool', tool, args)).not.toContain('TOOL_NOT_READ_ONLY');
    },
  );

  it('cannot use it for a reading tool that always needs approval by a rule', async () => {
    const refused = await run(await overBridge('--read-tool'), 'read_tool', 'list_repos', {}, 'asking');
    expect(refused).toContain('TOOL_NOT_READ_ONLY');
    expect(refused).toContain('needs approval');
  });

  it('gets the same through its profile, in hybrid mode, and over HTTP', async () => {
    const ways = [
      await overBridge('--profile', 'reader'),
      await overBridge('--mode', 'hybrid', '--read-tool'),
      await overHttp('readTool=true'),
    ];
    for (const client of ways) {
      expect(await names(client)).toContain('read_tool');
      expect(await run(client, 'read_tool', 'delete_repo', { repo: 'a/b' })).toContain('TOOL_NOT_READ_ONLY');
    }
  });
});

describe('A client that did not ask for read_tool', () => {
  it.each([[[]], [['--mode', 'full', '--read-tool']]])('neither lists nor runs it with the flags %j', async (flags) => {
    const client = await overBridge(...flags);
    expect(await names(client)).not.toContain('read_tool');
    await expect(run(client, 'read_tool', 'list_repos')).rejects.toThrow('Unknown tool: read_tool');
  });

  it('does not share the HTTP session of a client with the same name that did', async () => {
    expect(await names(await overHttp('readTool=false'))).not.toContain('read_tool');
  });
});

describe('The entry that `toolkeep install --read-tool` writes', () => {
  it('starts a bridge that offers read_tool', async () => {
    expect((await product.cli('install', 'claude-code', '--read-tool', '--yes')).code).toBe(0);
    const { mcpServers } = JSON.parse(readFileSync(join(product.home, '.claude.json'), 'utf8'));
    const { command, args } = mcpServers.toolkeep;
    const client = new Client({ name: 'claude-code', version: '1' });
    await client.connect(new StdioClientTransport({ command, args, env: product.env }) as never);
    clients.push(client);
    expect(await names(client)).toContain('read_tool');
  });
});
