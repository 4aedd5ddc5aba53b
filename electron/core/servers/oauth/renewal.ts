/** Access tokens for requests: read from the record, and renewed by one request at a time when they expire. */
import {
  type AuthorizationServerMetadata,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  refreshAuthorization,
} from '@modelcontextprotocol/client';
import { fail, ToolkeepError } from '../../../../shared/failure.ts';
import type { Host } from '../../host.ts';
import { createAuthFetch } from './auth-fetch.ts';
import { type Account, keyOf, type Records, type SignInRecord } from './records.ts';

/** A token is renewed this many milliseconds before it expires, because requests take time. */
const marginMs = 15_000;
/** A renewed token counts as valid for at least this long. One that arrives expired would be renewed at each request. */
const minLifetimeMs = marginMs + 60_000;
/** Ten years, because infinity cannot be stored. */
const maxLifetimeMs = 10 * 365 * 24 * 60 * 60 * 1000;

export type Renewal = ReturnType<typeof createRenewal>;

export function createRenewal(host: Host, records: Records) {
  /**
   * The refresh in progress for each account. A refresh token can be used once; a second use may revoke the sign-in.
   */
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
    const send = createAuthFetch(record.resource);
    let status = 0;
    let renewed: OAuthTokens;
    try {
      renewed = await refreshAuthorization(authorizationServer, {
        refreshToken: tokens.refresh_token,
        clientInformation: client,
        ...(metadata && { metadata: metadata as unknown as AuthorizationServerMetadata }),
        ...(indicator !== undefined && { resource: indicator }),
        fetchFn: async (...request) => {
          const response = await send(...request);
          status = response.status;
          return response;
        },
      });
    } catch (error) {
      if (await isStale(record)) return true;
      const code = error instanceof OAuthError ? error.code : undefined;
      const isClientGone = code === OAuthErrorCode.InvalidClient || code === OAuthErrorCode.UnauthorizedClient;
      if (!isClientGone && !isRefusal(status, code)) throw notRenewed(record, error, status);
      host.log('info', `The sign-in to "${server}" expired: its renewal was refused (HTTP ${status}).`);
      const { tokens: _gone, client: registered, ...rest } = record;
      await records.set(isClientGone ? rest : { ...rest, client: registered });
      return false;
    }
    // The user has signed out or in again in the meantime.
    if (await isStale(record)) return true;
    await records.set({ ...record, tokens: toStored(server, renewed, tokens.scope, minLifetimeMs) });
    return true;
  }

  async function isStale(record: SignInRecord): Promise<boolean> {
    const now = await records.get(record, record.resource);
    return now?.tokens?.access_token !== record.tokens?.access_token;
  }

  return {
    /** The token to send, renewed if it has expired. */
    async token(account: Account, url: string): Promise<string | undefined> {
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
    /**
     * Call when a server has refused the token `used`. Resolves with true if another token is available, or with false if
     * the user has to sign in.
     */
    async renew(account: Account, url: string, used: string | undefined): Promise<boolean> {
      const record = await records.get(account, url);
      if (!record?.tokens) return false;
      // Another request has renewed it in the meantime.
      if (record.tokens.access_token !== used) return true;
      return refresh(record);
    },
  };
}

/** Tokens in stored form, with an expiry time instead of a lifetime. Throws SERVER_AUTH_REQUIRED for a token that cannot be sent. */
export function toStored(
  server: string,
  tokens: OAuthTokens,
  scope: string | undefined,
  leastMs = 0,
): NonNullable<SignInRecord['tokens']> {
  const { expires_in, ...rest } = tokens;
  // These are the characters of RFC 6749. The error about a header with others would quote the token.
  if (!/^[\x20-\x7e]+$/.test(rest.access_token))
    throw fail('SERVER_AUTH_REQUIRED', `The sign-in to "${server}" failed: its token cannot be sent in a header.`, {
      server,
      hint: "Set a token in the server's headers.",
    });
  return {
    ...rest,
    scope: rest.scope ?? scope,
    ...(expires_in !== undefined && {
      expiresAt: Date.now() + Math.min(Math.max(expires_in * 1000, leastMs), maxLifetimeMs),
    }),
  };
}

/** Describes an error that an authorization server sent. Its text, or an unusual code, might quote the secret that it received. */
export function answered({ code }: OAuthError): string {
  return /^[a-z_]{1,40}$/.test(code) ? `answered with "${code}"` : 'answered with an error';
}

/** Revokes the tokens (RFC 7009); false if that failed. */
export async function revoke({ metadata, tokens, client, resource }: SignInRecord): Promise<boolean> {
  const endpoint = URL.parse(String(metadata?.revocation_endpoint));
  if (!tokens || !client || !endpoint) return true;
  if (endpoint.protocol !== 'https:' && !['127.0.0.1', 'localhost', '[::1]'].includes(endpoint.hostname)) return false;
  const token = tokens.refresh_token ?? tokens.access_token;
  const secret = typeof client.client_secret === 'string' && { client_secret: client.client_secret };
  const body = new URLSearchParams({ token, client_id: client.client_id, ...secret });
  return createAuthFetch(resource)(endpoint, { method: 'POST', body }).then(
    (response) => response.ok,
    () => false,
  );
}

/** Whether trying again cannot help. Many servers refuse a dead token with another code than `invalid_grant`, some with HTTP 200. */
function isRefusal(status: number, code: string | undefined): boolean {
  if (code === OAuthErrorCode.InvalidGrant) return true;
  if (status >= 400 && status < 500) return status !== 408 && status !== 429;
  return status === 200 && ![undefined, 'server_error', 'temporarily_unavailable'].includes(code);
}

function notRenewed({ server, authorizationServer }: SignInRecord, error: unknown, status: number): Error {
  if (error instanceof ToolkeepError) return error;
  const sent = status === 0 ? 'could not be reached' : 'sent no valid token';
  const how = error instanceof OAuthError ? answered(error) : sent;
  const host = URL.parse(authorizationServer)?.host ?? authorizationServer;
  const message = `The sign-in to "${server}" could not be renewed: ${host} ${how}.`;
  const hint = 'Try again later; if it keeps failing, sign in again.';
  // Without a cause, the request would count as sent and the connection as usable, so that each call tries a renewal.
  return new ToolkeepError({ code: 'SERVER_UNREACHABLE', message, server, hint }, { cause: new Error('Not renewed.') });
}
