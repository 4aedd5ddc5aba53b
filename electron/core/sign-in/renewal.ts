/** Tokens for requests: taken from the record, renewed before or when they expire, by one request at a time. */
import {
  type AuthorizationServerMetadata,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  refreshAuthorization,
} from '@modelcontextprotocol/client';
import { fail } from '../../../shared/failure.ts';
import type { Host } from '../host.ts';
import { type Account, keyOf, type Records, type SignInRecord } from './records.ts';

/** A token is renewed when it has no more than this left: it may be on its way for a while. */
const marginMs = 15_000;
const authServerTimeoutMs = 20_000;

export interface Renewal {
  /** The token to send, renewed if it is known to have expired. */
  token(account: Account, url: string): Promise<string | undefined>;
  /** A server refused `used`. True when there is another one to try now; false when only a person can help. */
  renew(account: Account, url: string, used: string | undefined): Promise<boolean>;
}

export function createRenewal(host: Host, records: Records): Renewal {
  /** The refresh under way per account: a refresh token is good for one use, a second one may end the whole sign-in. */
  const running = new Map<string, Promise<boolean>>();

  function refresh(record: SignInRecord): Promise<boolean> {
    const key = keyOf(record);
    const shared = running.get(key);
    if (shared) return shared;
    const work = refreshOnce(record).finally(() => running.delete(key));
    running.set(key, work);
    return work;
  }

  async function refreshOnce(record: SignInRecord): Promise<boolean> {
    const { server, tokens, client, authorizationServer, metadata, indicator } = record;
    if (!tokens?.refresh_token || !client) return false;
    let renewed: OAuthTokens;
    try {
      renewed = await refreshAuthorization(authorizationServer, {
        refreshToken: tokens.refresh_token,
        clientInformation: client,
        ...(metadata && { metadata: metadata as unknown as AuthorizationServerMetadata }),
        ...(indicator !== undefined && { resource: indicator }),
        fetchFn: authServerFetch,
      });
    } catch (error) {
      if (await isStale(record)) return true;
      const code = error instanceof OAuthError ? error.code : undefined;
      const isClientGone = code === OAuthErrorCode.InvalidClient || code === OAuthErrorCode.UnauthorizedClient;
      if (!isClientGone && code !== OAuthErrorCode.InvalidGrant) throw notRenewed(record, error);
      host.log('info', `The sign-in to "${server}" has ended (${code}).`);
      const { tokens: _gone, client: registered, ...rest } = record;
      await records.set(isClientGone ? rest : { ...rest, client: registered });
      return false;
    }
    // The person signed out, or in anew, meanwhile.
    if (await isStale(record)) return true;
    await records.set({ ...record, tokens: stored(renewed, tokens.scope) });
    return true;
  }

  async function isStale(record: SignInRecord): Promise<boolean> {
    const now = await records.get(record, record.resource);
    return now?.tokens?.access_token !== record.tokens?.access_token;
  }

  return {
    async token(account, url) {
      const record = await records.get(account, url);
      const { expiresAt, refresh_token } = record?.tokens ?? {};
      if (record && refresh_token && expiresAt !== undefined && Date.now() > expiresAt - marginMs) {
        try {
          await refresh(record);
        } catch (error) {
          if (Date.now() > expiresAt) throw error;
        }
      }
      return (await records.get(account, url))?.tokens?.access_token;
    },
    async renew(account, url, used) {
      const record = await records.get(account, url);
      if (!record?.tokens) return false;
      // Another request had it renewed while this one was on its way.
      if (record.tokens.access_token !== used) return true;
      return refresh(record);
    },
  };
}

/** Tokens as they are kept: with the time of their end instead of their length of life. */
export function stored(tokens: OAuthTokens, scope: string | undefined): NonNullable<SignInRecord['tokens']> {
  const { expires_in, ...rest } = tokens;
  return {
    ...rest,
    scope: rest.scope ?? scope,
    ...(expires_in === undefined ? {} : { expiresAt: Date.now() + expires_in * 1000 }),
  };
}

/** Bounded in time. Headers of the MCP server are not sent along: this is another host. */
export const authServerFetch = (url: string | URL, init?: RequestInit): Promise<Response> =>
  fetch(url, { ...init, signal: AbortSignal.timeout(authServerTimeoutMs) });

/** Tells the authorization server that the tokens are not used any more (RFC 7009); false when it did not hear it. */
export async function revoke({ metadata, tokens, client }: SignInRecord): Promise<boolean> {
  const endpoint = URL.parse(String(metadata?.revocation_endpoint));
  if (!tokens || !client || !endpoint) return true;
  if (endpoint.protocol !== 'https:' && !['127.0.0.1', 'localhost', '[::1]'].includes(endpoint.hostname)) return false;
  const token = tokens.refresh_token ?? tokens.access_token;
  const secret = typeof client.client_secret === 'string' && { client_secret: client.client_secret };
  const body = new URLSearchParams({ token, client_id: client.client_id, ...secret });
  // A redirect would carry the token to wherever it points.
  const told = authServerFetch(endpoint, { method: 'POST', body, redirect: 'error' });
  return told.then(
    (response) => response.ok,
    () => false,
  );
}

/** Of what the authorization server said only its code is told: its text may quote what it was sent. */
function notRenewed({ server, authorizationServer }: SignInRecord, error: unknown): Error {
  const how = error instanceof OAuthError ? `answered with "${String(error.code).slice(0, 60)}"` : 'cannot be reached';
  const host = URL.parse(authorizationServer)?.host ?? authorizationServer;
  return fail('SERVER_UNREACHABLE', `The sign-in to "${server}" could not be renewed: ${host} ${how}.`, {
    server,
    hint: 'Try again later; if it stays so, sign in anew.',
  });
}
