/** Sealing with the platform's keyring: it keeps one key, the secrets themselves stay sealed in our own files. */
import { createHash, randomBytes } from 'node:crypto';
import type { Sealer } from '../core/host.ts';
import { keySealer, memorySealer } from './memory-sealer.ts';

const limitMs = 3_000;
const labels: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'macOS Keychain',
  win32: 'Windows Credential Manager',
  linux: 'Secret Service keyring',
};

/**
 * A sealer whose key is in the keyring, one key per data folder. Where there is no keyring, or it does not answer within three
 * seconds (a locked one asks the person first), secrets stay in memory for this run. `GATEHOUSE_NO_KEYRING=1` skips it.
 */
export async function keyringSealer(dataDir: string, env: NodeJS.ProcessEnv): Promise<Sealer> {
  if (env.GATEHOUSE_NO_KEYRING === '1' || env.CI) return memorySealer();
  // Without a session bus the native call has nothing to talk to; asking would only cost time.
  if (process.platform === 'linux' && !env.DBUS_SESSION_BUS_ADDRESS) return memorySealer();
  const signal = AbortSignal.timeout(limitMs);
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    const account = `key-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
    const entry = new AsyncEntry('Gatehouse', account);
    const known = await bounded(entry.getPassword(signal), signal);
    const key = known ? Buffer.from(known, 'base64url') : randomBytes(32);
    if (!known) await bounded(entry.setPassword(key.toString('base64url'), signal), signal);
    return keySealer(key, { persistent: true, label: labels[process.platform] ?? 'system keyring' });
  } catch {
    return memorySealer();
  }
}

/** The native call does not always heed its signal. */
function bounded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  ]);
}
