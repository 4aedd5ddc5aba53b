/** The one sealer for the desktop app, the headless Core and the command line. */
import { createHash, randomBytes } from 'node:crypto';
import { fail } from '../../shared/failure.ts';
import type { Host, Sealer } from '../core/host.ts';
import { keySealer } from './aes-sealer.ts';
import { type KeyringAnswer, keyringLabel, readKeyring } from './keyring.ts';
import { passphraseIn, passphraseSealer } from './passphrase.ts';
import { sealerOnDemand } from './passphrase-on-demand.ts';
import { passphraseTag, tagged } from './tagged-sealer.ts';

export interface SealerOptions {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  log: Host['log'];
  /** Default: the system keyring. */
  readKey?(newKey: string): Promise<KeyringAnswer>;
}

/** How long the start waits for the keyring, in milliseconds. A locked keyring answers later, after the user unlocks it. */
const startTimeoutMs = 1_500;
/** How long sealing waits for the user to unlock the keyring, in milliseconds. The vault limits the time of unsealing. */
const unlockTimeoutMs = 30_000;

/**
 * Seals with the passphrase of the file if set, otherwise with the system keyring. Without either, secrets stay in memory
 * until the user enters a passphrase. `TOOLKEEP_NO_KEYRING=1` skips the keyring.
 */
export async function createSealer(options: SealerOptions): Promise<Sealer> {
  const { dataDir, env, log } = options;
  const passphrase = passphraseIn(env);
  if (passphrase !== undefined) return tagged(passphraseTag, await passphraseSealer(dataDir, passphrase));
  if (env.TOOLKEEP_NO_KEYRING === '1') return sealerOnDemand(dataDir);
  const readKey = options.readKey ?? ((newKey: string) => readKeyring(dataDir, newKey));
  const reading = readKey(randomBytes(32).toString('base64url'));
  const answer = await within(reading, startTimeoutMs);
  if (answer?.state === 'absent') {
    const sealer = sealerOnDemand(dataDir);
    log('warn', `There is no ${keyringLabel} (${answer.reason}). Vault: ${sealer.label}.`);
    return sealer;
  }
  if (answer?.state === 'ready') return keyringSealer(answer.key);
  log('warn', `The ${keyringLabel} is locked. Servers that need a secret start after you unlock it.`);
  return lockedSealer(answer ? undefined : reading, readKey);
}

function keyringSealer(key: string): Sealer {
  const bytes = Buffer.from(key, 'base64url');
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  return tagged(`k1.${id}`, keySealer(bytes, { persistent: true, label: keyringLabel }));
}

/** Asks the keyring again on each use until it is unlocked. Concurrent uses share one prompt. */
function lockedSealer(
  pending: Promise<KeyringAnswer> | undefined,
  readKey: NonNullable<SealerOptions['readKey']>,
): Sealer {
  let open: Sealer | undefined;
  let reading = pending;
  const unlock = async (): Promise<Sealer> => {
    if (open) return open;
    reading ??= readKey(randomBytes(32).toString('base64url'));
    const answer = await within(reading, unlockTimeoutMs);
    // While a prompt is open, later uses wait for it.
    if (answer) reading = undefined;
    if (answer?.state === 'ready') open = keyringSealer(answer.key);
    if (open) return open;
    throw fail('SECRET_TIMEOUT', `The ${keyringLabel} is locked or does not answer.`, {
      hint: 'Unlock it and try again.',
    });
  };
  return {
    persistent: true,
    get label() {
      return open ? open.label : `${keyringLabel} (locked)`;
    },
    seal: async (plain) => (await unlock()).seal(plain),
    unseal: async (sealed, onResealed) => (await unlock()).unseal(sealed, onResealed),
  };
}

/** Resolves with the result of `work`, or with undefined after `timeoutMs`. */
async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  const timeout = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => timeout.resolve(undefined), timeoutMs);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
