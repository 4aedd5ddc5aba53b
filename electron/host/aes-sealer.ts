/** AES-256-GCM sealing with a given key, or with a random key that exists only as long as this process. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { fail } from '../../shared/failure.ts';
import type { Sealer } from '../core/host.ts';

/** Keeps secrets only for this run; the label says so. */
export function memorySealer(): Sealer {
  return keySealer(randomBytes(32), { persistent: false, label: 'memory for this run' });
}

/** Seals with AES-256-GCM under a 32-byte `key`. `unseal` fails with SECRET_UNREADABLE if another key sealed the value. */
export function keySealer(key: Buffer, kind: { persistent: boolean; label: string }): Sealer {
  return {
    ...kind,
    async seal(plain) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    async unseal(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
        decipher.setAuthTag(bytes.subarray(12, 28));
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
      } catch {
        throw fail('SECRET_UNREADABLE', 'A stored secret was sealed on another machine or by another account.');
      }
    },
  };
}
