/**
 * Tests every recorded client with every behavior in which clients differ, over real bridges and a real server.
 *
 * @module-tag exhaustive
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { recordedClients } from '../fixtures/recorded-clients.ts';
import { type AttackKit, attackKit } from './attack-kit.ts';
import { type ClientSession, clientSession, firstText } from './client-session.ts';
import { trialProduct } from './trial-product.ts';

const { product, logged } = await trialProduct();
let kit: AttackKit;

beforeAll(async () => {
  kit = await attackKit(product);
});
afterAll(async () => {
  await kit?.close();
  await product.dispose();
});

describe.each(recordedClients)('$id', (recorded) => {
  const { id, capabilities, prefix, maxName, waitsForProgress, resultBytes } = recorded;
  const folder = join(product.home, 'folders', id);
  let client: ClientSession;
  let full: ClientSession;
  let single: ClientSession;

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    [client, full, single] = (await Promise.all([
      clientSession(product, recorded, { folder }),
      clientSession(product, recorded, { folder, flags: ['--mode', 'full'] }),
      clientSession(product, recorded, { folder, flags: ['--mode', 'full', '--server', 'trial'] }),
    ])) as [ClientSession, ClientSession, ClientSession];
  });
  afterAll(() => Promise.all([client, full, single].map((session) => session?.close())));

  const listed = async (session: ClientSession) => {
    const { result } = await session.request('tools/list', {});
    return (result?.tools ?? []) as { name: string; title?: string; inputSchema: Record<string, unknown> }[];
  };

  it('gets the result of a slow call, which runs once', async () => {
    const args = { ms: 700, who: id };
    const first = await client.attempt('slow', args);
    expect(first).toContain(waitsForProgress ? 'slow is done' : 'CALL_PENDING');
    if (!waitsForProgress) expect(firstText(await client.execute('slow', args))).toBe('slow is done');
    expect(logged(`slow ${id}`)).toBe(1);
  });

  it('waits for an approval that takes longer than its timeout', async () => {
    const first = client.attempt('delete_all', { who: id });
    if (!waitsForProgress) expect(await first).toContain('APPROVAL_PENDING');
    await kit.answer({ action: 'accept', scope: 'once' });
    expect(waitsForProgress ? await first : firstText(await client.execute('delete_all', { who: id }))).toBe(
      'all deleted',
    );
    expect(logged(`delete_all ${id}`)).toBe(1);
  });

  it('lists an unusual schema as a plain object, and its calls are validated by the real schema', async () => {
    const odd = (await listed(full)).find(({ name }) => name === 'trial-odd');
    expect(odd?.inputSchema).toMatchObject({ type: 'object', properties: { id: { type: 'integer' } } });
    expect(Object.keys(odd?.inputSchema ?? {})).not.toContain('anyOf');
    const call = async (args: Record<string, unknown>) => firstText(await full.callListed('trial-odd', args));
    expect(await call({ id: 7, $top: 1 })).toBe('{"id":7,"$top":1}');
    expect(await call({})).toContain('ARGUMENTS_INVALID');
  });

  it('lists names that are short enough with its own prefix, and calls a tool with a long name', async () => {
    for (const session of [full, single]) {
      const tools = await listed(session);
      for (const { name } of tools) {
        expect(name).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(prefix.length + name.length).toBeLessThanOrEqual(maxName);
      }
      const long = tools.find(({ title }) => title?.startsWith('list.all_items'));
      expect(firstText(await session.callListed(String(long?.name), {}))).toBe('items');
    }
  });

  it('gets an image unchanged', async () => {
    expect(await client.execute('picture')).toMatchObject({
      content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }],
    });
  });

  it('can read five megabytes of text to the end', async () => {
    const text = firstText(await client.execute('big'));
    if (resultBytes === undefined) {
      expect(text).toHaveLength(290_000 * 18 + 13);
      return;
    }
    expect(Buffer.byteLength(text)).toBeLessThan(resultBytes);
    const next = JSON.parse(/execute_tool (\{.*\})\]$/.exec(text)?.[1] ?? '');
    const last = await client.execute(`${next.server}/${next.tool}`, { handle: next.arguments.handle, lines: 290_001 });
    expect(firstText(last)).toBe('THE LAST LINE');
  });

  it('gets the result of an app tool with all its data', async () => {
    const result = await client.execute('chart');
    expect(result).toMatchObject({ _meta: { 'trial/kept': true } });
    expect((result.structuredContent as { points: number[] }).points).toHaveLength(5_000);
    const chart = (await listed(full)).find(({ name }) => name === 'trial-chart');
    expect(chart).toMatchObject({ _meta: { ui: { resourceUri: 'ui://trial/chart/view.html' } } });
  });

  it('runs a tool that its server runs only as a task', async () => {
    expect(firstText(await client.execute('research'))).toBe('researched');
  });

  it("answers a tool's question itself if it supports elicitation, otherwise Toolkeep asks the user", async () => {
    const answer = client.execute('ask');
    if (!capabilities.elicitation) await kit.answer({ action: 'accept', value: 'from the user' });
    const color = capabilities.elicitation ? `from ${id}` : 'from the user';
    expect(JSON.parse(firstText(await answer))).toEqual({ action: 'accept', content: { color } });
    expect(client.asked.includes('elicitation/create')).toBe(Boolean(capabilities.elicitation));
  });

  it('answers a sampling request if it supports sampling, otherwise the server receives the reason', async () => {
    const answer = firstText(await client.execute('sample'));
    expect(answer).toContain(capabilities.sampling ? `from ${id}` : 'does not offer sampling');
  });

  it('gives the server its own folders, and never those of another client', async () => {
    const { roots } = JSON.parse(firstText(await client.execute('folders')));
    expect(roots).toEqual(capabilities.roots ? [{ uri: `file://${folder}` }] : []);
  });

  it('gets an answer to a ping, which hosts of apps send in every protocol version', async () => {
    expect(await client.request('ping', {})).toMatchObject({ result: {} });
  });

  it('can cancel a call, which is also cancelled on the server', async () => {
    const call = client.request('tools/call', {
      name: 'execute_tool',
      arguments: { server: 'trial', tool: 'endless', arguments: { who: id } },
    });
    await vi.waitFor(() => expect(logged(`endless ${id}`)).toBe(1), { interval: 10 });
    client.peer.notify('notifications/cancelled', { requestId: (call as { id?: number }).id ?? lastRequest(client) });
    await vi.waitFor(() => expect(logged(`cancelled ${id}`)).toBe(1));
  });
});

/** The id of the newest request, which a modern session does not return. */
function lastRequest({ peer }: ClientSession): number {
  return peer.request('ping').id - 1;
}
