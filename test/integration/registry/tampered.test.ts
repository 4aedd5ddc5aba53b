/**
 * Packages that do not match their entry, or no longer match the installed one: each is refused with a reason.
 *
 * @module-tag exhaustive
 */
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { planInstall } from '../../../electron/core/registry/plan.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { type NpmRegistry, startNpmRegistry } from '../../fixtures/npm-registry.ts';
import { entryOf, type Json, pkg } from '../../fixtures/registry-entries.ts';

const own = 'io.github.acme/notes';
const identifier = '@modelcontextprotocol/server-filesystem';
const { version } = createRequire(import.meta.url)(`${identifier}/package.json`) as { version: string };
const one = '1'.repeat(64);

let host: TestHost;
let npm: NpmRegistry;
beforeEach(async () => {
  host = testHost();
  npm = await startNpmRegistry();
  writeFileSync(join(host.homeDir, '.npmrc'), `registry=${npm.url}\n`);
  npm.extra.set(identifier, { mcpName: own });
});
afterEach(async () => {
  await npm.close();
  host.dispose();
});

const filesystem = () => pkg('npm', identifier, { version });

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
  it('of npm is confirmed, and can be installed again', async () => {
    const servers = await installed(filesystem());
    const { planned } = await plan(filesystem(), servers);
    expect(planned).toMatchObject({ ownership: { state: 'confirmed' } });
    expect(planned.refused).toBeUndefined();
  });

  it('of Go on GitHub is confirmed by its owner', async () => {
    const { planned } = await plan(pkg('go', 'github.com/Acme/notes', { version: 'v1.2.3' }));
    expect(planned).toMatchObject({ ownership: { state: 'confirmed' } });
  });

  it('of npm that names no entry is marked as unknown', async () => {
    npm.extra.set(identifier, { mcpName: undefined });
    const { planned } = await plan(filesystem());
    expect(planned.ownership).toMatchObject({ state: 'unknown', detail: expect.stringContaining('does not say') });
  });
});

it.each([
  ['PyPI', pkg('pypi', 'acme-notes')],
  ['an image', pkg('oci', 'ghcr.io/acme/notes:1', { version: '' })],
])('A package of %s is marked as unknown, can be installed, and is not looked up', async (_what, server) => {
  const fetch = vi.spyOn(globalThis, 'fetch');
  try {
    const { planned } = await plan(server);
    expect(planned).toMatchObject({ ownership: { state: 'unknown', detail: expect.stringContaining('cannot check') } });
    expect(planned).not.toHaveProperty('refused');
    expect(planned).not.toHaveProperty('integrity');
    expect(fetch).not.toHaveBeenCalled();
  } finally {
    fetch.mockRestore();
  }
});

it('The plan of an update redacts secrets of the connection that it replaces', async () => {
  const [server] = await installed(filesystem());
  const connection = { type: 'stdio' as const, command: 'x', args: [], env: { API_KEY: 'plain-s3cret-of-the-user' } };
  const replace = { ...(server as ServerConfig), connection };
  const { planned } = await plan(filesystem(), [], replace);
  expect(planned.changes).toContainEqual({ what: 'variable', before: expect.stringMatching(/^API_KEY=/) });
  expect(JSON.stringify(planned)).not.toContain('plain-s3cret');
});

it('A package with a description that could block Core is not read', async () => {
  npm.extra.set(identifier, { mcpName: own, long: 'x'.repeat(600_000) });
  const { planned } = await plan(filesystem());
  expect(planned.ownership).toMatchObject({
    state: 'unknown',
    detail: expect.stringContaining('sent more data about'),
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
  ])('%s', async (_what, server, change, reason) => {
    const entry = server();
    const servers = await installed(entry);
    await change();
    const { planned } = await plan(entry, servers);
    expect(planned.refused).toContain(reason);
    expect(planned.hash).toBeUndefined();
  });
});
