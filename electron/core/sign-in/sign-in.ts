/**
 * OAuth for HTTP servers: who is signed in where. Requests get their token here and have it renewed; the browser is
 * opened only by `signIn`, which a person asks for.
 */
import {
  computeScopeUnion,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { fail } from '../../../shared/failure.ts';
import type { OAuthClient } from '../../../shared/model.ts';
import type { Host } from '../host.ts';
import type { HttpAuthorization } from '../upstream/upstream.ts';
import { askConsent, type ConsentOptions } from './consent.ts';
import { type Account, keyOf, openRecords } from './records.ts';
import { authServerFetch, createRenewal, revoke } from './renewal.ts';

export interface SignIns {
  /** For the requests of one connection, which lies at `url`. */
  authorization(account: Account, url: string): HttpAuthorization;
  /** Opens the browser. A new attempt takes the place of one that is still waiting. */
  signIn(account: Account, url: string, oauth?: OAuthClient): Promise<void>;
  /** Forgets the tokens, and tells the authorization server if it takes that. */
  signOut(account: Account): Promise<void>;
  isSignedIn(account: Account): boolean;
  /** The server publishes where one can sign in. */
  isOffered(account: Account): boolean;
  /** Gives up sign-ins that wait for a browser. */
  close(): void;
}

export async function openSignIns(host: Host): Promise<SignIns> {
  const records = await openRecords(host);
  const renewal = createRenewal(host, records);
  const challenges = new Map<string, NonNullable<ConsentOptions['challenge']>>();
  const waiting = new Map<string, AbortController>();
  const offered = new Set<string>();

  function noteChallenge(key: string, response: Response): void {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    // What one call needs is asked for on top of what another one needed before.
    const all = computeScopeUnion(challenges.get(key)?.scope, scope);
    challenges.set(key, { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(all && { scope: all }) });
  }

  /** Whether a sign-in can help, which the server tells by publishing where. */
  async function signInOffered(key: string, url: string): Promise<string | undefined> {
    const { resourceMetadataUrl } = challenges.get(key) ?? {};
    const info = await discoverOAuthServerInfo(url, {
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      fetchFn: authServerFetch,
    }).catch(() => undefined);
    if (!info?.authorizationServerMetadata) return undefined;
    offered.add(key);
    return URL.parse(String(info.authorizationServerUrl))?.host;
  }

  function giveUp(key: string): void {
    waiting.get(key)?.abort();
    waiting.delete(key);
  }

  return {
    authorization(account, url) {
      const { server } = account;
      const key = keyOf(account);
      /** Which token a refused request carried: by the time its refusal arrives, there may be a newer one. */
      const carried = new WeakMap<Response, string | undefined>();
      return {
        token: () => renewal.token(account, url),
        async fetch(input, init) {
          const response = await fetch(input, init);
          if (response.status === 401 || response.status === 403) {
            carried.set(response, new Headers(init?.headers).get('authorization')?.replace(/^Bearer /, ''));
            if (response.headers.has('www-authenticate')) noteChallenge(key, response);
          }
          return response;
        },
        async onUnauthorized({ response }) {
          const used = carried.get(response);
          if (await renewal.renew(account, url, used)) return;
          const where = await signInOffered(key, url);
          if (where === undefined) throw new UnauthorizedError();
          const wants = used === undefined ? 'wants you to sign in' : 'wants you to sign in again';
          throw fail('SERVER_AUTH_REQUIRED', `"${server}" ${wants} at ${where}.`, {
            server,
            hint: 'Sign in: press "Sign in" at the server in Gatehouse.',
          });
        },
      };
    },
    async signIn(account, url, oauth) {
      const { server } = account;
      const key = keyOf(account);
      giveUp(key);
      const controller = new AbortController();
      waiting.set(key, controller);
      const earlier = await records.get(account, url);
      try {
        const { signal } = controller;
        const record = await askConsent({
          host,
          account,
          url,
          oauth,
          earlier,
          challenge: challenges.get(key),
          signal,
        });
        if (signal.aborted) throw fail('CANCELLED', `The sign-in to "${server}" was given up.`, { server });
        await records.set(record);
      } catch (error) {
        // The registration may be what is wrong with it: an authorization server that forgot it never calls back.
        if (earlier?.client && !earlier.tokens) {
          const { client: _mayBeStale, ...rest } = earlier;
          await records.set(rest);
        }
        throw error;
      } finally {
        if (waiting.get(key) === controller) waiting.delete(key);
      }
    },
    async signOut(account) {
      giveUp(keyOf(account));
      const record = await records.remove(account);
      if (record && !(await revoke(record)))
        host.log('info', `The sign-in to "${account.server}" is forgotten here; its server could not be told.`);
    },
    isOffered: (account) => offered.has(keyOf(account)),
    isSignedIn: records.hasTokens,
    close() {
      for (const key of [...waiting.keys()]) giveUp(key);
    },
  };
}
