/**
 * The npm package: packed, and started with npx in an empty folder, with an empty home and without other registries than our own.
 *
 * @module-tag exhaustive
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../fixtures/commands.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'toolkeep-npm-'));
const checkout = join(folder, 'checkout');
const home = join(folder, 'home');
const empty = join(folder, 'empty');
const archive = join(folder, 'toolkeep.tgz');
/** npm also runs on this Node. */
const bin = join(folder, 'bin');
const env = {
  PATH: [bin, process.env.PATH].join(delimiter),
  HOME: home,
  TOOLKEEP_NO_SHELL_ENV: '1',
  TOOLKEEP_IDLE_EXIT_MS: '2000',
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
};
const run = promisify(execFile);
const manifest = () => JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));

beforeAll(async () => {
  for (const path of [home, empty, bin, join(home, '.toolkeep')]) mkdirSync(path, { recursive: true });
  symlinkSync(process.execPath, join(bin, 'node'));
  for (const path of ['package.json', 'README.md', 'LICENSE', 'build', 'dist', 'models', 'node_modules/jiti'])
    cpSync(join(root, path), join(checkout, path), { recursive: true, dereference: true });
  const before = manifest();
  await run(process.execPath, ['build/npm-package.mjs'], { cwd: checkout });
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: checkout,
    env,
  });
  const [packed] = Object.values(JSON.parse(stdout)) as { filename: string }[];
  cpSync(join(folder, packed?.filename ?? ''), archive);
  await run(process.execPath, ['build/npm-package.mjs', '--restore'], { cwd: checkout });
  expect(manifest()).toEqual(before);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

/** A registry with only this package. `asked`: the names of all packages that a client asked for. */
async function startRegistry() {
  const asked: string[] = [];
  const packed = readFileSync(archive);
  const integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`;
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? '');
    asked.push(name);
    if (name === 'toolkeep.tgz') return response.end(packed);
    response.setHeader('content-type', 'application/json');
    if (name !== 'toolkeep') return response.writeHead(404).end('{}');
    const one = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
    const dist = { tarball: `${url}toolkeep.tgz`, integrity };
    const versions = { [one.version]: { ...one, dist } };
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: one.version }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, asked, close: () => server.close() };
}

describe('The npm package', () => {
  it('contains only what the command line needs, and installs only native code', async () => {
    const files = (await run('tar', ['-tzf', archive])).stdout.trim().split('\n');
    for (const file of ['bridge.cjs', 'cli.js', 'headless.js', 'plugin.js', 'renderer/index.html'])
      expect(files).toContain(`package/dist/${file}`);
    const allowed = /^package\/(?:dist|models\/search|node_modules\/jiti|build\/toolkeep\.cjs|[A-Za-z]+(?:\.\w+)?$)/;
    expect(files.filter((file) => !allowed.test(file))).toEqual([]);
    expect(files.filter((file) => /\.(?:map|tsx?)$|main\.js$/.test(file) && !file.includes('/jiti/'))).toEqual([]);
    await run('tar', ['-xzf', archive], { cwd: folder });
    const packed = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
    expect(Object.keys(packed.dependencies)).toEqual(packed.bundleDependencies);
    expect(packed.private).toBeUndefined();
    expect(JSON.stringify(packed)).not.toContain('.invalid');
    // Every import that is not bundled is installed.
    const imports = files
      .filter((file) => /^package\/dist\/.*\.(?:js|cjs)$/.test(file) && !file.includes('/renderer/'))
      .flatMap((file) => [
        ...readFileSync(join(folder, file), 'utf8').matchAll(/(?:from|import|import\()["'`](\.{1,2}\/[^"'`]+)["'`]/g),
      ])
      .map(([, target]) => target?.split('/').at(-1));
    for (const name of imports) expect(files.map((file) => file.split('/').at(-1))).toContain(name);
  });

  it('serves MCP with `npx … connect`: a client lists the tools and calls one', async () => {
    const servers = JSON.stringify({ github: commands.github() });
    writeFileSync(
      join(home, '.toolkeep/config.ts'),
      `import { defineConfig } from 'toolkeep/config';\nexport default defineConfig({ servers: ${servers} as object as never });\n`,
    );
    const client = new Client({ name: 'npx', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: 'npx', args: ['-y', `file:${archive}`, 'connect'], env, cwd: empty }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('execute_tool');
    const call = { server: 'github', tool: 'list_repos', arguments: {} };
    const result = await client.callTool({ name: 'execute_tool', arguments: call });
    expect(result.isError, JSON.stringify(result)).not.toBe(true);
    expect(result.content).toEqual([{ type: 'text', text: '[]' }]);
    await client.close();
    await expect.poll(() => existsSync(join(home, '.toolkeep/run/core.json'))).toBe(false);
  });

  it('is the only package that `npx toolkeep` fetches, besides its native ones, with and without a cache', {
    timeout: 120_000,
  }, async () => {
    const registry = await startRegistry();
    try {
      const online = {
        ...env,
        npm_config_offline: 'false',
        npm_config_registry: registry.url,
        npm_config_cache: join(folder, 'npx-cache'),
        npm_config_audit: 'false',
      };
      const npx = (...args: string[]) => run('npx', ['-y', ...args], { env: online, cwd: empty });
      const { version, optionalDependencies } = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
      expect((await npx('toolkeep', '--version')).stdout.trim()).toBe(version);
      expect((await npx('toolkeep@latest', 'status')).stdout).toContain(`Toolkeep ${version}`);
      const known = ['toolkeep', 'toolkeep.tgz', ...Object.keys(optionalDependencies)];
      expect(registry.asked.filter((name) => !known.includes(name))).toEqual([]);
      expect(registry.asked.filter((name) => name === 'toolkeep.tgz')).toHaveLength(1);
    } finally {
      registry.close();
    }
  });

  it('installs no second Node, and tells a user of an older one what to install', async () => {
    const packed = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
    expect(packed.engines).toEqual({ node: '>=24' });
    expect(Object.keys(packed.optionalDependencies)).toEqual(['@napi-rs/keyring']);
    const older = join(folder, 'older.cjs');
    writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '20.19.0' });");
    const launcher = join(folder, 'package/build/toolkeep.cjs');
    const refused = await run(process.execPath, ['-r', older, launcher, 'list'], { env, cwd: empty }).catch(
      (error) => error,
    );
    const message = expect.stringMatching(
      /^Toolkeep needs Node 24; this is v\S+\. Install it from https:\/\/nodejs\.org and try again\.\n$/,
    );
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: message });
  });
});
