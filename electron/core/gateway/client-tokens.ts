/**
 * The bearer tokens of HTTP clients. Each belongs to one client, may be limited to a profile, and is accepted only by
 * `/mcp`, or, if it is of the kind `status`, only by `/api/status/debug`: not by the page, a Wire or the socket, so a client
 * can never approve its own call. Only hashes of the tokens are stored.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { fail } from '../../../shared/failure.ts';
import type { TokenKind, TokenView } from '../../../shared/model/token.ts';
import type { Host } from '../host.ts';
import { changeSetting } from '../settings.ts';
import { sameSecret, type TokenAccess } from './request-guard.ts';

export type ClientTokens = ReturnType<typeof createClientTokens>;

interface TokenOptions {
  /** By default `client`. */
  kind?: TokenKind | undefined;
  profile?: string | undefined;
}

export function createClientTokens(store: Host['store']) {
  const listeners = new Set<(id: string) => void>();
  const lastUsed = new Map<string, number>();
  const all = () => store.get('clientTokens');

  function find(name: string) {
    const found = all().find((token) => token.name === name);
    if (found) return found;
    throw fail('TOKEN_NOT_FOUND', `No client token is named "${name}".`);
  }
  function add(name: string, { kind, profile }: TokenOptions): string {
    const secret = `toolkeep_${randomBytes(32).toString('base64url')}`;
    const token = { id: randomUUID(), name, kind, profile, hash: hashOf(secret), createdAt: Date.now() };
    changeSetting(store, 'clientTokens', (tokens) => [...tokens.filter((one) => one.name !== name), token]);
    return secret;
  }
  function ended(id: string): void {
    for (const listener of listeners) listener(id);
  }

  return {
    list: (): TokenView[] =>
      all().map(({ id, name, kind = 'client', profile, createdAt }) => ({
        name,
        kind,
        profile,
        createdAt,
        lastUsedAt: lastUsed.get(id),
      })),
    /** Returns the token, which is shown only once. Fails with INPUT_INVALID if the name is taken. */
    create(name: string, tokenOptions: TokenOptions = {}): string {
      if (all().some((token) => token.name === name))
        throw fail('INPUT_INVALID', `A client token named "${name}" already exists. Rotate or revoke it first.`);
      return add(name, tokenOptions);
    },
    /** Fails with TOKEN_NOT_FOUND. */
    revoke(name: string): void {
      const { id } = find(name);
      changeSetting(store, 'clientTokens', (tokens) => tokens.filter((one) => one.id !== id));
      ended(id);
    },
    /** Replaces the secret but keeps the name, kind and profile. Fails with TOKEN_NOT_FOUND. */
    rotate(name: string): string {
      const { id, kind, profile } = find(name);
      const secret = add(name, { kind, profile });
      ended(id);
      return secret;
    },
    /** The access of a bearer token; undefined for an unknown token, or one of another kind. */
    authorize(bearer: string, kind: TokenKind): TokenAccess | undefined {
      const hash = hashOf(bearer);
      const found = all().find((token) => sameSecret(hash, token.hash));
      if (!found || (found.kind ?? 'client') !== kind) return undefined;
      lastUsed.set(found.id, Date.now());
      return { id: found.id, name: found.name, profile: found.profile };
    },
    /** Calls `listener` with the `id` of each access that ends. Returns the unsubscribe function. */
    onRevoked(listener: (id: string) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The tokens are random and long, so a plain hash cannot be reversed. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
