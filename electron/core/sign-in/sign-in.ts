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
import { openRecords } from './records.ts';
import { authServerFetch, createRenewal, revoke } from './renewal.ts';

export interface SignIns {
  /** For the requests of one connection to `server` at `url`. */
  authorization(server: string, url: string): HttpAuthorization;
  /** Opens the browser. A new attempt takes the place of one that is still waiting. */
  signIn(server: string, url: string, oauth?: OAuthClient): Promise<void>;
  /** Forgets the tokens, and tells the authorization server if it takes that. */
  signOut(server: string): Promise<void>;
  isSignedIn(server: string): boolean;
  /** The server publishes where one can sign in. */
  isOffered(server: string): boolean;
  /** Gives up sign-ins that wait for a browser. */
  close(): void;
}

export async function openSignIns(host: Host): Promise<SignIns> {
  const records = await openRecords(host);
  const renewal = createRenewal(host, records);
  const challenges = new Map<string, NonNullable<ConsentOptions['challenge']>>();
  const waiting = new Map<string, AbortController>();
  const offered = new Set<string>();

  function noteChallenge(server: string, response: Response): void {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    // What one call needs is asked for on top of what another one needed before.
    const all = computeScopeUnion(challenges.get(server)?.scope, scope);
    challenges.set(server, { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(all && { scope: all }) });
  }

  /** Whether a sign-in can help, which the server tells by publishing where. */
  async function signInOffered(server: string, url: string): Promise<string | undefined> {
    const { resourceMetadataUrl } = challenges.get(server) ?? {};
    const info = await discoverOAuthServerInfo(url, {
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      fetchFn: authServerFetch,
    }).catch(() => undefined);
    if (!info?.authorizationServerMetadata) return undefined;
    offered.add(server);
    return URL.parse(String(info.authorizationServerUrl))?.host;
  }

  function giveUp(server: string): void {
    waiting.get(server)?.abort();
    waiting.delete(server);
  }

  return {
    authorization(server, url) {
      /** Which token a refused request carried: by the time its refusal arrives, there may be a newer one. */
      const carried = new WeakMap<Response, string | undefined>();
      return {
        token: () => renewal.token(server, url),
        async fetch(input, init) {
          const response = await fetch(input, init);
          if (response.status === 401 || response.status === 403) {
            carried.set(response, new Headers(init?.headers).get('authorization')?.replace(/^Bearer /, ''));
            if (response.headers.has('www-authenticate')) noteChallenge(server, response);
          }
          return response;
        },
        async onUnauthorized({ response }) {
          const used = carried.get(response);
          if (await renewal.renew(server, url, used)) return;
          const where = await signInOffered(server, url);
          if (where === undefined) throw new UnauthorizedError();
          const wants = used === undefined ? 'wants you to sign in' : 'wants you to sign in again';
          throw fail('SERVER_AUTH_REQUIRED', `"${server}" ${wants} at ${where}.`, {
            server,
            hint: 'Sign in: press "Sign in" at the server in Gatehouse.',
          });
        },
      };
    },
    async signIn(server, url, oauth) {
      giveUp(server);
      const controller = new AbortController();
      waiting.set(server, controller);
      const earlier = await records.get(server, url);
      try {
        const { signal } = controller;
        const record = await askConsent({
          host,
          server,
          url,
          oauth,
          earlier,
          challenge: challenges.get(server),
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
        if (waiting.get(server) === controller) waiting.delete(server);
      }
    },
    async signOut(server) {
      giveUp(server);
      const record = await records.remove(server);
      if (record && !(await revoke(record)))
        host.log('info', `The sign-in to "${server}" is forgotten here; its server could not be told.`);
    },
    isOffered: (server) => offered.has(server),
    isSignedIn: (server) => records.hasTokens(server),
    close() {
      for (const server of [...waiting.keys()]) giveUp(server);
    },
  };
}
