/** The vault on machines without a keyring: sealed by a passphrase, or kept in memory. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openVault } from '../../../electron/core/secrets/vault.ts';
import { createNodeHost } from '../../../electron/host/host.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'toolkeep-host-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function withHost<T>(
  env: NodeJS.ProcessEnv,
  work: (host: Awaited<ReturnType<typeof createNodeHost>>) => Promise<T>,
) {
  const host = await createNodeHost({ env: { HOME: home, TOOLKEEP_NO_SHELL_ENV: '1', ...env } });
  try {
    return await work(host);
  } finally {
    host.release();
  }
}

/** Writes the passphrase to its file. */
function passphrase(text: string): NodeJS.ProcessEnv {
  const file = join(home, 'passphrase');
  writeFileSync(file, text, { mode: 0o600 });
  return { TOOLKEEP_PASSPHRASE_FILE: file };
}

test('The next run unseals secrets with the same passphrase', async () => {
  await withHost(passphrase('correct horse'), async (host) => {
    expect(host.sealer).toMatchObject({ persistent: true, label: 'passphrase' });
    await (await openVault(host)).set('a', 'canary-Zq81xWm');
    expect(JSON.stringify(host.env)).not.toContain('correct horse');
  });
  const lock = join(home, '.toolkeep/vault-lock.json');
  expectMode(lock, 0o600);
  for (const file of [lock, join(home, '.toolkeep/vault.json')])
    expect(readFileSync(file, 'utf8')).not.toMatch(/canary-Zq81xWm|correct horse/);

  await withHost(passphrase('correct horse\n'), async (host) => {
    const vault = await openVault(host);
    expect((await vault.reveal(['a'])).get('a')).toBe('canary-Zq81xWm');
  });
});

test('A wrong passphrase is refused at once, and the data folder is free again', async () => {
  await withHost(passphrase('right'), async (host) => (await openVault(host)).set('a', 'b'));
  const before = readFileSync(join(home, '.toolkeep/vault.json'), 'utf8');
  await expect(withHost(passphrase('wrong'), async () => {})).rejects.toMatchObject({
    failure: { code: 'SECRET_UNREADABLE', message: expect.not.stringMatching('wrong') },
  });
  expect(readFileSync(join(home, '.toolkeep/vault.json'), 'utf8')).toBe(before);
  await withHost(passphrase('right'), async () => {});
});

test('A missing or empty passphrase file is an error, not a fallback', async () => {
  const file = join(home, 'passphrase');
  await expect(withHost({ TOOLKEEP_PASSPHRASE_FILE: file }, async () => {})).rejects.toThrow('cannot be read');
  writeFileSync(file, '\n');
  await expect(withHost({ TOOLKEEP_PASSPHRASE_FILE: file }, async () => {})).rejects.toThrow('is empty');
});

test('A passphrase in the environment is refused, because other programs can read it there', async () => {
  await expect(withHost({ TOOLKEEP_PASSPHRASE: 'canary-Zq81xWm' }, async () => {})).rejects.toMatchObject({
    failure: { code: 'SECRET_UNREADABLE', hint: expect.stringContaining('TOOLKEEP_PASSPHRASE_FILE') },
  });
});

test('Without a keyring and a passphrase, secrets stay in memory, and the label says so', async () => {
  await withHost({ TOOLKEEP_NO_KEYRING: '1' }, async ({ sealer }) => {
    expect(sealer).toMatchObject({ persistent: false, label: 'memory for this run' });
  });
});

test('A passphrase keeps what an earlier run with another key has stored', async () => {
  await withHost(passphrase('of a file'), async (host) => (await openVault(host)).set('a', 'b'));
  rmSync(join(home, '.toolkeep/vault-lock.json'));
  await withHost({ TOOLKEEP_NO_KEYRING: '1' }, async (host) => {
    const vault = await openVault(host);
    await vault.set('c', 'd');
    await host.sealer.passphrase?.use('of the user');
    expect(vault.names()).toEqual(['a', 'c']);
    expect(await vault.reveal(['a', 'c'])).toEqual(new Map([['c', 'd']]));
  });
  expect(Object.keys(JSON.parse(readFileSync(join(home, '.toolkeep/vault.json'), 'utf8')).secrets)).toEqual(['a', 'c']);
});

test('A vault file that cannot be read when the passphrase is set is not overwritten later', async () => {
  await withHost(passphrase('of a file'), async (host) => (await openVault(host)).set('a', 'b'));
  rmSync(join(home, '.toolkeep/vault-lock.json'));
  const file = join(home, '.toolkeep/vault.json');
  await withHost({ TOOLKEEP_NO_KEYRING: '1' }, async (host) => {
    const vault = await openVault(host);
    renameSync(file, `${file}.aside`);
    mkdirSync(file);
    await expect(host.sealer.passphrase?.use('of the user')).rejects.toThrow('cannot be read');
    await expect(vault.set('c', 'd')).rejects.toThrow('cannot be read');
    rmSync(file, { recursive: true });
    renameSync(`${file}.aside`, file);
    await vault.set('e', 'f');
  });
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).secrets)).toEqual(['a', 'c', 'e']);
});

test('Of two passphrases that are set at once, the first seals the vault, and the other is refused', async () => {
  const env = { TOOLKEEP_NO_KEYRING: '1' };
  await withHost(env, async (host) => {
    await (await openVault(host)).set('a', 'b');
    const use = (text: string) => host.sealer.passphrase?.use(text);
    const results = await Promise.allSettled([use('first'), use('second')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
  await withHost(env, async (host) => {
    const vault = await openVault(host);
    await host.sealer.passphrase?.use('first');
    expect(await vault.reveal(['a'])).toEqual(new Map([['a', 'b']]));
  });
});
