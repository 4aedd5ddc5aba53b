/** The sealer that the desktop app and the command line share: tagged values, and locked and absent keyrings. */
import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { KeyringAnswer } from '../../../electron/host/keyring.ts';
import { createSealer, type SealerOptions } from '../../../electron/host/sealer.ts';

const key = randomBytes(32).toString('base64url');
const ready: KeyringAnswer = { state: 'ready', key };

const open = (readKey: SealerOptions['readKey'], more: Partial<SealerOptions> = {}) =>
  createSealer({ dataDir: '/data', env: {}, log: () => undefined, readKey, ...more });

test('A value that one host sealed can be unsealed by another', async () => {
  const app = await open(async () => ready);
  const commandLine = await open(async () => ready);
  const sealed = await app.seal('canary');
  expect(sealed).toMatch(/^k1\.[0-9a-f]{8}:/);
  expect(await commandLine.unseal(sealed)).toBe('canary');
});

test('The first start stores a new random key', async () => {
  const keys: string[] = [];
  const readKey = async (newKey: string): Promise<KeyringAnswer> => {
    keys.push(newKey);
    return { state: 'ready', key: keys[0] ?? '' };
  };
  const sealed = await (await open(readKey)).seal('canary');
  expect(await (await open(readKey)).unseal(sealed)).toBe('canary');
  expect(Buffer.from(keys[0] ?? '', 'base64url')).toHaveLength(32);
});

test('A value that another key sealed is reported as such, not as damaged', async () => {
  const sealed = await (await open(async () => ready)).seal('canary');
  const other = await open(async (newKey) => ({ state: 'ready', key: newKey }));
  await expect(other.unseal(sealed)).rejects.toMatchObject({
    failure: { code: 'SECRET_UNREADABLE', message: expect.stringContaining('another key') },
  });
});

test('Without a keyring, secrets stay in memory, and the label says so', async () => {
  const log = vi.fn();
  const sealer = await open(async () => ({ state: 'absent', reason: 'no session bus' }), { log });
  expect(sealer).toMatchObject({ persistent: false, label: 'memory for this run' });
  expect(log).toHaveBeenCalledWith('warn', expect.stringContaining('no session bus'));
});

test('Secrets behind a locked keyring are available after the user unlocks it, and do not move to memory', async () => {
  const sealed = await (await open(async () => ready)).seal('canary');
  let answer: KeyringAnswer = { state: 'locked' };
  const sealer = await open(async () => answer);
  expect(sealer.persistent).toBe(true);
  expect(sealer.label).toMatch(/\(locked\)$/);
  await expect(sealer.unseal(sealed)).rejects.toMatchObject({ failure: { code: 'SECRET_TIMEOUT' } });
  answer = ready;
  expect(await sealer.unseal(sealed)).toBe('canary');
  expect(sealer.label).not.toContain('locked');
});

test('A keyring that does not respond delays the start by less than two seconds, and is used once it responds', async () => {
  vi.useFakeTimers();
  try {
    const { promise, resolve } = Promise.withResolvers<KeyringAnswer>();
    const opening = open(() => promise);
    await vi.advanceTimersByTimeAsync(2_000);
    const sealer = await opening;
    expect(sealer).toMatchObject({ persistent: true, label: expect.stringContaining('(locked)') });
    const sealing = sealer.seal('canary');
    resolve(ready);
    expect(await sealing).toMatch(/^k1\./);
  } finally {
    vi.useRealTimers();
  }
});

test('Concurrent uses of a locked keyring share one prompt', async () => {
  const readKey = vi.fn(async (): Promise<KeyringAnswer> => ({ state: 'locked' }));
  const sealer = await open(readKey);
  await Promise.allSettled([sealer.seal('a'), sealer.seal('b'), sealer.unseal('k1.00000000:x')]);
  expect(readKey).toHaveBeenCalledTimes(2);
});
