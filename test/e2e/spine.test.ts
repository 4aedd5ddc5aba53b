/** The steps of a new user: import other apps' servers, connect three kinds of clients, see five tools, make real calls. */
import { spawn } from 'node:child_process';
import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImportPlan } from '../../shared/model/import.ts';
import type { ServerView } from '../../shared/model/server.ts';
import { commands } from '../fixtures/commands.ts';
import { rawPeer } from '../integration/gateway/raw-peer.ts';
import { type HttpEverything, startHttpEverything } from './http-everything.ts';
import { newProduct } from './product.ts';

const product = newProduct();
let http: HttpEverything;

beforeAll(async () => {
  http = await startHttpEverything();
  product.file('.toolkeep/config.json', { approvals: { ask: 'dangerous' } });
  product.file('.config/Claude/claude_desktop_config.json', {
    mcpServers: {
      everything: commands.everything(),
      filesystem: commands.filesystem(product.home),
      memory: commands.memory(),
      leaver: { command: process.execPath, args: ['-e', 'console.error("no license key"); process.exit(3)'] },
    },
  });
  product.file('.codeium/windsurf/mcp_config.json', { mcpServers: { remote: { serverUrl: http.url } } });
  product.file('.docker/mcp-servers.json', {
    mcpServers: {
      containers: { command: process.execPath, args: ['mcp'], env: { TOKEN: '${NO_SUCH_TOKEN}' } },
      gone: { command: 'no-such-docker' },
    },
  });
  product.file('.cursor/mcp.json', '{"mcpServers": {"half": ');
  await product.serve();
});

afterAll(async () => {
  await product.dispose();
  await http.close();
});

const servers = async (): Promise<ServerView[]> => JSON.parse((await product.cli('status', '--json')).stdout).servers;

describe('Import', () => {
  it('One command finds every client, names the broken file, and imports all servers', async () => {
    const plan: ImportPlan = JSON.parse((await product.cli('import', '--dry-run', '--json')).stdout);
    expect(plan.entries.map(({ server }) => server.name).sort()).toEqual([
      'containers',
      'everything',
      'filesystem',
      'gone',
      'leaver',
      'memory',
      'remote',
    ]);
    const broken = plan.files.filter(({ problems }) => problems.length > 0);
    expect(broken).toHaveLength(1);
    expect(broken[0]).toMatchObject({ app: 'Cursor', file: expect.stringContaining('.cursor/mcp.json') });

    expect((await product.cli('import', '--all')).code).toBe(0);
    await expect
      .poll(async () => Object.fromEntries((await servers()).map(({ id, status }) => [id, status])), {
        timeout: 20_000,
        interval: 300,
      })
      .toEqual({
        everything: 'ready',
        filesystem: 'ready',
        memory: 'ready',
        remote: 'ready',
        leaver: 'failed',
        containers: 'failed',
        gone: 'disabled',
      });
  });

  it('shows why a server failed', async () => {
    const failures = Object.fromEntries(
      (await servers()).flatMap(({ id, failure }) => (failure ? [[id, failure]] : [])),
    );
    expect(failures.leaver).toMatchObject({
      code: 'SERVER_CRASHED',
      message: expect.stringContaining('no license key'),
    });
    expect(failures.containers).toMatchObject({
      code: 'SECRET_MISSING',
      message: expect.stringContaining('NO_SUCH_TOKEN'),
    });
  });
});

/** A minimal client without a library. */
interface AnyClient {
  list(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

async function v1({
  command,
  args,
  env,
}: {
  command: string;
  args: string[];
  env?: Record<string, string>;
}): Promise<AnyClient> {
  const client = new Client({ name: 'v1', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, ...(env && { env }) }));
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args, signal) => client.callTool({ name, arguments: args }, undefined, signal && { signal }),
    close: () => client.close(),
  };
}

async function modern({
  command,
  args,
  env,
}: {
  command: string;
  args: string[];
  env: Record<string, string>;
}): Promise<AnyClient> {
  const client = new ModernClient(
    { name: 'v2', version: '2' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new ModernTransport({ command, args, env }));
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args, signal) => client.callTool({ name, arguments: args }, signal && { signal }),
    close: () => client.close(),
  };
}

async function raw({
  command,
  args,
  env,
}: {
  command: string;
  args: string[];
  env: Record<string, string>;
}): Promise<AnyClient> {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const peer = rawPeer(child.stdout, child.stdin, child);
  await peer.request('initialize', {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: { name: 'raw', version: '0' },
  });
  peer.notify('notifications/initialized');
  return {
    async list() {
      const { result = {} } = await peer.request('tools/list');
      return (result.tools as { name: string }[]).map(({ name }) => name);
    },
    async call(name, args, signal) {
      const request = peer.request('tools/call', { name, arguments: args });
      signal?.addEventListener('abort', () => peer.notify('notifications/cancelled', { requestId: request.id }));
      const cancelled = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('cancelled'))),
      );
      const answer = await Promise.race([request, cancelled]);
      if (answer.error) throw new Error(answer.error.message);
      return answer.result ?? {};
    },
    async close() {
      child.stdin.end();
      await peer.closed;
    },
  };
}

/** In the modern era, every server names itself in its results; the gateway adds this, not the tool. */
function withoutProtocol({ resultType: _, _meta, ...result }: Record<string, unknown>): Record<string, unknown> {
  const { 'io.modelcontextprotocol/serverInfo': __, ...meta } = (_meta ?? {}) as Record<string, unknown>;
  return Object.keys(meta).length > 0 ? { ...result, _meta: meta } : result;
}

/** A resource of the example server tells when it was created, to the second. */
function timeless(result: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(result).replace(/created at [^"]+/, 'created at TIME'));
}

describe.each([
  ['SDK v1', v1],
  ['SDK v2 on 2026-07-28', modern],
  ['raw JSON-RPC of 2024-11-05', raw],
])('A client with %s', (_name, connect) => {
  let client: AnyClient;
  let direct: AnyClient;
  beforeAll(async () => {
    client = await connect(product.bridge());
    direct = await v1(commands.everything());
  });
  afterAll(() => Promise.all([client.close(), direct.close()]));
  const text = (result: Record<string, unknown>) => (result.content as { text: string }[])[0]?.text ?? '';
  const execute = (tool: string, args: Record<string, unknown> = {}, signal?: AbortSignal) =>
    client.call('execute_tool', { server: 'everything', tool, arguments: args }, signal);

  it('sees exactly the five meta-tools', async () => {
    expect(await client.list()).toEqual([
      'list_mcp_servers',
      'search_tools',
      'list_tools',
      'get_tool_details',
      'execute_tool',
    ]);
  });

  it('finds a tool, reads its details and runs it', async () => {
    expect(text(await client.call('list_mcp_servers', {}))).toContain('everything');
    // `remote` is the same server over HTTP, so either may come first.
    expect(text(await client.call('search_tools', { query: 'echo a message back' })).split('\n')[0]).toMatch(
      /(?:everything|remote)\/echo/,
    );
    expect(text(await client.call('list_tools', { server: 'filesystem' }))).toContain('read_text_file');
    expect(text(await client.call('get_tool_details', { server: 'everything', tool: 'echo' }))).toContain('message');
    expect(text(await execute('echo', { message: 'hello' }))).toBe('Echo: hello');
  });

  it.each([
    ['echo', { message: 'ünïcödé 👍' }],
    ['get-tiny-image', {}],
    ['get-structured-content', { location: 'Chicago' }],
    ['get-annotated-message', { messageType: 'error', includeImage: true }],
    ['get-resource-links', { count: 3 }],
    ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
  ])('gets the same result of %s as over a direct connection', async (tool, args) => {
    const expected = await direct.call(tool, args);
    expect(timeless(withoutProtocol(await execute(tool, args)))).toEqual(timeless(expected));
  });

  it('receives the error of a call and the name of a similar tool', async () => {
    const badArguments = await execute('get-sum', { a: 'one' });
    expect(badArguments.isError).toBe(true);
    expect(JSON.parse(text(badArguments))).toMatchObject({
      success: false,
      error: { code: 'ARGUMENTS_INVALID', server: 'everything', tool: 'get-sum' },
    });
    expect(text(await execute('ecko'))).toContain('echo');
    expect(text(await client.call('execute_tool', { server: 'evrything', tool: 'echo', arguments: {} }))).toContain(
      'everything',
    );
  });

  it("gets a tool's own error unchanged", async () => {
    const path = `${product.home}/none.txt`;
    const files = await v1(commands.filesystem(product.home));
    const expected = await files.call('read_text_file', { path });
    await files.close();
    expect(expected.isError).toBe(true);
    const through = await client.call('execute_tool', {
      server: 'filesystem',
      tool: 'read_text_file',
      arguments: { path },
    });
    expect(withoutProtocol(through)).toEqual(expected);
  });

  it('can cancel a long call', async () => {
    const controller = new AbortController();
    const long = execute('trigger-long-running-operation', { duration: 60, steps: 60 }, controller.signal);
    setTimeout(() => controller.abort(), 300);
    await expect(long).rejects.toThrow();
    expect(text(await execute('echo', { message: 'still there' }))).toBe('Echo: still there');
  });
});
