/**
 * The vault's key in the system keyring: macOS Keychain, Windows Credential Manager, or Secret Service on Linux. The
 * keyring contains only the key; the sealed secrets are in our own files.
 */
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';

/** `locked`: the keyring exists, but the user has not unlocked it. `absent`: this session has no keyring. */
export type KeyringAnswer = { state: 'ready'; key: string } | { state: 'locked' } | { state: 'absent'; reason: string };

export const keyringLabel =
  { darwin: 'macOS Keychain', win32: 'Windows Credential Manager' }[process.platform as string] ??
  'Secret Service keyring';

/**
 * Runs in a worker because the native calls block: connecting to Secret Service starts a daemon, and reading a locked
 * keyring waits for the user. The store is fixed, because the library would otherwise fall back to the Linux kernel's
 * keyring, which loses its keys at logout.
 */
const workerSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { createRequire } = require('node:module');
const answer = () => {
  let entry;
  try {
    const { Entry } = createRequire(workerData.from)('@napi-rs/keyring');
    entry = new Entry('Toolkeep', workerData.account, { linux: { store: 'secret-service' } });
  } catch (error) {
    return { state: 'absent', reason: error.message };
  }
  try {
    const key = entry.getPassword();
    if (key !== null) return { state: 'ready', key };
  } catch {
    return { state: 'locked' };
  }
  try {
    entry.setPassword(workerData.newKey);
    return { state: 'ready', key: workerData.newKey };
  } catch (error) {
    return /dismissed|locked/i.test(error.message) ? { state: 'locked' } : { state: 'absent', reason: error.message };
  }
};
parentPort.postMessage(answer());
`;

/**
 * Reads the key for this data folder, or stores `newKey` if there is none. Stays pending while the system asks the user
 * to unlock the keyring.
 */
export function readKeyring(dataDir: string, newKey: string): Promise<KeyringAnswer> {
  const account = `key-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  return new Promise((resolve) => {
    const absent = (error: Error) => resolve({ state: 'absent', reason: error.message });
    const worker = new Worker(workerSource, {
      eval: true,
      workerData: { from: import.meta.url, account, newKey },
      execArgv: [],
    });
    worker.once('message', resolve).once('error', absent);
    worker.once('exit', () => absent(new Error('The keyring process exited without an answer.')));
    // An unanswered unlock prompt must not keep a command running.
    worker.unref();
  });
}
