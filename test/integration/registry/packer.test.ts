/**
 * The official packer writes and signs bundles; Toolkeep accepts, installs and runs them.
 *
 * @module-tag exhaustive
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';

const packer = join(dirname(fileURLToPath(import.meta.resolve('@anthropic-ai/mcpb'))), 'cli/cli.js');
const folder = mkdtempSync(join(tmpdir(), 'toolkeep-packer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const run = (...args: string[]) => execFileSync(process.execPath, [packer, ...args], { stdio: 'pipe' });

const node = {
  type: 'node',
  entry_point: 'server/index.mjs',
  mcp_config: { command: 'node', args: ['${__dirname}/server/index.mjs', '${user_config.log}'], env: {} },
};

function pack(name: string, version: object, server: object = node): string {
  const source = join(folder, name);
  mkdirSync(join(source, 'server'), { recursive: true });
  cpSync(join(import.meta.dirname, '../../fixtures/tiny.mjs'), join(source, 'server/index.mjs'));
  const manifest = {
    ...version,
    ...{ name, version: '1.0.0', description: 'Tells its process.', author: { name: 'Ada' }, server },
    user_config: { log: { type: 'file', title: 'Log', description: 'Where to log.', required: true } },
  };
  writeFileSync(join(source, 'manifest.json'), JSON.stringify(manifest));
  const file = join(folder, `${name}.mcpb`);
  run('pack', source, file);
  return file;
}

/** The packer makes the certificate for the first bundle, and uses it for the others. */
function packSigned(...args: Parameters<typeof pack>): string {
  const file = pack(...args);
  run('sign', '--self-signed', file);
  return file;
}

const plan = async ({ core }: CoreTrial, file: string) =>
  core.handlers['bundle.plan']({ file, inputs: { log: join(folder, 'log.txt') } });

it.each([
  ['0.1', { manifest_version: '0.1' }],
  ['0.2', { manifest_version: '0.2' }],
  ['0.3', { manifest_version: '0.3' }],
  ['0.4', { manifest_version: '0.4' }],
  ['0.1 of the older format', { dxt_version: '0.1' }],
])(
  'A signed bundle with a manifest of version %s is installed and run, and its signature is ignored',
  async (title, version) => {
    const name = `tiny-${title.replaceAll(/\W+/g, '-')}`;
    const file = packSigned(name, version);
    const trial = await startCore([]);
    const { handlers } = trial.core;
    const { hash = '', server, ownership } = await plan(trial, file);
    expect(ownership).toEqual({ state: 'unknown', detail: expect.stringContaining('cannot check who made a bundle') });
    await handlers['bundle.install']({ file, inputs: { log: join(folder, 'log.txt') }, hash });
    await expect.poll(() => trial.view(server).status, { timeout: 20_000 }).toBe('ready');
    expect(await trial.call(server, 'pid')).toMatchObject({ content: [{ text: expect.stringMatching(/^\d+$/) }] });
  },
  60_000,
);

it('A bundle that the packer did not sign is accepted', async () => {
  const { refused, hash } = await plan(await startCore([]), pack('plain', { manifest_version: '0.3' }));
  expect({ refused, hash }).toEqual({ refused: undefined, hash: expect.any(String) });
}, 60_000);

it('A bundle for uv is accepted, and the plan names its runtime', async () => {
  const uv = {
    type: 'uv',
    entry_point: 'server/index.mjs',
    mcp_config: { command: 'uv', args: ['run', '--directory', '${__dirname}', 'server/index.mjs'] },
  };
  const { command, runtime } = await plan(await startCore([]), pack('uv', { manifest_version: '0.4' }, uv));
  expect(command.slice(0, 3)).toEqual(['uv', 'run', '--directory']);
  expect(runtime?.command).toBe('uv');
}, 60_000);
