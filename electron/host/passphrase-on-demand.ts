/** Keeps secrets in memory until the user sets a passphrase, and unseals them after later starts once the user enters it. */
import { existsSync } from 'node:fs';
import pLimit from 'p-limit';
import { fail } from '../../shared/failure.ts';
import type { Sealer, UserPassphrase } from '../core/host.ts';
import { memorySealer } from './aes-sealer.ts';
import { lockFile, passphraseSealer } from './passphrase.ts';
import { passphraseTag, tagged } from './tagged-sealer.ts';

export function sealerOnDemand(dataDir: string): Sealer {
  const memory = memorySealer();
  const listeners: (() => Promise<void>)[] = [];
  // Two first passphrases at once would each replace the lock, and only one of them could open the vault later.
  const inTurn = pLimit(1);
  let current = existsSync(lockFile(dataDir)) ? locked : memory;
  function state(): UserPassphrase['state'] {
    if (current === memory) return 'unset';
    return current === locked ? 'locked' : 'entered';
  }
  return {
    get persistent() {
      return current.persistent;
    },
    get label() {
      return current.label;
    },
    seal: (plain) => current.seal(plain),
    unseal: (sealed, onResealed) => current.unseal(sealed, onResealed),
    passphrase: {
      get state() {
        return state();
      },
      use: (passphrase) =>
        inTurn(async () => {
          const sealer = await passphraseSealer(dataDir, passphrase);
          if (state() === 'entered') return;
          current = tagged(passphraseTag, sealer, memory);
          await Promise.all(listeners.map((listener) => listener()));
        }),
      onEntered(listener) {
        listeners.push(listener);
      },
    },
  };
}

const lockedFailure = async () => {
  throw fail('VAULT_LOCKED', 'The vault is locked until you enter its passphrase.');
};

const locked: Sealer = { persistent: true, label: 'passphrase (locked)', seal: lockedFailure, unseal: lockedFailure };
