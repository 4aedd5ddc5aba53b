/**
 * The keys of the page. An address of the page holds a code that is good for one connection; that connection turns it into a
 * key that lives in the memory of the tab and of this process only. Neither is ever sent, written to disk or put into an
 * argument list: both ends prove that they know it.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { type Nonces, sessionTranscript, transcript } from '../../shared/protocol/bridge-protocol.ts';
import { sameSecret } from '../core/gateway/request-guard.ts';

/** An address expires if it is not opened within this time. */
const codeLifetimeMs = 60 * 60_000;
/** Tabs that may be open; the oldest key goes first. */
const maxKeys = 100;

export interface PageKeys {
  /** A new code: `ID.SECRET`. */
  issue(): string;
  /** Starts the handshake of a page; undefined when the id belongs to no code and no tab. */
  challenge(id: string, clientNonce: string, address: string): PageChallenge | undefined;
}

export interface PageChallenge {
  nonce: string;
  proof: string;
  /** True when the page's proof is right. Uses the code up. */
  accept(proof: string): boolean;
}

export function createPageKeys(now: () => number = Date.now): PageKeys {
  const keys = new Map<string, { secret: string; codeExpiresAt?: number }>();
  return {
    issue() {
      const [id, secret] = [randomBytes(9).toString('base64url'), randomBytes(32).toString('base64url')];
      keys.set(id, { secret, codeExpiresAt: now() + codeLifetimeMs });
      for (const oldest of [...keys.keys()].slice(0, Math.max(0, keys.size - maxKeys))) keys.delete(oldest);
      return `${id}.${secret}`;
    },
    challenge(id, clientNonce, address) {
      const key = keys.get(id);
      if (!key || (key.codeExpiresAt ?? Number.POSITIVE_INFINITY) < now()) return undefined;
      const nonces: Nonces = { client: clientNonce, core: randomBytes(32).toString('base64url') };
      const sign = (text: string) => createHmac('sha256', key.secret).update(text).digest('base64url');
      return {
        nonce: nonces.core,
        proof: sign(transcript('core', address, nonces)),
        accept(proof) {
          // If two connections show the same code at once, only one gets it.
          if (keys.get(id) !== key || !sameSecret(proof, sign(transcript('client', address, nonces)))) return false;
          if (key.codeExpiresAt !== undefined) keys.set(id, { secret: sign(sessionTranscript(address, nonces)) });
          return true;
        },
      };
    },
  };
}
