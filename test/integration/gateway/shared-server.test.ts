/** Several clients of one server: their roots and log levels reach it without conflicts. */

import { ListRootsRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import type { CoreTrial } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { textOf } from '../servers/server-harness.ts';
import { eras, library } from './library.ts';

async function rooted(t: CoreTrial, folder: string) {
  const client = await t.legacyClient({ roots: { listChanged: true } });
  const roots = [{ uri: `file://${folder}` }];
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  return { client, roots };
}

test('A server is notified when the roots of its only client change, and receives the new ones on request', async () => {
  const { t, asked } = await library();
  const { client, roots } = await rooted(t, '/one');
  // A client without folders gets no folders of other clients.
  await t.legacyClient();
  roots.push({ uri: 'file:///two' });
  await client.sendRootsListChanged();
  await eventually(() => asked('roots').length === 1, 'the question of the server');
  expect(asked('roots')[0]?.params).toEqual({ roots: [{ uri: 'file:///one' }, { uri: 'file:///two' }] });
  // A stopped server is not started for this.
  await t.core.handlers['servers.stop']({ server: 'My Library' });
  await client.sendRootsListChanged();
  await client.ping();
  expect(t.view('My Library').status).toBe('idle');
});

test('A process that serves one client never gets the roots of another', async () => {
  const { t, asked } = await library();
  const [one, two] = [await rooted(t, '/one'), await rooted(t, '/two')];
  await one.client.sendRootsListChanged();
  await eventually(() => asked('roots').length === 1, 'the question of the server');
  expect(asked('roots')[0]?.params).toEqual({ roots: [] });
  const rootsOf = async ({ client }: typeof one) =>
    JSON.parse(textOf(await client.callTool({ name: 'my-library-roots', arguments: {} }))).roots;
  expect(await rootsOf(two)).toEqual([{ uri: 'file:///two' }]);
  expect(await rootsOf(one)).toEqual([{ uri: 'file:///one' }]);
  const none = await t.legacyClient();
  const answer = await none.callTool({ name: 'my-library-roots', arguments: {} });
  expect(JSON.parse(textOf(answer)).roots).toEqual([]);
  expect(t.view('My Library').instances).toHaveLength(3);

  // A process keeps its own roots when another client changes its roots or disconnects.
  two.roots.push({ uri: 'file:///three' });
  await two.client.sendRootsListChanged();
  expect(await rootsOf(two)).toEqual([{ uri: 'file:///two' }, { uri: 'file:///three' }]);
  await one.client.close();
  await two.client.sendRootsListChanged();
  expect(await rootsOf(two)).toEqual([{ uri: 'file:///two' }, { uri: 'file:///three' }]);
  expect(asked('roots')).toHaveLength(1);
});

async function logging(t: CoreTrial) {
  const client = await t.legacyClient();
  const heard: string[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params.level));
  return { client, heard };
}
/** The log levels that a client receives for one call. */
async function hears({ client, heard }: Awaited<ReturnType<typeof logging>>): Promise<string[]> {
  heard.length = 0;
  await client.callTool({ name: 'my-library-say', arguments: {} });
  await client.ping();
  return [...heard];
}

test('A server logs at the most verbose level of its clients, and each client receives only its own level', async () => {
  const { t, asked } = await library();
  const levels = () => asked('logging/setLevel').map(({ params }) => params?.level);
  const [plain, curious, calm] = [await logging(t), await logging(t), await logging(t)];
  expect(await hears(plain)).toEqual(['info', 'warning']);
  expect(levels()).toEqual([]);

  await calm.client.setLoggingLevel('warning');
  await curious.client.setLoggingLevel('debug');
  await eventually(() => levels().at(-1) === 'debug', 'the level at the server');
  expect(await hears(curious)).toEqual(['debug', 'info', 'warning']);
  expect(await hears(calm)).toEqual(['warning']);
  expect(await hears(plain)).toEqual(['info', 'warning']);
  await expect(calm.client.setLoggingLevel('loud' as never)).rejects.toThrow('no log level');

  // A new process does not have the earlier log level.
  const before = levels().length;
  await t.core.handlers['servers.restart']({ server: 'My Library' });
  await eventually(() => levels().length > before, 'the level at the new process');
  expect(levels().at(-1)).toBe('debug');
  expect(await hears(curious)).toEqual(['debug', 'info', 'warning']);

  await curious.client.close();
  await eventually(() => levels().at(-1) === 'info', 'the level without the curious one');
  await plain.client.close();
  await eventually(() => levels().at(-1) === 'warning', 'the level of the calm one alone');
  expect(await hears(calm)).toEqual(['warning']);
});

test.each(eras)('The log level in a request of a modern client reaches a %s server', async (server) => {
  const { t } = await library(server);
  const client = await t.modernClient();
  const heard: string[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.level));
  const say = async (level?: string) => {
    heard.length = 0;
    const _meta = level ? { 'io.modelcontextprotocol/logLevel': level } : {};
    await client.callTool({ name: 'my-library-say', arguments: {}, _meta });
    await client.listTools();
    return [...heard];
  };
  expect(await say()).toEqual([]);
  expect(await say('warning')).toEqual(['warning']);
  expect(await say('debug')).toEqual(['debug', 'info', 'warning']);
  expect(await say('info')).toEqual(['info', 'warning']);
});
