/**
 * The shell steps of the *Package* workflow that need no service of GitHub, run as its runners do.
 *
 * @module-tag exhaustive
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../..');
const execute = promisify(execFile);
interface Job {
  steps: { name?: string; run?: string }[];
}
const jobs: Job[] = Object.values(parse(readFileSync(join(root, '.github/workflows/package.yml'), 'utf8')).jobs);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolkeep-workflow-'));
  for (const name of ['bin', 'packages', 'runner']) mkdirSync(join(folder, name));
});
afterEach(async () => {
  // GnuPG's agent would keep the folder in use.
  await execute('gpgconf', ['--homedir', join(folder, 'keys'), '--kill', 'all']).catch(() => undefined);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

/** Runs a step in the folder, with its secrets in `env`. */
async function runStep(name: string, env: Record<string, string>): Promise<{ code: number; output: string }> {
  const script = jobs.flatMap(({ steps }) => steps).find((step) => step.name === name)?.run;
  if (script === undefined) throw new Error(`The workflow has no step "${name}"`);
  const options = {
    cwd: folder,
    env: { PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter), HOME: folder, ...env },
  };
  return execute('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
}

describe('The step', () => {
  it('Refuse a release with placeholders: fails while an address ends in .invalid', async () => {
    const withHomepage = async (homepage: string) => {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ homepage }));
      await execute('git', ['init', '--quiet'], { cwd: folder });
      await execute('git', ['add', 'package.json'], { cwd: folder });
      return (await runStep('Refuse a release with placeholders', {})).code;
    };
    expect(await withHomepage('https://toolkeep.invalid')).toBe(1);
    expect(await withHomepage('https://toolkeep.example')).toBe(0);
  });

  it("Store the key for Apple's notarization: keeps it readable for its user only, and does nothing without a key", async () => {
    const step = "Store the key for Apple's notarization";
    const env = { RUNNER_TEMP: join(folder, 'runner'), GITHUB_ENV: join(folder, 'env') };
    expect((await runStep(step, { ...env, KEY: '' })).code).toBe(0);
    expect(existsSync(env.GITHUB_ENV)).toBe(false);
    await runStep(step, { ...env, KEY: 'a key' });
    const file = join(folder, 'runner/apple.p8');
    expect(readFileSync(file, 'utf8')).toBe('a key');
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(readFileSync(env.GITHUB_ENV, 'utf8')).toBe(`APPLE_API_KEY=${file}\n`);
  });

  it('Sign the checksums: signs them so that the next job can verify them', { tags: ['gpg'] }, async () => {
    const keys = join(folder, 'keys');
    mkdirSync(keys, { mode: 0o700 });
    const gpg = async (...args: string[]) =>
      (await execute('gpg', ['--homedir', keys, '--batch', '--passphrase', '', ...args])).stdout;
    await gpg('--quick-generate-key', 'release@example.com', 'ed25519', 'sign');
    const KEY = await gpg('--armor', '--export-secret-keys');
    const PUBLIC_KEY = await gpg('--armor', '--export');
    const sums = join(folder, 'packages/SHA256SUMS');
    writeFileSync(sums, 'abc  Toolkeep.deb\n');
    const [sign, verify] = ['Sign the checksums', 'Verify the signature of the checksums'];
    const home = (name: string) => ({ GNUPGHOME: join(folder, name) });

    expect(await runStep(sign, { KEY: '', PUBLIC_KEY: '', ...home('none') })).toMatchObject({
      code: 0,
      output: expect.stringContaining('::warning::'),
    });
    expect((await runStep(sign, { KEY, PUBLIC_KEY: '', ...home('half') })).code).toBe(1);
    expect(await runStep(sign, { KEY, PUBLIC_KEY, ...home('sign') })).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'sign'))).toBe(false);
    expect(await runStep(verify, { KEY: PUBLIC_KEY, ...home('verify') })).toMatchObject({ code: 0 });
    writeFileSync(sums, 'def  Toolkeep.deb\n');
    expect((await runStep(verify, { KEY: PUBLIC_KEY, ...home('changed') })).code).not.toBe(0);
  });

  it('Draft: passes the notes of this version, and only those, and every package', async () => {
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      '# Changelog\n\n## 1.1.0\n\n- Newer\n\n## 1.0.0\n\n- Fixed\n\n## 0.9.0\n\n- Older\n',
    );
    for (const name of ['Toolkeep.deb', 'SHA256SUMS']) writeFileSync(join(folder, 'packages', name), '');
    writeFileSync(join(folder, 'bin/gh'), '#!/bin/sh\nprintf "%s\\n" "$@" > called\n', { mode: 0o755 });
    expect(await runStep('Draft', { GH_TOKEN: 'token', TAG: 'v1.0.0' })).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'notes.md'), 'utf8').trim()).toBe('- Fixed');
    const called = readFileSync(join(folder, 'called'), 'utf8').trim().split('\n');
    expect(called.slice(0, 4)).toEqual(['release', 'create', 'v1.0.0', '--draft']);
    expect(called.slice(-2)).toEqual(['packages/SHA256SUMS', 'packages/Toolkeep.deb']);
  });
});
