/** `?server=NAME`: one server through the gateway, under its own names and without other servers. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { results } from '../../fixtures/content.ts';
import { allowActs, testHost } from '../../fixtures/host.ts';
import { coreOverHttp } from './core-over-http.ts';

let running: Awaited<ReturnType<typeof coreOverHttp>>;

beforeAll(async () => {
  const host = allowActs(testHost());
  host.store.set('servers', [
    serverConfig('content', commands.content()),
    serverConfig('everything', commands.everything()),
  ]);
  running = await coreOverHttp(host);
});
afterAll(() => running.close());

async function connect(query: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${running.url}?${query}`)));
  return client;
}
const names = (all: { name: string }[]) => all.map(({ name }) => name);

describe('A client of one server', () => {
  test("sees only that server's tools, prompts and resources, under their own names", async () => {
    const client = await connect('mode=full&server=everything');
    const tools = names((await client.listTools()).tools);
    expect(tools).toContain('echo');
    expect(tools).not.toContain('everything-echo');
    expect(tools).not.toContain('slow');
    const prompts = names((await client.listPrompts()).prompts);
    expect(prompts).toContain('simple-prompt');
    expect((await client.getPrompt({ name: 'simple-prompt' })).messages).toHaveLength(1);
    const [resource] = (await client.listResources()).resources;
    expect((await client.readResource({ uri: resource?.uri ?? '' })).contents).toHaveLength(1);
    await client.close();
  });

  test('calls a tool by its own name and gets the result unchanged', async () => {
    const client = await connect('mode=full&server=content');
    expect(await client.callTool({ name: 'image', arguments: {} })).toMatchObject(results.image ?? {});
    await expect(client.callTool({ name: 'echo', arguments: { message: 'other server' } })).rejects.toThrow(
      'Unknown tool: echo',
    );
    await client.close();
  });

  test('cannot reach another server through the meta-tools', async () => {
    const client = await connect('server=content');
    const list = await client.callTool({ name: 'list_mcp_servers', arguments: {} });
    expect(JSON.stringify(list)).not.toContain('everything (');
    const call = { server: 'everything', tool: 'echo', arguments: { message: 'hello' } };
    const refused = await client.callTool({ name: 'execute_tool', arguments: call });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused)).toContain('SERVER_NOT_FOUND');
    await client.close();
  });

  test('receives an error if the server does not exist', async () => {
    await expect(connect('server=nope')).rejects.toThrow('There is no server');
  });
});
