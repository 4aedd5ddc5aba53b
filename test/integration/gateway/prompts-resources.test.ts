/** Prompts and resources of all servers through the gateway, with real SDK clients of both eras. */

import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  CreateMessageRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { testHost } from '../../fixtures/host.ts';
import { messagesIn, textOf } from '../servers/server-harness.ts';
import { eras, type Json, library, open } from './library.ts';

const both = eras.flatMap((client) => eras.map((server) => [client, server] as const));

test.each(both)(
  'A %s client gets the prompts of a %s server under prefixed names, with all other fields unchanged',
  async (era, server) => {
    const { t, asked } = await library(server);
    const { ask } = await open(t, era);
    const { prompts } = (await ask('prompts/list')) as { prompts: Json[] };
    expect(prompts.map(({ name }) => name)).toEqual(['my-library-review', 'other-greet']);
    expect(prompts[0]).toMatchObject({ title: 'Review a book', vendorField: 'kept', arguments: [{ name: 'genre' }] });
    expect(prompts[1]).toMatchObject({ title: 'greet' });
    const got = await ask('prompts/get', { name: 'my-library-review', arguments: { genre: 'crime' } });
    expect(got).toMatchObject({ description: 'A review', vendorField: 'kept' });
    expect((got.messages as { content: { text: string } }[])[0]?.content.text).toBe('review: {"genre":"crime"}');
    expect(asked('prompts/get')[0]?.params).toMatchObject({ name: 'review' });
    await expect(ask('prompts/get', { name: 'my-library-revue' })).rejects.toThrow('no prompt "my-library-revue"');
  },
);

test.each(both)('A %s client reads resources and templates of a %s server by their own URIs', async (era, server) => {
  const { t } = await library(server);
  const { ask } = await open(t, era);
  const { resources } = (await ask('resources/list')) as { resources: Json[] };
  expect(resources.map(({ uri }) => uri)).toEqual(['book://1', 'book://2', 'test://one']);
  expect(resources[0]).toMatchObject({
    name: 'my-library-Book 1',
    ...{ title: 'Book 1', vendorField: 1 },
  });
  const { resourceTemplates } = (await ask('resources/templates/list')) as { resourceTemplates: Json[] };
  expect(resourceTemplates).toMatchObject([{ uriTemplate: 'shelf://{room}/{row}', name: 'my-library-shelf' }]);
  expect(await ask('resources/read', { uri: 'book://1' })).toMatchObject({
    contents: [{ uri: 'book://1', text: 'First book', vendorField: 2 }],
  });
  expect(await ask('resources/read', { uri: 'shelf://hall/3' })).toMatchObject({
    contents: [{ text: 'What lies at shelf://hall/3' }],
  });
  expect(await ask('resources/read', { uri: 'test://one' })).toMatchObject({ contents: [{ text: 'contents' }] });
  // A tool links to this resource, and no server lists it, so it belongs to the only server with books.
  expect(await ask('resources/read', { uri: 'book://99' })).toMatchObject({ contents: [{ uri: 'book://99' }] });
  await expect(ask('resources/read', { uri: 'nobody://has/this' })).rejects.toThrow('No server offers');
});

test('Tools have prefixed names, their own name as the title, and the call timeout in the metadata', async () => {
  const { t } = await library();
  const { ask } = await open(t, 'legacy');
  const { tools } = (await ask('tools/list')) as { tools: Json[] };
  expect(tools.find(({ name }) => name === 'my-library-say')).toMatchObject({
    title: 'say',
    _meta: { 'toolkeep/timeoutMs': 60_000 },
  });
});

test.each(both)('A %s client completes arguments at a %s server, which receives its own names', async (era, server) => {
  const { t } = await library(server);
  const { ask } = await open(t, era);
  const argument = { name: 'genre', value: 'cr' };
  const completed = async (ref: Json) => {
    const { completion } = await ask('completion/complete', { ref, argument });
    return (completion as { values: string[] }).values.map((value) => JSON.parse(value));
  };
  expect(await completed({ type: 'ref/prompt', name: 'my-library-review' })).toEqual([
    { type: 'ref/prompt', name: 'review' },
    argument,
  ]);
  expect(await completed({ type: 'ref/resource', uri: 'shelf://{room}/{row}' })).toEqual([
    { type: 'ref/resource', uri: 'shelf://{room}/{row}' },
    argument,
  ]);
});

test.each(eras)('Clients of both eras are notified about new prompts and resources of a %s server', async (server) => {
  const { t } = await library(server);
  const told: string[] = [];
  const old = await t.legacyClient();
  old.fallbackNotificationHandler = async ({ method }) => void told.push(`legacy ${method}`);
  const modern = await t.modernClient();
  modern.fallbackNotificationHandler = async ({ method }) => void told.push(`modern ${method}`);
  const listening = await modern.listen({ promptsListChanged: true, resourcesListChanged: true });
  // The notifications of the first discovery may still arrive.
  await sleep(300);
  told.length = 0;
  await t.call('My Library', 'grow');
  for (const era of eras)
    for (const what of ['prompts', 'resources'])
      await eventually(() => told.includes(`${era} notifications/${what}/list_changed`), `${what} told to ${era}`);
  const { prompts } = await old.listPrompts();
  expect(prompts.map(({ name }) => name)).toContain('my-library-review-1');
  expect(prompts.map(({ name }) => name)).toContain('my-library-review');
  await listening.close();
});

test('A server that requests roots gets those of the client that made the call', async () => {
  const { t } = await library();
  const rooted = async (folder: string) => {
    const client = await t.legacyClient({ roots: {} });
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${folder}`, name: folder }] }));
    return client;
  };
  const [one, two] = [await rooted('/one'), await rooted('/two')];
  const none = await t.legacyClient();
  const rootsFor = async (client: typeof one) =>
    JSON.parse(textOf(await client.callTool({ name: 'my-library-roots', arguments: {} }))).roots;
  expect(await rootsFor(one)).toEqual([{ uri: 'file:///one', name: '/one' }]);
  expect(await rootsFor(two)).toEqual([{ uri: 'file:///two', name: '/two' }]);
  expect(await rootsFor(none)).toEqual([]);
});

test("A prompt whose argument leads from a root to Toolkeep's own files gets no roots", async () => {
  const { t, files } = await library();
  symlinkSync(t.host.dataDir, join(files, 'state'));
  const client = await t.legacyClient({ roots: {} });
  const roots = [{ uri: pathToFileURL(files).href }];
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  const rootsFor = async (shelf: string) => {
    const params = { name: 'my-library-review', arguments: { genre: 'local', shelf } };
    const { roots, error } = await client.request({ method: 'prompts/get', params }, z.looseObject({})).then(
      (result) => ({ roots: result.roots, error: undefined }),
      (error: Error) => ({ roots: undefined, error: error.message }),
    );
    return roots ?? error;
  };
  // The server has not used roots before, so only the check of its request can know them.
  expect(await rootsFor('state/settings.json')).toEqual([]);
  expect(await rootsFor('notes.txt')).toEqual(roots);
  // Now the check before the request knows them.
  expect(await rootsFor('state/settings.json')).toContain("Toolkeep's own files");
});

test('A client cannot read files outside its roots, no matter how it writes the address', async () => {
  const { t, files, asked } = await library('legacy', { files: true });
  const client = await t.legacyClient({ roots: {} });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(files).href }] }));
  const inside = pathToFileURL(join(files, 'notes.txt')).href;
  expect(await client.readResource({ uri: inside })).toMatchObject({ contents: [{ uri: inside }] });
  const outside = [
    'file:///etc/passwd',
    `${pathToFileURL(files).href}/../secret`,
    `${pathToFileURL(files).href}/%2e%2e/secret`,
    `${pathToFileURL(files).href}-beside/notes.txt`,
    'FILE:///etc/passwd',
    'file://otherhost/etc/passwd',
    ' file:///etc/passwd',
    'fi\nle:///etc/passwd',
  ];
  const before = asked('resources/read').length;
  for (const uri of outside) {
    await expect(client.readResource({ uri }), uri).rejects.toThrow();
    await expect(client.subscribeResource({ uri }), uri).rejects.toThrow();
  }
  expect(asked('resources/read').length).toBe(before);
  expect(asked('resources/subscribe').length).toBe(0);
  // A client that opened no folder sets no limits.
  const free = await t.legacyClient();
  expect(await free.readResource({ uri: 'file:///etc/hostname' })).toMatchObject({ contents: [{}] });
});

test("Files outside a client's roots are not listed for it, and the log names them", async () => {
  const { t } = await library('legacy', { files: true });
  const listedFor = async (root: string) => {
    const client = await t.legacyClient({ roots: {} });
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: root }] }));
    const { resources } = await client.listResources();
    return resources.map(({ uri }) => uri);
  };
  const free = await t.legacyClient();
  const all = (await free.listResources()).resources.map(({ uri }) => uri);
  const files = all.filter((uri) => uri.startsWith('file:'));
  expect(files).not.toEqual([]);
  expect(await listedFor('file:///')).toEqual(all);
  expect(await listedFor('file:///nowhere')).toEqual(all.filter((uri) => !uri.startsWith('file:')));
  const logged = t.host.logged.filter(({ level }) => level === 'warn').map(({ message }) => message);
  expect(logged).toEqual(
    files.map((uri) => `"My Library" offers "${uri}", which is outside the folders that old opened; it is not listed.`),
  );
});

test('A sampling request goes to the client that called, and is refused if that client does not support it', async () => {
  const { t } = await library();
  const client = await t.legacyClient({ sampling: {} });
  const reply = { role: 'assistant' as const, content: { type: 'text' as const, text: 'Hello!' }, model: 'small' };
  const asks: string[] = [];
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    asks.push(JSON.stringify(params.messages));
    return reply;
  });
  const answer = await client.callTool({ name: 'my-library-sample', arguments: {} });
  expect(JSON.parse(textOf(answer))).toEqual(reply);
  expect(asks[0]).toContain('Hello?');
  const unable = await t.legacyClient();
  await expect(
    unable.callTool({ name: 'my-library-sample', arguments: {} }).then((result) => {
      if (result.isError) throw new Error('refused');
    }),
  ).rejects.toThrow();
});

test.each(eras)(
  'Log messages of a call to a %s server go to its client, from the level that the client requested',
  async (server) => {
    const { t } = await library(server);
    const logging = async () => {
      const client = await t.legacyClient();
      const heard: unknown[] = [];
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params));
      return { client, heard };
    };
    const [caller, choosy, other] = [await logging(), await logging(), await logging()];
    await choosy.client.setLoggingLevel('warning');
    await caller.client.callTool({ name: 'my-library-say', arguments: {} });
    await choosy.client.callTool({ name: 'my-library-say', arguments: {} });
    await eventually(() => caller.heard.length === 2 && choosy.heard.length === 1, 'the messages');
    expect(caller.heard).toEqual([
      { level: 'info', data: 'said at info', logger: 'library' },
      { level: 'warning', data: 'said at warning', logger: 'library' },
    ]);
    expect(choosy.heard).toEqual([{ level: 'warning', data: 'said at warning', logger: 'library' }]);
    expect(other.heard).toEqual([]);
  },
);

/** Two accounts of one server, whose answers name the account. Returns what each of them received, too. */
async function accounts(listed: Json) {
  const host = testHost();
  onTestFinished(host.dispose);
  const file = join(host.homeDir, 'resources.json');
  writeFileSync(file, JSON.stringify({ resources: [], resourceTemplates: [], ...listed }));
  const ofAccount = (name: string) => {
    const options = [`resources-file=${file}`, `marks=of ${name}`, `log=${join(host.homeDir, name)}`];
    return serverConfig(name, commands.misbehaving('normal', ...options));
  };
  const t = await startCore([ofAccount('work'), ofAccount('home')], { host });
  const isKnown = (name: string) => t.view(name).resourceCount + t.view(name).resourceTemplateCount > 0;
  await eventually(() => isKnown('work') && isKnown('home'), 'the lists');
  const received = (name: string, method: string) =>
    messagesIn(join(host.homeDir, name)).flatMap((message) => (message.method === method ? [message.params] : []));
  return { t, host, received };
}

test.each([
  ['db://schema', 'db://work/schema', 'db://home/schema'],
  ['file:///etc/hostname', 'file://work//etc/hostname', 'file://home//etc/hostname'],
  ['config:app', 'config:work/app', 'config:home/app'],
  ['https://notes.example/1', 'https://work/notes.example/1', 'https://home/notes.example/1'],
])('The resource %s of two servers is readable from both', async (uri, ofWork, ofHome) => {
  const { t, received } = await accounts({ resources: [{ uri, name: 'it' }] });
  const { ask } = await open(t, 'legacy');
  const { resources } = (await ask('resources/list')) as { resources: Json[] };
  expect(resources.map((item) => item.uri)).toEqual([ofWork, ofHome]);
  expect(await ask('resources/read', { uri: ofWork })).toMatchObject({ contents: [{ uri: ofWork, text: 'of work' }] });
  expect(await ask('resources/read', { uri: ofHome })).toMatchObject({ contents: [{ uri: ofHome, text: 'of home' }] });
  expect([received('work', 'resources/read'), received('home', 'resources/read')]).toMatchObject([
    [{ uri }],
    [{ uri }],
  ]);
  await expect(ask('resources/read', { uri })).rejects.toThrow('"work" and "home" both offer the resource');
});

test('A template of two servers is readable and completed at both', async () => {
  const { t, received } = await accounts({ resourceTemplates: [{ uriTemplate: 'db://{table}/rows', name: 'rows' }] });
  const { ask } = await open(t, 'modern');
  const { resourceTemplates } = (await ask('resources/templates/list')) as { resourceTemplates: Json[] };
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'db://work/{table}/rows',
    'db://home/{table}/rows',
  ]);
  const uri = 'db://home/users/rows';
  expect(await ask('resources/read', { uri })).toMatchObject({ contents: [{ uri, text: 'of home' }] });
  expect(received('home', 'resources/read')).toMatchObject([{ uri: 'db://users/rows' }]);
  const ref = { type: 'ref/resource', uri: 'db://work/{table}/rows' };
  await ask('completion/complete', { ref, argument: { name: 'table', value: 'u' } }).catch(() => undefined);
  expect(received('work', 'completion/complete')).toMatchObject([{ ref: { uri: 'db://{table}/rows' } }]);
});
