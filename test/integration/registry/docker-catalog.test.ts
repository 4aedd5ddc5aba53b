/**
 * A Docker MCP catalog as a registry: from its YAML to the exact command, and what hostile catalogs cannot do.
 *
 * @module-tag exhaustive
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { entriesIn } from '../../../electron/core/registry/sync/docker-catalog.ts';
import { fromDockerEntry } from '../../../electron/core/registry/sync/docker-entry.ts';
import { startCore } from '../../fixtures/core.ts';
import { cpuMs } from '../../fixtures/cpu-ms.ts';
import { testHost } from '../../fixtures/host.ts';
import { derive, type Json } from '../../fixtures/registry-entries.ts';

const digest = 'a1'.repeat(32);
const image = `mcp/notes@sha256:${digest}`;
let catalog = '';
let status = 200;
let server: ReturnType<typeof createServer>;
beforeEach(async () => {
  status = 200;
  server = createServer((_request, response) => response.writeHead(status).end(catalog));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => server.close());

const notes = `  notes:
    title: Notes
    description: Takes notes.
    image: ${image}
    volumes: ["{{notes.folder|volume}}"]
    command: [--transport=stdio, "--mode={{notes.mode}}"]
    disableNetwork: true
    user: "1000"
    allowHosts: ["API.notes.example:443", "{{notes.language}}.notes.example"]
    env:
      - {name: NOTES_LANGUAGE, value: "{{notes.language}}"}
      - {name: FIXED, value: "1"}
    secrets:
      - {name: notes.token, env: NOTES_TOKEN, example: "<TOKEN>"}
    config:
      - name: notes
        properties: {folder: {type: string}, mode: {type: string}, language: {type: string, default: en}}
        required: [folder]
`;
const cloud = `  cloud:
    description: Notes in the cloud.
    type: remote
    remote:
      transport_type: streamable-http
      url: https://notes.example/mcp
      headers: {Authorization: "Bearer \${CLOUD_TOKEN}"}
    secrets: [{name: cloud.token, env: CLOUD_TOKEN}]
`;

async function start() {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp/catalog/v3/catalog.yaml`;
  const host = testHost();
  onTestFinished(() => host.dispose());
  return startCore([], { host, config: { registries: [{ name: 'docker', url }] } });
}

async function synced() {
  const trial = await start();
  await trial.core.handlers['registry.sync']({});
  return trial.core.handlers;
}

describe('A Docker catalog', () => {
  it('is listed, searched, and planned as the exact command, with its secrets in the environment only', async () => {
    catalog = `version: 3\nname: docker-mcp\nregistry:\n${notes}${cloud}`;
    const handlers = await synced();
    const { cards, total } = await handlers['registry.search']({ query: 'notes cloud', limit: 10 });
    expect([cards[0]?.name, total]).toEqual(['com.docker/cloud', 2]);
    const inputs = { folder: '/home/ada/n', mode: 'a b; rm', NOTES_TOKEN: 's3cret-of-the-user' };
    const plan = await handlers['registry.plan']({
      registry: 'docker',
      name: 'com.docker/notes',
      inputs,
      check: false,
    });
    expect(plan.refused).toBeUndefined();
    expect(plan.problems).toEqual({});
    expect(plan.command).toEqual([
      ...['docker', 'run', '-i', '--rm', '-e', 'NOTES_LANGUAGE', '-e', 'FIXED', '-e', 'NOTES_TOKEN'],
      ...['-v', '/home/ada/n:/home/ada/n', '-u', '1000', '--network', 'none', image],
      ...['--transport=stdio', '--mode=a b; rm'],
    ]);
    expect(plan.values).toEqual([
      { name: 'NOTES_LANGUAGE', value: 'en', isSecret: false },
      { name: 'FIXED', value: '1', isSecret: false },
      { name: 'NOTES_TOKEN', value: '‹NOTES_TOKEN›', isSecret: true },
    ]);
    expect([plan.files, plan.card.version]).toEqual([['/home/ada/n'], digest.slice(0, 12)]);
    const hosts = ['api.notes.example:443', '‹notes.language›.notes.example'];
    expect([plan.declaredHosts, plan.card.needs.hosts, plan.hosts]).toEqual([hosts, hosts, ['docker.io']]);
    const remote = await handlers['registry.plan']({
      registry: 'docker',
      name: 'com.docker/cloud',
      inputs: {},
      check: false,
    });
    expect(remote.values).toEqual([{ name: 'Authorization', value: 'Bearer ‹CLOUD_TOKEN›', isSecret: true }]);
  });

  it('replaces its list with each synchronization', async () => {
    catalog = `registry:\n${notes}${cloud}`;
    const handlers = await synced();
    catalog = `registry:\n${cloud}`;
    await handlers['registry.sync']({});
    expect(await handlers['registry.list']()).toMatchObject([{ entries: 1 }]);
  });

  const bomb = `    a: &a [x,x,x,x,x,x,x,x,x,x]\n    b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n    image: ${image}\n    c: [*b,*b,*b]\n`;
  it.each<[string, string]>([
    ['of 100 KB', `    image: ${image}\n    description: ${'x'.repeat(100_000)}\n`],
    ['with aliases that multiply', bomb],
    ['with 10,000 nested lines', `    image: ${image}\n    x: ${'- '.repeat(7_000)}\n`],
    ['nested 10,000 deep', `    image: ${image}\n    x: ${'['.repeat(10_000)}\n`],
    ['that is no YAML', `    image: ${image}\n   : - }\n\t@@@\n`],
    ['without an image', '    description: x\n'],
    ['that is a text', '    text\n'],
  ])('skips an entry %s, and keeps the others', async (_what, body) => {
    catalog = `registry:\n  evil:\n${body}${cloud}`;
    const handlers = await synced();
    const { cards } = await handlers['registry.search']({ query: '', limit: 10 });
    expect(cards.map(({ name }) => name)).toEqual(['com.docker/cloud']);
  });

  it.each<[string, () => void]>([
    [
      'is missing',
      () => {
        status = 404;
      },
    ],
    [
      'fails',
      () => {
        status = 500;
      },
    ],
    [
      'is another document',
      () => {
        catalog = '<!doctype html>';
      },
    ],
    [
      'is larger than 32 MB',
      () => {
        catalog = `registry:\n${'# x\n'.repeat(9_000_000)}`;
      },
    ],
  ])(
    'that %s leaves the old list',
    async (_what, change) => {
      catalog = `registry:\n${cloud}`;
      const handlers = await synced();
      change();
      await expect(handlers['registry.sync']({})).rejects.toMatchObject({ failure: { code: 'REGISTRY_UNREACHABLE' } });
      expect(await handlers['registry.list']()).toMatchObject([{ entries: 1 }]);
    },
    30_000,
  );
});

it('Entries of 16 KB with an error in every character are skipped before they are parsed', async () => {
  const body = `    {${'? '.repeat(8_150)}\n`;
  const tools = `    tools:\n${Array.from({ length: 250 }, (_, at) => `      - name: list_notes_${at}\n`).join('')}`;
  catalog = `registry:\n${Array.from({ length: 40 }, (_, at) => `  evil${at}:\n${body}`).join('')}${cloud}${tools}`;
  const { core } = await start();
  const before = cpuMs();
  await core.handlers['registry.sync']({});
  expect(cpuMs() - before).toBeLessThan(2_000);
  expect(await core.handlers['registry.list']()).toMatchObject([{ entries: 1 }]);
});

it('Many lines without an entry are read with pauses', () => {
  const found = [...entriesIn(`registry:\n${'# x\n'.repeat(5000)}  one:\n    image: x\n`)];
  expect(found).toEqual([...Array.from({ length: 5 }), { key: 'one', body: '    image: x\n' }]);
});

describe('An entry of a Docker catalog', () => {
  const text = { type: 'string' };
  const paths = { type: 'array', items: text, default: ['/Users/ada'] };
  const properties = { paths, path: text, numbers: { type: 'array', items: { type: 'number' } } };
  const config = [
    { name: 'x', properties, required: ['paths'] },
    { name: 'y', properties: { path: text, jira: { type: 'object', properties: { url: text }, required: ['url'] } } },
  ];
  const derived = (more: Json, inputs: Record<string, string> = {}) => {
    const item = fromDockerEntry('notes', { image, config, ...more }) as { server: Json };
    // As Toolkeep reads it from disk.
    return derive(JSON.parse(JSON.stringify(item.server)), inputs);
  };
  const run = ['docker', 'run', '-i', '--rm'];

  it('spreads a list over mounts and arguments, and asks for it once', () => {
    const more = {
      volumes: ['{{x.paths|volume|into}}'],
      command: ['{{x.paths|volume-target|into}}'],
      disableNetwork: true,
    };
    const two = derived(more, { paths: '/home/ada/a b\nC:\\Users\\ada' });
    expect(two.command).toEqual([
      ...[...run, '-v', '/home/ada/a b:/home/ada/a b', '-v', 'C:\\Users\\ada:/C/Users/ada', '--network', 'none'],
      ...[image, '/home/ada/a b', '/C/Users/ada'],
    ]);
    expect(two.fields).toEqual([
      { name: 'paths', label: 'paths', kind: 'multiline', required: true, default: '/Users/ada' },
    ]);
    expect(two.files).toEqual(['/home/ada/a b', 'C:\\Users\\ada']);
    expect(two.connection).toMatchObject({ args: two.command.slice(1) });
    const none = derived(more, { paths: '' });
    expect(none.problems).toEqual(new Map([['paths', 'Required.']]));
    expect(none.command).toEqual([...run, '-v', '‹paths›:‹paths›', '--network', 'none', image, '‹paths›']);
  });

  it.each<[string, Json, Record<string, string>, string[]]>([
    [
      'one value in two places',
      { volumes: ['{{x.path|volume}}'], command: ['{{x.path}}'] },
      { path: '/a' },
      ['-v', '/a:/a', image, '/a'],
    ],
    [
      'a value at another place of the container',
      { volumes: ['{{x.path|mount_as:/logs:ro}}'] },
      { path: '/a' },
      ['-v', '/a:/logs:ro', image],
    ],
    [
      'the target of a volume',
      { volumes: ['{{x.path|volume-target}}:/src'] },
      { path: 'D:\\a\\b' },
      ['-v', '/D/a/b:/src', image],
    ],
    [
      'values of two settings with the same key',
      { command: ['{{x.path}}', '{{y.path}}'] },
      { path: '1', 'y.path': '2' },
      [image, '1', '2'],
    ],
    ['a nested setting', { command: ['{{y.jira.url}}'] }, { 'jira.url': 'u' }, [image, 'u']],
    ['a nested setting without a value', { command: ['{{y.jira.url}}', 'x'] }, {}, [image, 'x']],
    ['a default in its template', { command: ['{{x.path|or:here}}'] }, {}, [image, 'here']],
    ['an empty list', { command: ['{{x.paths|or:[]|into}}', 'x'] }, { paths: '' }, [image, '‹paths›', 'x']],
    ['a host of its own', { extraHosts: ['db:10.0.0.1'] }, {}, ['--add-host', 'db:10.0.0.1', image]],
  ])('can use %s', (_what, more, inputs, words) => {
    expect(derived(more, inputs).command).toEqual([...run, ...words]);
  });

  it.each<[string, Json, string]>([
    ['spreads a list inside an argument', { command: ['--paths={{x.paths|into}}'] }, '{{x.paths|into}}'],
    ['spreads a list over a variable', { env: [{ name: 'A', value: '{{x.paths}}' }] }, '{{x.paths}}'],
    ['spreads a list of numbers', { command: ['{{x.numbers|into}}'] }, '{{x.numbers}}'],
    ['uses a part of a list', { command: ['{{x.paths|first}}'] }, '{{x.paths|first}}'],
    ['uses a filter that is not known', { command: ['{{x.path|shell}}'] }, '{{x.path|shell}}'],
    ['uses a value that it does not describe', { command: ['{{x.other}}'] }, '{{x.other}}'],
    ['uses a value of another server', { command: ['{{z.path}}'] }, '{{z.path}}'],
    ['uses a property of all objects', { volumes: ['{{x.__proto__|volume}}'] }, '{{x.__proto__}}'],
    ['uses a group of settings', { command: ['{{y.jira}}'] }, '{{y.jira}}'],
  ])('that %s is listed, and refused with that reason', (_what, more, reason) => {
    expect(derived(more).refused).toBe(`Toolkeep cannot fill in "${reason}", which the entry uses.`);
  });

  it('whose default list would become an endless command line is refused', () => {
    const default_ = Array.from({ length: 4000 }, () => 'a');
    const long = { name: 'x', properties: { paths: { ...paths, default: default_ } } };
    const item = fromDockerEntry('notes', { image, config: [long], command: Array(50).fill('{{x.paths|into}}') });
    expect(derive((item as { server: Json }).server).refused).toContain('too many values');
  });

  it('requires its only secret, and none of several', () => {
    const required = (...names: string[]) =>
      derived({ secrets: names.map((env) => ({ name: env, env })) }).fields.map((field) => field.required);
    expect([required('A_TOKEN'), required('A_TOKEN', 'B_TOKEN')]).toEqual([[true], [false, false]]);
  });

  it.each<[string, Json, string]>([
    ['mounts the socket of Docker', { volumes: ['/var/run/docker.sock:/var/run/docker.sock'] }, 'control of the whole'],
    ['has no exact version', { image: 'mcp/notes' }, 'no exact version'],
    ['sets a variable that loads code', { env: [{ name: 'DOCKER_HOST', value: 'tcp://evil' }] }, 'DOCKER_HOST'],
  ])('that %s is refused', (_what, more, reason) => {
    const item = fromDockerEntry('notes', { image, ...more }) as { server: Json };
    expect(derive(item.server).refused).toContain(reason);
  });
});

it('The catalog of Docker is off until the configuration names it', async () => {
  const { core } = await startCore([]);
  expect(await core.handlers['registry.list']()).toMatchObject([{ name: 'official' }]);
  const named = await startCore([], { config: { registries: ['official', 'docker'] } });
  expect(await named.core.handlers['registry.list']()).toMatchObject([
    { name: 'official', isWanted: false },
    { name: 'docker', url: 'https://desktop.docker.com/mcp/catalog/v3/catalog.yaml', isWanted: false },
  ]);
});
