/**
 * At each start: a server starts only if `npx` would run the package that was installed.
 *
 * @module-tag exhaustive
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { requireRecorded } from '../../../electron/core/registry/verify-start.ts';
import type { ServerConfig } from '../../../shared/model/server.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { type NpmRegistry, startNpmRegistry } from '../../fixtures/npm-registry.ts';

const identifier = '@modelcontextprotocol/server-filesystem';
const { version } = createRequire(import.meta.url)(`${identifier}/package.json`) as { version: string };
const target = `${identifier}@${version}`;
const other = `sha512-${Buffer.alloc(64).toString('base64')}`;

let npm: NpmRegistry;
let host: TestHost;
let integrity: string;
beforeEach(async () => {
  npm = await startNpmRegistry();
  host = testHost();
  writeFileSync(join(host.homeDir, '.npmrc'), `registry=${npm.url}\n`);
  const manifest = (await (await fetch(`${npm.url}/${identifier}/${version}`)).json()) as {
    dist: { integrity: string };
  };
  integrity = manifest.dist.integrity;
});
afterEach(async () => {
  await npm.close();
  host.dispose();
});

const config = (recorded: string | undefined): ServerConfig => ({
  ...{ name: 'files', enabled: true },
  connection: { type: 'stdio', command: 'npx', args: ['-y', target, host.homeDir], env: {} },
  registry: {
    ...{ registry: 'https://r.example', name: 'io.github.acme/files', version: '1', option: 'npm', target, inputs: {} },
    ...(recorded !== undefined && { integrity: recorded }),
  },
});
const start = (recorded: string | undefined) => startCore([config(recorded)], { host });
const restart = async ({ core }: CoreTrial) => core.handlers['servers.restart']({ server: 'files' });
const folder = () => {
  const parent = join(host.homeDir, '.npm/_npx');
  return join(parent, readdirSync(parent)[0] as string);
};
const ready = { status: 'ready' };
const unverified = (...parts: string[]) => ({
  status: 'failed',
  failure: {
    code: 'PACKAGE_UNVERIFIED',
    server: 'files',
    message: expect.stringMatching(parts.join('.*')),
    hint: expect.any(String),
  },
});

it('A package starts without a network check, unless npx stores it with another hash', async () => {
  const trial = await start(integrity);
  expect(await restart(trial)).toMatchObject(ready);
  npm.extra.set(identifier, { dist: { integrity: other } });
  expect(await restart(trial)).toMatchObject(ready);

  const list = join(folder(), 'node_modules/.package-lock.json');
  const content = JSON.parse(readFileSync(list, 'utf8'));
  for (const one of [other, undefined]) {
    content.packages[`node_modules/${identifier}`].integrity = one;
    writeFileSync(list, JSON.stringify(content));
    expect(await restart(trial)).toMatchObject(unverified(target, folder()));
  }
  npm.extra.clear();
  rmSync(folder(), { recursive: true });
  await requireRecorded(config(integrity), host);
}, 180_000);

it('A package that changed in the npm registry is not downloaded', async () => {
  npm.extra.set(identifier, { dist: { integrity: other } });
  const trial = await start(integrity);
  expect(await restart(trial)).toMatchObject(unverified(new URL(npm.url).host, target));
  expect(npm.requests.filter((path) => path.endsWith('.tgz'))).toEqual([]);
});

it('A package that npm no longer has is not started', async () => {
  const trial = await start(integrity);
  npm.extra.set(identifier, { dist: {} });
  expect(await restart(trial)).toMatchObject(unverified(new URL(npm.url).host, 'no longer offers'));
});

it('A package that must be downloaded is not started while npm does not respond', async () => {
  writeFileSync(join(host.homeDir, '.npmrc'), 'registry=http://127.0.0.1:9/\n');
  const trial = await start(integrity);
  expect(await restart(trial)).toMatchObject(unverified('did not confirm'));
});

it('A server without a recorded hash, or with a command that the user edited, is not checked', async () => {
  const edited = config(other);
  const connection = { ...edited.connection, args: ['-y', identifier, host.homeDir] } as ServerConfig['connection'];
  await requireRecorded(config(undefined), host);
  await requireRecorded({ ...edited, connection }, host);
  expect(npm.requests.slice(1)).toEqual([]);
});
