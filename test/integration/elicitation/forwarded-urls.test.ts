/** Pages that clients open for servers: the completion notification reaches the client that opened the page. */

import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitationCompleteNotificationSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { textOf } from '../servers/server-harness.ts';

const url = { elicitation: { url: {} } };

async function trial() {
  const t = await startCore([serverConfig('old', commands.elicit('legacy')), serverConfig('twin', commands.elicit())], {
    config: { elicitation: { routing: 'client' } },
  });
  await eventually(() => t.view('old').toolCount > 0 && t.view('twin').toolCount > 0, 'the tools');
  return t;
}

function listen(client: LegacyClient, action: 'accept' | 'decline' = 'accept') {
  const done: string[] = [];
  const asked: unknown[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params);
    return { action };
  });
  client.setNotificationHandler(
    ElicitationCompleteNotificationSchema,
    ({ params }) => void done.push(params.elicitationId),
  );
  const call = async (tool: string, id: string, server = 'old') => {
    const result = await client.callTool({ name: `${server}-${tool}`, arguments: { id } });
    return textOf(result as never);
  };
  return { client, done, asked, call };
}
type Listener = ReturnType<typeof listen>;

/** Notifications arrive in order: once the last one has arrived, so have all earlier ones. */
async function settled(by: Listener, marker: string): Promise<void> {
  await by.call('page', marker);
  await by.call('finish', marker);
  await eventually(() => by.done.includes(marker), `the end of ${marker}`);
}

test('Only the client that was asked to open a page receives the completion notification, once', async () => {
  const t = await trial();
  const [one, two] = [listen(await t.legacyClient(url)), listen(await t.legacyClient(url))];
  expect(await one.call('page', 'p1')).toBe('{"action":"accept"}');
  expect(one.asked).toMatchObject([{ mode: 'url', elicitationId: 'p1', url: 'https://example.com/in' }]);
  // A page can be completed in any way; here, a call of another client does.
  await two.call('finish', 'p1');
  await eventually(() => one.done.length > 0, 'the end of the page');
  await two.call('finish', 'p1');
  await settled(one, 'last-of-one');
  await settled(two, 'last-of-two');
  expect(one.done).toEqual(['p1', 'last-of-one']);
  expect(two.done).toEqual(['last-of-two']);
});

test('The client whose call was refused for a page receives the completion notification', async () => {
  const t = await trial();
  const [one, two] = [listen(await t.legacyClient(url)), listen(await t.legacyClient(url, 'lazy'))];
  await expect(one.call('refuse', 'r1')).rejects.toMatchObject({
    code: -32042,
    data: { elicitations: [{ elicitationId: 'r1' }] },
  });
  await t.call('old', 'finish', { id: 'r1' });
  await eventually(() => one.done.includes('r1'), 'the end of the page');
  // The same through a meta-tool.
  const args = { server: 'old', tool: 'refuse', arguments: { id: 'r2' } };
  await expect(two.client.callTool({ name: 'execute_tool', arguments: args })).rejects.toMatchObject({ code: -32042 });
  await t.call('old', 'finish', { id: 'r2' });
  await eventually(() => two.done.includes('r2'), 'the end of the page');
  expect(one.done).toEqual(['r1']);
  expect(two.done).toEqual(['r2']);
});

test('No client is notified about a page of another server or one that the user did not open', async () => {
  const t = await trial();
  const [willing, other] = [listen(await t.legacyClient(url)), listen(await t.legacyClient(url), 'decline')];
  await willing.call('page', 'same');
  await willing.call('finish', 'same', 'twin');
  expect(await other.call('page', 'unwanted')).toBe('{"action":"decline"}');
  await other.call('finish', 'unwanted');
  await settled(willing, 'last');
  expect(willing.done).toEqual(['last']);
  expect(other.done).toEqual([]);
  await willing.call('finish', 'same');
  await eventually(() => willing.done.includes('same'), 'the end, said by the server whose page it is');
});

test('A legacy client over HTTP is notified too; a modern client has no such notification and continues', async () => {
  const t = await trial();
  const { url: address, requestInit } = await t.http();
  const remote = listen(new LegacyClient({ name: 'far', version: '1' }, { capabilities: url }));
  await remote.client.connect(new LegacyHttp(address, { requestInit }) as never);
  await remote.call('page', 'h1');
  await t.call('old', 'finish', { id: 'h1' });
  await eventually(() => remote.done.includes('h1'), 'the end of the page');
  await remote.client.close();

  const modern = await t.modernClient(url);
  const heard: string[] = [];
  modern.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
  modern.setRequestHandler('elicitation/create', () => ({ action: 'accept' }));
  const result = await modern.callTool({ name: 'old-page', arguments: { id: 'm1' } });
  expect(textOf(result as never)).toBe('{"action":"accept"}');
  await t.call('old', 'finish', { id: 'm1' });
  expect(textOf((await modern.callTool({ name: 'old-page', arguments: { id: 'm2' } })) as never)).toContain('accept');
  expect(heard.filter((method) => method.includes('elicitation'))).toEqual([]);
});
