/**
 * The keys of page connections. A page address contains a code for a single connection, which exchanges it for a key
 * kept only in the memory of the tab and of this process. The key and the code's secret are never sent, stored on disk
 * or passed as arguments: both ends prove that they know them.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { limits } from '../../shared/limits.ts';
import { type Nonces, transcript } from '../../shared/protocol/bridge-protocol.ts';
import { sameSecret } from '../core/gateway/request-guard.ts';

/** Milliseconds after which an unopened address expires. */
const codeLifetimeMs = 60 * 60_000;
/** Maximum number of tabs; the oldest key is dropped first. */
const maxKeys = limits.page.keys;

export type PageKeys = ReturnType<typeof createPageKeys>;

export interface PageChallenge {
  nonce: string;
  proof: string;
  /** Returns true if the page's proof is correct. The code cannot be used again. */
  accept(proof: string): boolean;
}

export function createPageKeys(now: () => number = Date.now) {
  const keys = new Map<string, { secret: string; codeExpiresAt?: number }>();
  return {
    /** Issues a new code: `ID.SECRET`. */
    issue(): string {
      const [id, secret] = [randomBytes(9).toString('base64url'), randomBytes(32).toString('base64url')];
      keys.set(id, { secret, codeExpiresAt: now() + codeLifetimeMs });
      for (const oldest of [...keys.keys()].slice(0, Math.max(0, keys.size - maxKeys))) keys.delete(oldest);
      return `${id}.${secret}`;
    },
    /** Starts a page's handshake; undefined if the id belongs to no code or tab. */
    challenge(id: string, clientNonce: string, address: string): PageChallenge | undefined {
      const key = keys.get(id);
      if (!key || (key.codeExpiresAt ?? Number.POSITIVE_INFINITY) < now()) return undefined;
      const nonces: Nonces = { client: clientNonce, core: randomBytes(32).toString('base64url') };
      const sign = (text: string) => createHmac('sha256', key.secret).update(text).digest('base64url');
      return {
        nonce: nonces.core,
        proof: sign(transcript('core', address, nonces)),
        accept(proof) {
          // If two connections present the same code at once, only one succeeds.
          if (keys.get(id) !== key || !sameSecret(proof, sign(transcript('client', address, nonces)))) return false;
          if (key.codeExpiresAt !== undefined) keys.set(id, { secret: sign(transcript('session', address, nonces)) });
          return true;
        },
      };
    },
  };
}
