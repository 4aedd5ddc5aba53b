/**
 * Packages that do not match their entry, or no longer match the installed one: each is refused with a reason.
 *
 * @module-tag exhaustive
 */
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { planInstall } from '../../../electron/core/registry/plan.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { type NpmRegistry, startNpmRegistry } from '../../fixtures/npm-registry.ts';
import { startImages, startPypi } from '../../fixtures/package-registries.ts';
import { entryOf, type Json, pkg } from '../../fixtures/registry-entries.ts';

const own = 'io.github.acme/notes';
const label = 'io.modelcontextprotocol.server.name';
const identifier = '@modelcontextprotocol/server-filesystem';
const { version } = createRequire(import.meta.url)(`${identifier}/package.json`) as { version: string };
const [one, two] = ['1', '2'].map((digit) => digit.repeat(64)) as [string, string];

let host: TestHost;
let npm: NpmRegistry;
let pypi: Awaited<ReturnType<typeof startPypi>>;
let images: Awaited<ReturnType<typeof startImages>>;
beforeEach(async () => {
  host = testHost();
  [npm, pypi, images] = await Promise.all([startNpmRegistry(), startPypi(), startImages()]);
  writeFileSync(join(host.homeDir, '.npmrc'), `registry=${npm.url}\n`);
  mkdirSync(join(host.homeDir, '.config/uv'), { recursive: true });
  writeFileSync(join(host.homeDir, '.config/uv/uv.toml'), `index-url = "http://${pypi.host}/simple"\n`);
  npm.extra.set(identifier, { mcpName: own });
  readme(`Notes.\n<!-- mcp-name: ${own} -->`);
  images.push('1', { labels: { [label]: own } });
});
afterEach(async () => {
  await Promise.all([npm.close(), pypi.close(), images.close()]);
  host.dispose();
});

const readme = (description: string, files: unknown[] = [one, two], yanked = false) =>
  void pypi.packages.set('acme-notes/1.2.3', { description, files, yanked });
const filesystem = () => pkg('npm', identifier, { version });
const notes = () => pkg('pypi', 'acme-notes');
const image = (reference = ':1') => pkg('oci', `${images.host}/acme/notes${reference}`, { version: '' });

async function plan(server: Json, servers: ServerConfig[] = [], replace?: ServerConfig, url = 'http://127.0.0.1') {
  const { plan: planned, origin } = await planInstall(
    {
      registry: { name: 'test', url },
      ...{ entry: entryOf(server), inputs: {}, servers, taken: new Set<string>(), hasSecret: () => false, check: true },
      confinement: async () => undefined,
      replace,
    },
    host,
  );
  return { planned, origin };
}

/** Resolves with the servers that Toolkeep would store after the user confirmed the plan. */
async function installed(server: Json): Promise<ServerConfig[]> {
  const { planned, origin } = await plan(server);
  expect([planned.refused, planned.integrity]).toEqual([undefined, expect.any(String)]);
  const connection = { type: 'stdio' as const, command: 'x', args: [], env: {} };
  return [{ name: 'notes', enabled: true, connection, registry: origin }];
}

describe('A package that belongs to its entry and has not changed', () => {
  it.each<[string, () => Json, () => unknown]>([
    ['of npm', filesystem, () => undefined],
    ['of PyPI', notes, () => undefined],
    [
      'of PyPI with another file for a further platform',
      notes,
      () => readme(`mcp-name: ${own}.`, [one, two, '3'.repeat(64)]),
    ],
    ['of PyPI whose README names two entries', notes, () => readme(`mcp-name: io.github.acme/more, mcp-name: ${own}`)],
    ['of an image', image, () => undefined],
  ])('%s is confirmed, and can be installed again', async (_what, server, change) => {
    const servers = await installed(server());
    change();
    const { planned } = await plan(server(), servers);
    expect(planned).toMatchObject({ ownership: { state: 'confirmed' } });
    expect(planned.refused).toBeUndefined();
  });

  it('of a private index that describes no package is marked as unknown', async () => {
    pypi.packages.clear();
    const { planned } = await plan(notes());
    expect(planned.ownership).toMatchObject({ state: 'unknown', detail: expect.stringContaining('does not describe') });
    expect(planned.refused).toBeUndefined();
  });

  it('of Go on GitHub is confirmed by its owner', async () => {
    const { planned } = await plan(pkg('go', 'github.com/Acme/notes', { version: 'v1.2.3' }));
    expect(planned).toMatchObject({ ownership: { state: 'confirmed' } });
  });

  it.each<[string, () => Json, () => unknown]>([
    ['of npm', filesystem, () => npm.extra.set(identifier, { mcpName: undefined })],
    ['of PyPI', notes, () => readme('No mark.')],
    ['of an image', image, () => images.push('1', {})],
  ])('%s that names no entry is marked as unknown', async (_what, server, change) => {
    change();
    const { planned } = await plan(server());
    expect(planned.ownership).toMatchObject({ state: 'unknown', detail: expect.stringContaining('does not say') });
  });
});

it('The plan of an update redacts secrets of the connection that it replaces', async () => {
  const [server] = await installed(filesystem());
  const connection = { type: 'stdio' as const, command: 'x', args: [], env: { API_KEY: 'plain-s3cret-of-the-user' } };
  const replace = { ...(server as ServerConfig), connection };
  const { planned } = await plan(filesystem(), [], replace);
  expect(planned.changes).toContainEqual({ what: 'variable', before: expect.stringMatching(/^API_KEY=/) });
  expect(JSON.stringify(planned)).not.toContain('plain-s3cret');
});

it.each(['127.0.0.1', 'localhost'])(
  'An image on %s that a public registry lists is not looked up',
  async (hostname) => {
    const server = pkg('oci', `${images.host.replace('127.0.0.1', hostname)}/acme/notes:1`);
    const { planned } = await plan(server, [], undefined, 'https://r.example');
    const detail = expect.stringContaining('did not contact');
    expect(planned.ownership).toEqual({ state: 'unknown', detail });
    expect(images.requests).toEqual([]);
  },
);

it('A registry of images cannot send Toolkeep to an address in the user’s network', async () => {
  const contacted: string[] = [];
  const challenge = 'Bearer realm="https://192.168.1.1/admin?do=delete"';
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async (address) => {
    contacted.push(new URL(String(address)).host);
    return new Response('{}', { status: 401, headers: { 'www-authenticate': challenge } });
  });
  try {
    const { planned } = await plan(pkg('oci', 'ghcr.io/acme/notes:1'), [], undefined, 'https://r.example');
    expect(planned.ownership.state).toBe('unknown');
  } finally {
    fetch.mockRestore();
  }
  expect(contacted).toEqual(['ghcr.io']);
});

describe('A package with a description that could block Core', () => {
  const long = 'x'.repeat(600_000);
  it.each<[string, () => Json, () => unknown]>([
    ['of npm', filesystem, () => npm.extra.set(identifier, { mcpName: own, long })],
    ['of PyPI', notes, () => readme(`mcp-name: ${own} ${long}`)],
    ['of an image', image, () => images.push('1', { labels: { [label]: own, long } })],
    ['of an image in its annotations', image, () => images.push('1', { annotations: { [label]: own, long } })],
  ])('%s is not read', async (_what, server, change) => {
    change();
    const { planned } = await plan(server());
    expect(planned.ownership).toMatchObject({
      state: 'unknown',
      detail: expect.stringContaining('sent more data about'),
    });
  });
});

const belongs = 'belongs to another entry';
const differs = 'its content changed, but its version did not';
const lost = 'cannot be compared with the package that was installed';

describe('A package is refused at its first installation', () => {
  it.each<[string, () => Json, () => unknown, string]>([
    ['npm: another entry', filesystem, () => npm.extra.set(identifier, { mcpName: 'io.github.evil/notes' }), belongs],
    ['npm: a longer name', filesystem, () => npm.extra.set(identifier, { mcpName: `${own}-pro` }), belongs],
    ['npm: other capitals', filesystem, () => npm.extra.set(identifier, { mcpName: 'io.github.Acme/notes' }), belongs],
    ['npm: a blank more', filesystem, () => npm.extra.set(identifier, { mcpName: `${own} ` }), belongs],
    [
      'npm: no such version',
      () => pkg('npm', identifier, { version: '0.0.1' }),
      () => undefined,
      `has no ${identifier}@0.0.1`,
    ],
    ['npm: no such package', () => pkg('npm', 'no-such-package'), () => undefined, 'has no no-such-package'],
    [
      'npm: another package registry',
      () => pkg('npm', identifier, { version, registryBaseUrl: 'https://evil.example' }),
      () => undefined,
      'evil.example',
    ],
    ['npm: a range', () => pkg('npm', identifier, { version: '1.x' }), () => undefined, 'no exact version'],
    ['PyPI: another entry', notes, () => readme('mcp-name: io.github.evil/notes'), belongs],
    ['PyPI: a longer name', notes, () => readme(`mcp-name: ${own}-pro`), belongs],
    ['PyPI: a name below', notes, () => readme(`mcp-name: ${own}.pro`), belongs],
    ['PyPI: other capitals', notes, () => readme('mcp-name: io.github.ACME/notes'), belongs],
    ['PyPI: withdrawn', notes, () => readme(`mcp-name: ${own}`, [one], true), 'withdrawn by its publisher'],
    [
      'PyPI: no such version',
      () => pkg('pypi', 'acme-notes', { version: '1.2.4' }),
      () => undefined,
      'has no acme-notes 1.2.4',
    ],
    ['image: another entry', image, () => images.push('1', { labels: { [label]: 'io.github.evil/notes' } }), belongs],
    [
      'image: another entry in its annotations',
      image,
      () => images.push('1', { annotations: { [label]: 'io.github.evil/notes' } }),
      belongs,
    ],
    ['image: a longer name', image, () => images.push('1', { labels: { [label]: `${own}-pro` } }), belongs],
    ['image: no such tag', () => image(':2'), () => undefined, 'has no acme/notes:2'],
    ['image: no such digest', () => image(`@sha256:${one}`), () => undefined, 'has no acme/notes:sha256:1'],
    [
      'image: another manifest under its digest',
      () => {
        const { index, manifest } = images.push('1', {});
        images.content.set(index, images.content.get(manifest) as string);
        return image(`@${index}`);
      },
      () => undefined,
      'that does not have the digest',
    ],
    [
      'image: another platform under its digest',
      image,
      () => {
        images.content.set(images.push('1', { labels: { [label]: own } }).manifest, '{}');
      },
      'that does not have the digest',
    ],
    [
      'image: other labels under their digest',
      image,
      () => {
        images.content.set(images.push('1', {}).config, JSON.stringify({ config: { Labels: { [label]: own } } }));
      },
      'that does not have the digest',
    ],
    [
      'Go: another owner',
      () => pkg('go', 'github.com/evil/notes', { version: 'v1.2.3' }),
      () => undefined,
      'belongs to evil',
    ],
    ['entry: withdrawn', () => ({ ...filesystem(), status: 'deleted' }), () => undefined, 'The entry was withdrawn'],
  ])('%s', async (_what, server, change, reason) => {
    change();
    const { planned } = await plan(server());
    expect(planned.refused).toContain(reason);
    expect(planned.hash).toBeUndefined();
  });
});

describe('A package is refused once its hash was recorded', () => {
  const integrityOf = () =>
    `sha512-${hash('sha512', npm.tarballs.get(`${identifier}@${version}`) as Buffer, 'base64')}`;
  const npmHash = (integrity: unknown) => npm.extra.set(identifier, { mcpName: own, dist: { integrity } });
  it.each<[string, () => Json, () => unknown, string]>([
    ['npm: another tarball', filesystem, () => npm.tarballs.set(`${identifier}@${version}`, gzipSync('evil')), differs],
    ['npm: another hash', filesystem, () => npmHash(`sha512-${one}`), differs],
    ['npm: another hash beside the recorded one', filesystem, () => npmHash(`${integrityOf()} sha512-${one}`), differs],
    ['npm: a weaker hash', filesystem, () => npmHash('sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk='), differs],
    ['npm: no hash', filesystem, () => npmHash(undefined), lost],
    ['npm: no answer', filesystem, () => npm.close(), lost],
    ['npm: another entry', filesystem, () => npm.extra.set(identifier, { mcpName: 'io.github.evil/notes' }), belongs],
    ['PyPI: another hash', notes, () => readme(`mcp-name: ${own}`, [one, '3'.repeat(64)]), differs],
    ['PyPI: a file is gone', notes, () => readme(`mcp-name: ${own}`, [two]), differs],
    ['PyPI: no hash', notes, () => readme(`mcp-name: ${own}`, []), lost],
    ['PyPI: a malformed hash', notes, () => readme(`mcp-name: ${own}`, [one, 'evil']), lost],
    ['PyPI: no answer', notes, () => pypi.close(), lost],
    ['PyPI: another entry', notes, () => readme('mcp-name: io.github.evil/notes'), belongs],
    [
      'image: another image under its tag',
      image,
      () => images.push('1', { labels: { [label]: own, more: 'x' } }),
      differs,
    ],
    ['image: no answer', image, () => images.close(), lost],
  ])('%s', async (_what, server, change, reason) => {
    const entry = server();
    const servers = await installed(entry);
    await change();
    const { planned } = await plan(entry, servers);
    expect(planned.refused).toContain(reason);
    expect(planned.hash).toBeUndefined();
  });
});
