/** Several clients on one server: their folders and log levels reach it without getting in each other's way (D6, N3). */
import { ListRootsRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import type { CoreTrial } from '../fixtures/core.ts';
import { eventually, textOf } from '../upstream/helper.ts';
import { eras, library } from './library.ts';

async function rooted(t: CoreTrial, folder: string) {
  const client = await t.legacyClient({ roots: { listChanged: true } });
  const roots = [{ uri: `file://${folder}` }];
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  return { client, roots };
}

test('a server hears that the folders of its only client changed, and gets the new ones when it asks (D6)', async () => {
  const { t, asked } = await library();
  const { client, roots } = await rooted(t, '/one');
  // Without folders of its own it takes nothing from those of others.
  await t.legacyClient();
  roots.push({ uri: 'file:///two' });
  await client.sendRootsListChanged();
  await eventually(() => asked('roots').length === 1, 'the question of the server');
  expect(asked('roots')[0]?.params).toEqual({ roots: [{ uri: 'file:///one' }, { uri: 'file:///two' }] });
  // A server that stands still is not started for it.
  await t.core.handlers['servers.stop']({ server: 'My Library' });
  await client.sendRootsListChanged();
  await client.ping();
  expect(t.view('My Library').status).toBe('idle');
});

test('with several clients the folders of one are never given to a server outside a call of its own (D6)', async () => {
  const { t, asked } = await library();
  const [one, two] = [await rooted(t, '/one'), await rooted(t, '/two')];
  await one.client.sendRootsListChanged();
  await eventually(() => asked('roots').length === 1, 'the question of the server');
  expect(asked('roots')[0]?.params).toEqual({ roots: [] });
  const rootsOf = async ({ client }: typeof one) =>
    JSON.parse(textOf(await client.callTool({ name: 'my-library-roots', arguments: {} }))).roots;
  expect(await rootsOf(two)).toEqual([{ uri: 'file:///two' }]);
  await one.client.close();
  await eventually(
    async () => (await t.core.handlers['core.status']()).clients.length === 1,
    'the first one to be gone',
  );
  await two.client.sendRootsListChanged();
  await eventually(() => asked('roots').length === 2, 'the question of the server');
  expect(asked('roots')[1]?.params).toEqual({ roots: [{ uri: 'file:///two' }] });
});

async function logging(t: CoreTrial) {
  const client = await t.legacyClient();
  const heard: string[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params.level));
  return { client, heard };
}
/** The levels that a client hears of one call. */
async function hears({ client, heard }: Awaited<ReturnType<typeof logging>>): Promise<string[]> {
  heard.length = 0;
  await client.callTool({ name: 'my-library-say', arguments: {} });
  await client.ping();
  return [...heard];
}

test('a server logs as its most curious client wants it, and each client hears no more than it asked for (N3)', async () => {
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

  // A new process knows nothing of it.
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

test.each(eras)('the level that a modern client gives with a request reaches a %s server (N3)', async (server) => {
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
