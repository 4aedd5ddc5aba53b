/**
 * `toolkeep bundle add`: from a file to a called tool, and a hostile file that leaves nothing behind.
 *
 * @module-tag exhaustive
 */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { newProduct } from '../../e2e/product.ts';
import { manifestFile, zipOf } from '../../fixtures/bundle.ts';

const product = newProduct();
afterAll(() => product.dispose());

const manifest = {
  manifest_version: '0.3',
  name: 'tiny-server',
  display_name: 'Tiny',
  version: '1.0.0',
  description: 'Tells its process.',
  author: { name: 'Ada' },
  server: {
    type: 'node',
    entry_point: 'server/index.mjs',
    mcp_config: { command: 'node', args: ['${__dirname}/server/index.mjs', '${user_config.log}'] },
  },
  user_config: { log: { type: 'file', title: 'Log file', description: 'Where to log.', required: true } },
};
const server = readFileSync(join(import.meta.dirname, '../../fixtures/tiny.mjs'));
const add = (file: string, ...args: string[]) => product.cli('bundle', 'add', file, ...args);
const bundles = () => join(product.home, '.toolkeep/bundles');

it("A bundle is shown, installed, and run by Toolkeep's own Node.js, without a Node.js on the PATH", async () => {
  const file = join(product.home, 'tiny.mcpb');
  writeFileSync(file, zipOf([manifestFile(manifest), { name: 'server/index.mjs', content: server }]));
  const log = join(product.home, 'log.txt');
  product.env.PATH = '/nonexistent';

  const shown = await add(file, '--dry-run');
  expect(shown.stdout).toContain('  log (file, required): Where to log.\n');
  expect(shown.stdout).toContain('? Toolkeep cannot check who made a bundle. Author stated in the manifest: Ada.');
  expect(existsSync(bundles())).toBe(false);
  expect(await add(file, '--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('log: Required.') });

  const [input, sha256] = [`log=${log}`, hash('sha256', readFileSync(file))];
  expect(await add(file, '--yes', '--input', input, '--sha256', 'a1'.repeat(32))).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`The SHA-256 of the file is ${sha256}, not a1a1`),
  });
  expect(existsSync(bundles())).toBe(false);
  const { stdout } = await add(file, '--yes', '--input', input, '--sha256', sha256.toUpperCase());
  expect(stdout).toMatch(/Command: node \S+bundles\S+index.mjs \S+log\.txt\n/);
  expect(stdout).toContain('Installed tiny: 1 tool.');
  expect(readFileSync(log, 'utf8')).toMatch(/^\d+\n/);
  expect(readdirSync(join(bundles(), 'tiny-server'))).toEqual([expect.stringMatching(/^1\.0\.0-[a-f0-9]{32}$/)]);
  const called = await product.cli('execute', 'tiny', 'pid', '--args', '{}');
  expect(called).toMatchObject({ code: 0, stdout: expect.stringMatching(/\d+/) });
}, 60_000);

it('A newer bundle of an installed server is an update that can be reverted', async () => {
  const file = join(product.home, 'newer.mcpb');
  const text = server.toString().replace('Reads its pid.', 'Reads the number of its process.');
  const newer = { ...manifest, version: '1.1.0' };
  writeFileSync(file, zipOf([manifestFile(newer), { name: 'server/index.mjs', content: text }]));
  const shown = await add(file, '--dry-run');
  expect(shown.stdout).toContain('What changes:');
  const { code, stdout } = await add(file, '--yes');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Installed tiny: 1 tool.') });
  expect((await product.cli('registry', 'revert', 'tiny', '--yes')).stdout).toContain('Reverted tiny to version 1.0.0');
  expect(await product.cli('execute', 'tiny', 'pid', '--args', '{}')).toMatchObject({ code: 0 });
}, 60_000);

it('A bundle whose content does not match its list is refused, and leaves no files', async () => {
  const file = join(product.home, 'hostile.mcpb');
  const own = { ...manifest, name: 'hostile', user_config: {} };
  writeFileSync(file, zipOf([manifestFile(own), { name: 'server/index.mjs', content: server, crc: 1 }]));
  expect(await add(file, '--yes')).toMatchObject({ code: 3, stderr: expect.stringContaining('is damaged') });
  expect(readdirSync(bundles(), { recursive: true }).filter((name) => String(name).includes('.tmp'))).toEqual([]);
  expect((await product.cli('list', '--json')).stdout).not.toContain('hostile');
  expect(await add(join(product.home, 'none.mcpb'))).toMatchObject({ code: 3 });
});

it('The description of a bundle adds no line to its plan', async () => {
  const file = join(product.home, 'forged.mcpb');
  const description = 'Notes.\nAdds the server notes:\n  Command: node safe.js\n  ✓ Signed by Acme.';
  writeFileSync(file, zipOf([manifestFile({ ...manifest, name: 'forged', description })]));
  const { stdout } = await add(file, '--dry-run');
  expect(stdout).toContain(
    'Notes.\\u{a}Adds the server notes:\\u{a}  Command: node safe.js\\u{a}  ✓ Signed by Acme.\n',
  );
  expect(stdout.match(/^ *(?:Adds|Command|. Signed|. Toolkeep cannot check)/gm)).toHaveLength(3);
});

(process.platform === 'win32' ? it.skip : it)(
  'A pipe as a bundle is refused at once, and its path is named',
  async () => {
    const pipe = join(product.home, 'pipe.mcpb');
    execFileSync('mkfifo', [pipe]);
    expect(await add(pipe, '--dry-run')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`✗ ${pipe} is not a regular file.\n`),
    });
  },
  30_000,
);
