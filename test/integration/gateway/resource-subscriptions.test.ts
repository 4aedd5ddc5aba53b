/** Resource subscriptions: the clients that receive an update, and the lifetime of a server's subscription. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { messagesIn } from '../servers/server-harness.ts';
import { eras, library } from './library.ts';

test.each(eras)('An update from a %s server reaches each subscriber once, and no other client', async (server) => {
  const { t, asked } = await library(server);
  const updates = async () => {
    const client = await t.legacyClient();
    const seen: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.push(params.uri));
    return { client, seen };
  };
  const [first, second, bystander] = [await updates(), await updates(), await updates()];
  const modern = await t.modernClient();
  const seenByModern: string[] = [];
  modern.setNotificationHandler('notifications/resources/updated', ({ params }) => void seenByModern.push(params.uri));
  await first.client.subscribeResource({ uri: 'book://1' });
  await second.client.subscribeResource({ uri: 'book://1' });
  const listening = await modern.listen({ resourceSubscriptions: ['book://1'] });
  if (server === 'legacy') await eventually(() => asked('resources/subscribe').length > 0, 'the subscription');
  // The subscription of a modern server uses a separate stream, which is opened again.
  await sleep(300);
  await t.call('My Library', 'touch', { uri: 'book://1', text: 'changed' });
  await eventually(
    () => first.seen.length > 0 && second.seen.length > 0 && seenByModern.length > 0,
    'all three updates',
  );
  await t.call('My Library', 'touch', { uri: 'book://2', text: 'changed' });
  await sleep(200);
  expect([first.seen, second.seen, seenByModern]).toEqual([['book://1'], ['book://1'], ['book://1']]);
  expect(bystander.seen).toEqual([]);
  if (server === 'legacy') expect(asked('resources/subscribe').length).toBe(1);

  // One client disconnects, one unsubscribes, and one ends its stream; Toolkeep unsubscribes from the server only
  // after the last of them.
  await first.client.close();
  await second.client.unsubscribeResource({ uri: 'book://1' });
  await t.call('My Library', 'touch', { uri: 'book://1', text: 'again' });
  await eventually(() => seenByModern.length === 2, 'the update for the one who still follows');
  expect(asked('resources/unsubscribe').length).toBe(0);
  await listening.close();
  if (server === 'legacy') await eventually(() => asked('resources/unsubscribe').length === 1, 'the end of it');
  await t.call('My Library', 'touch', { uri: 'book://1', text: 'and again' });
  await sleep(200);
  expect(seenByModern.length).toBe(2);
  expect(second.seen.length).toBe(1);
});

test('A server with subscriptions is not stopped when idle, and the subscriptions are restored after a crash', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const log = join(host.homeDir, 'log');
  const lifecycle = { idleTimeoutMs: 300 };
  const t = await startCore([serverConfig('lib', commands.library('legacy', `log=${log}`), { lifecycle })], { host });
  await eventually(() => t.view('lib').promptCount > 0, 'the lists');
  const client = await t.legacyClient();
  const seen: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.push(params.uri));
  await client.subscribeResource({ uri: 'book://1' });
  await sleep(800);
  expect(t.view('lib').status).toBe('ready');
  process.kill(t.view('lib').pid as number, 'SIGKILL');
  await eventually(() => t.view('lib').status === 'failed', 'the crash');
  await t.call('lib', 'touch', { uri: 'book://2', text: 'x' });
  await eventually(() => seen.includes('book://1'), 'the word that it may have changed meanwhile');
  seen.length = 0;
  await eventually(
    () => messagesIn(log).filter(({ method }) => method === 'resources/subscribe').length === 2,
    'again',
  );
  await t.call('lib', 'touch', { uri: 'book://1', text: 'y' });
  await eventually(() => seen.includes('book://1'), 'an update of the new process');
  await client.unsubscribeResource({ uri: 'book://1' });
  await eventually(() => t.view('lib').status === 'idle', 'the idle stop once nobody follows');
});

test('Clients over HTTP of both eras can subscribe to resources until they end their stream', async () => {
  const { t, asked } = await library();
  const { url, requestInit } = await t.http();
  const seen = { legacy: [] as string[], modern: [] as string[] };
  const old = new LegacyClient({ name: 'old', version: '1' });
  old.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.legacy.push(params.uri));
  await old.connect(new LegacyHttp(url, { requestInit }) as never);
  const modern = new ModernClient(
    { name: 'new', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  modern.setNotificationHandler('notifications/resources/updated', ({ params }) => void seen.modern.push(params.uri));
  await modern.connect(new ModernHttp(url, { requestInit }));

  const listening = await modern.listen({ resourceSubscriptions: ['book://1'] });
  await eventually(() => asked('resources/subscribe').length === 1, 'the wish of the modern client at the server');
  await old.subscribeResource({ uri: 'book://1' });
  await t.call('My Library', 'touch', { uri: 'book://1', text: 'changed' });
  await eventually(() => seen.legacy.length > 0 && seen.modern.length > 0, 'both updates');
  expect(seen).toEqual({ legacy: ['book://1'], modern: ['book://1'] });
  await old.unsubscribeResource({ uri: 'book://1' });
  expect(asked('resources/unsubscribe').length).toBe(0);
  await listening.close();
  await eventually(() => asked('resources/unsubscribe').length === 1, 'the end of the last one');
  await old.close();
  await modern.close();
});

test('A client subscribes to at most 1,000 resources, and failed and ended subscriptions do not count', async () => {
  const { t } = await library('legacy');
  const client = await t.legacyClient();
  const subscribed = (uris: string[]) =>
    Promise.allSettled(uris.map((uri) => client.subscribeResource({ uri }))).then((results) =>
      results.map((result) => (result.status === 'fulfilled' ? 'ok' : (result.reason as Error).message)),
    );
  const missing = await subscribed(Array.from({ length: 1_500 }, (_, at) => `nothing://${at}`));
  expect(missing.slice(0, 1_000).join()).not.toContain('at most');
  expect(missing.slice(1_000).every((message) => message.includes('at most 1000 resources'))).toBe(true);
  expect(await subscribed(['book://1'])).toEqual(['ok']);
});

test('A subscription to a resource that two servers have follows the server in its URI', async () => {
  const t = await startCore(['work', 'home'].map((name) => serverConfig(name, commands.library('legacy'))));
  await eventually(() => ['work', 'home'].every((name) => t.view(name).resourceCount > 0), 'the lists');
  const client = await t.legacyClient();
  const seen: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.push(params.uri));
  const [first] = (await client.listResources()).resources;
  expect(first?.uri).toBe('book://work/1');
  await client.subscribeResource({ uri: 'book://work/1' });
  await client.subscribeResource({ uri: 'book://home/2' });
  for (const server of ['home', 'work'])
    for (const at of [1, 2]) await t.call(server, 'touch', { uri: `book://${at}`, text: server });
  await eventually(() => seen.length === 2, 'both updates');
  expect(seen).toEqual(['book://home/2', 'book://work/1']);
  const read = async (uri: string) => (await client.readResource({ uri })).contents;
  expect(await read('book://work/1')).toMatchObject([{ uri: 'book://work/1', text: 'work' }]);
  expect(await read('book://home/1')).toMatchObject([{ uri: 'book://home/1', text: 'home' }]);
});
