/** Every kind of client over every transport gets the same results as with a direct connection. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { results } from '../../fixtures/content.ts';
import { type SingleServerServices, singleServerServices } from '../../fixtures/single-server-services.ts';
import { openClient, ways } from './clients.ts';
import { startGateway } from './harness.ts';

type Json = Record<string, unknown>;
let services: SingleServerServices;
let gateway: Awaited<ReturnType<typeof startGateway>>;

beforeAll(async () => {
  services = await singleServerServices(commands.content(), { server: 'content' });
  gateway = await startGateway(services);
});
afterAll(async () => {
  await gateway.close();
  services.close();
});

/** The fields that the modern era adds to a server's result. */
function unframed(result: Json): Json {
  const { resultType: _, _meta, ...rest } = result;
  const { 'io.modelcontextprotocol/serverInfo': __, ...meta } = (_meta ?? {}) as Json;
  return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
}

const run = (tool: string, args: Json = {}) => ({ server: 'content', tool, arguments: args });
const textOf = (result: Json) => (result.content as { text: string }[])[0]?.text ?? '';

describe.each(ways)('$kind over $over', ({ kind, over }) => {
  test('finds a tool, reads its details and gets its result unchanged', async () => {
    const client = await openClient(kind, over, gateway);
    expect((await client.list()).map((tool) => tool.name)).toEqual([
      'list_mcp_servers',
      'search_tools',
      'list_tools',
      'get_tool_details',
      'execute_tool',
    ]);
    expect(textOf(await client.call('search_tools', { query: 'slow' }))).toContain('content/slow');
    expect(textOf(await client.call('get_tool_details', { server: 'content', tool: 'slow' }))).toContain(
      '- ms: number',
    );
    for (const [tool, result] of Object.entries(results)) {
      expect(unframed(await client.call('execute_tool', run(tool)))).toEqual(result);
    }
    await client.close();
  });

  test('receives progress, and a call that it cancels is cancelled at the server', async () => {
    const client = await openClient(kind, over, gateway);
    const progress: unknown[] = [];
    await client.call('execute_tool', run('slow', { ms: 300, steps: 3 }), { onprogress: (p) => progress.push(p) });
    expect(progress.length).toBeGreaterThanOrEqual(2);
    const before = await cancelledCalls(client.call);
    const controller = new AbortController();
    const call = client.call('execute_tool', run('slow', { ms: 20_000, steps: 400 }), { signal: controller.signal });
    const failed = expect(call).rejects.toThrow();
    setTimeout(() => controller.abort(), 100);
    await failed;
    await expect.poll(() => cancelledCalls(client.call)).toBe(before + 1);
    await client.close();
  });

  test('is notified when tools are added', async () => {
    const client = await openClient(kind, over, gateway, { mode: 'full' });
    const before = (await client.list()).length;
    services.extra.push({ name: `late${services.extra.length}`, inputSchema: { type: 'object' } });
    // A listener may still be connecting (event streams open after the handshake).
    const again = setInterval(() => services.announce('tools'), 100);
    await client.toolsChanged;
    clearInterval(again);
    expect(await client.list()).toHaveLength(before + 1);
    await client.close();
  });

  test('sees each tool with every field in full mode, and calls it by its shown name', async () => {
    const client = await openClient(kind, over, gateway, { mode: 'full' });
    const slow = (await client.list()).find((tool) => tool.name === 'content-slow');
    expect(slow).toEqual({
      name: 'content-slow',
      title: 'slow',
      description: 'Takes its time and tells how far it is.',
      inputSchema: {
        type: 'object',
        properties: { ms: { type: 'number' }, steps: { type: 'number' } },
        required: ['ms'],
      },
      annotations: { readOnlyHint: true, vendorHint: 'kept' },
      _meta: { 'example.com/tool': 'kept' },
      vendorField: 'kept',
      icons: [{ src: 'data:image/png;base64,AA==', mimeType: 'image/png' }],
      // Toolkeep runs every tool as a task for clients that want one.
      ...(kind === 'v1' && { execution: { taskSupport: 'optional' } }),
    });
    expect(unframed(await client.call('content-everything', {}))).toEqual(results.everything);
    await client.close();
  });
});

async function cancelledCalls(call: (name: string, args: Json) => Promise<Json>): Promise<number> {
  return JSON.parse(textOf(await call('execute_tool', run('cancelled')))).length;
}
