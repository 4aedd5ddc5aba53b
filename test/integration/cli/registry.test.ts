/**
 * `toolkeep registry`: from an empty list to a called tool, and the refusals, as text and as JSON.
 *
 * @module-tag exhaustive
 */
import { chmodSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProduct } from '../../e2e/product.ts';
import { runCli } from '../../fixtures/cli-in-process.ts';
import { type NpmRegistry, startNpmRegistry } from '../../fixtures/npm-registry.ts';
import { type FakeRegistry, npmPackage, registryItem, startRegistry } from '../../fixtures/registry.ts';

const require = createRequire(import.meta.url);
const { version } = require('@modelcontextprotocol/server-filesystem/package.json') as { version: string };
const filesystem = '@modelcontextprotocol/server-filesystem';
const name = 'io.github.acme/files';

const product = newProduct();
let registry: FakeRegistry;
let npm: NpmRegistry;

const item = (release: string, more: Record<string, unknown> = {}) =>
  registryItem(
    name,
    {
      description: 'Reads and writes the files in a folder.',
      version: release,
      packages: [
        npmPackage(filesystem, version, {
          packageArguments: [{ type: 'positional', valueHint: 'folder', format: 'filepath', isRequired: true }],
          environmentVariables: [{ name: 'FILES_TOKEN' }],
        }),
      ],
    },
    more,
  );

beforeAll(async () => {
  [registry, npm] = await Promise.all([startRegistry([item('1.0.0')]), startNpmRegistry()]);
  npm.extra.set(filesystem, { mcpName: name });
  product.file('passphrase', 'for this test');
  chmodSync(join(product.home, 'passphrase'), 0o600);
  product.env.TOOLKEEP_PASSPHRASE_FILE = join(product.home, 'passphrase');
  product.file('.npmrc', `registry=${npm.url}\n`);
  product.file('.toolkeep/config.json', { registries: [{ name: 'test', url: registry.url }] });
});
afterAll(() => Promise.all([product.dispose(), registry.close(), npm.close()]));

const run = (...args: string[]) => runCli(product, 'registry', ...args);
const input = ['--input', `folder=${product.home}`];

describe.sequential('toolkeep registry', () => {
  it('contacts no registry before the user requests it, and names the command', async () => {
    const { code, stderr } = await run('search', 'files');
    expect([code, stderr]).toEqual([2, expect.stringContaining('toolkeep registry update')]);
    expect(registry.requests).toEqual([]);
  });

  it('finds and shows a server', async () => {
    expect((await run('update')).stdout).toBe('No server was installed from a registry.\n');
    const { stdout } = await run('search', 'files', 'folder');
    expect(stdout).toContain(
      [
        'io.github.acme/files 1.0.0',
        '  Reads and writes the files in a folder.',
        '  runs with npx · needs 1 secret · needs 1 path · published 2026-01-10',
      ].join('\n'),
    );
    expect(JSON.parse((await run('search', 'files', '--json')).stdout).servers).toMatchObject([{ name }]);
    const shown = (await run('show', name)).stdout;
    expect(shown).toContain(`  Command: npx -y ${filesystem}@${version} ‹folder›\n`);
    expect(shown).toContain('  folder (file, required)\n');
    expect((await run('show', 'io.github.acme/none')).code).toBe(2);
  });

  it('installs nothing if the inputs or the confirmation are missing, or if a secret is on the command line', async () => {
    expect(await run('add', name, '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('folder: Required.'),
    });
    expect(await run('add', name, ...input)).toMatchObject({ code: 1, stderr: expect.stringContaining('Pass --yes') });
    expect(await run('add', name, ...input, '--input', 'FILES_TOKEN=x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--input-file FILES_TOKEN=FILE'),
    });
    const dry = JSON.parse((await run('add', name, ...input, '--dry-run', '--json')).stdout);
    expect(dry).toMatchObject({ plan: { ownership: { state: 'confirmed' }, hash: expect.any(String) } });
    expect(JSON.parse((await runCli(product, 'list', '--json')).stdout)).not.toContainEqual(
      expect.objectContaining({ id: 'files' }),
    );
  });

  it('installs a server as shown, and its tools run', async () => {
    product.file('token', 'secret-from-a-file\n');
    const { code, stdout } = await run(
      'add',
      name,
      ...input,
      '--input-file',
      `FILES_TOKEN=${join(product.home, 'token')}`,
      '--yes',
    );
    expect(stdout).toContain('  FILES_TOKEN=‹FILES_TOKEN› (in the vault)\n');
    expect(stdout).toMatch(/✓ Installed files: \d+ tools\./);
    expect(stdout).not.toContain('secret-from-a-file');
    expect(code).toBe(0);
    const called = await runCli(product, 'execute', 'files', 'list_allowed_directories', '--args', '{}');
    expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining(product.home) });
  }, 90_000);

  it('shows and installs a new version', async () => {
    const updatedAt = new Date(Date.now() + 60_000).toISOString();
    registry.items = [item('1.1.0', { updatedAt })];
    expect((await run('update')).stdout).toContain('files io.github.acme/files 1.0.0: 1.1.0 is available');
    const { stdout } = await run('update', 'files', '--yes');
    expect(stdout).toContain('Replaces files 1.0.0:');
    expect(stdout).toContain('What changes:\n  only the version\n');
    expect(stdout).toMatch(/✓ Installed files: \d+ tools\./);
    expect((await run('update')).stdout).toContain('files io.github.acme/files 1.1.0 (previously 1.0.0): latest');
    expect(await run('update', 'nothing')).toMatchObject({ code: 2 });
  }, 90_000);

  it('reverts to the previous version, and updates again', async () => {
    expect(await run('revert', 'files')).toMatchObject({ code: 1, stderr: expect.stringContaining('Pass --yes') });
    expect(await run('revert', 'files', '--yes')).toMatchObject({ stdout: 'Reverted files to version 1.0.0.\n' });
    expect((await run('update')).stdout).toContain('files io.github.acme/files 1.0.0: 1.1.0 is available');
    expect(await run('revert', 'files', '--yes')).toMatchObject({ code: 1 });
    const { plan } = JSON.parse((await run('update', 'files', '--yes', '--json')).stdout);
    expect(plan.replaces).toBe('1.0.0');
  }, 90_000);
});
