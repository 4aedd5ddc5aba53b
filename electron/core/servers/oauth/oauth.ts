/**
 * OAuth for HTTP servers: supplies and renews the tokens of requests. Contacts an authorization server and opens the browser
 * only in `signIn`, which the user starts.
 */
import { computeScopeUnion, extractWWWAuthenticateParams, UnauthorizedError } from '@modelcontextprotocol/client';
import { fail } from '../../../../shared/failure.ts';
import { limits } from '../../../../shared/limits.ts';
import type { OAuthClient } from '../../../../shared/model/server.ts';
import type { Host } from '../../host.ts';
import type { HttpAuthorization } from '../types.ts';
import { askConsent, type ConsentOptions } from './consent.ts';
import { type Account, keyOf, openRecords, type Records } from './records.ts';
import { createRenewal, type Renewal, revoke } from './renewal.ts';

export async function openSignIns(host: Host): Promise<SignIns> {
  const records = await openRecords(host);
  return new SignIns(host, records, createRenewal(host, records));
}

export class SignIns {
  readonly #host: Host;
  readonly #records: Records;
  readonly #renewal: Renewal;
  readonly #challenges = new Map<string, NonNullable<ConsentOptions['challenge']>>();
  readonly #waiting = new Map<string, AbortController>();
  /** By account: the URL that a waiting sign-in opened in the browser. */
  readonly #pages = new Map<string, string>();
  readonly #offered = new Set<string>();

  constructor(host: Host, records: Records, renewal: Renewal) {
    this.#host = host;
    this.#records = records;
    this.#renewal = renewal;
  }

  /** Authorizes the requests of one connection to `url`. */
  authorization(account: Account, url: string): HttpAuthorization {
    /** The token that each refused request used. When the refusal arrives, there may already be a newer token. */
    const usedTokens = new WeakMap<Response, string | undefined>();
    return {
      token: () => this.#renewal.token(account, url),
      recording: (send) => async (input, init) => {
        const received = await send(input, init);
        if (received.status !== 401 && received.status !== 403) return received;
        if (received.headers.has('www-authenticate')) this.#noteChallenge(keyOf(account), received);
        const response = received.status === 401 ? withoutScope(received) : received;
        usedTokens.set(response, new Headers(init?.headers).get('authorization')?.replace(/^Bearer /, ''));
        return response;
      },
      onUnauthorized: async ({ response }) => {
        const used = usedTokens.get(response);
        if (await this.#renewal.renew(account, url, used)) return;
        this.#requireSignIn(account, response, used);
      },
    };
  }

  /** Opens the browser, and calls `onWaiting` when it has. A new attempt replaces one that is still waiting. */
  async signIn(account: Account, url: string, oauth: OAuthClient | undefined, onWaiting: () => void): Promise<void> {
    const { server } = account;
    const key = keyOf(account);
    this.#cancel(key);
    const controller = new AbortController();
    this.#waiting.set(key, controller);
    const earlier = await this.#records.get(account, url);
    try {
      const { signal } = controller;
      const challenge = this.#challenges.get(key);
      const onPage = (page: string) => {
        this.#pages.set(key, page);
        onWaiting();
      };
      const record = await askConsent({ host: this.#host, account, url, oauth, earlier, challenge, signal, onPage });
      if (signal.aborted) throw fail('CANCELLED', `The sign-in to "${server}" was canceled.`, { server });
      await this.#records.set(record);
    } catch (error) {
      // The registration may be the cause: if the authorization server deleted it, it never redirects back.
      if (earlier?.client && !earlier.tokens) {
        const { client: _mayBeStale, ...rest } = earlier;
        await this.#records.set(rest);
      }
      throw error;
    } finally {
      if (this.#waiting.get(key) === controller) {
        this.#waiting.delete(key);
        this.#pages.delete(key);
      }
    }
  }

  /** Deletes the tokens and revokes them if the authorization server supports that. */
  async signOut(account: Account): Promise<void> {
    this.#cancel(keyOf(account));
    const record = await this.#records.remove(account);
    if (record && !(await revoke(record)))
      this.#host.log('info', `The sign-in to "${account.server}" was deleted here but could not be revoked.`);
  }

  /** The page of the authorization server, while a sign-in waits for the browser. */
  waitingPage = (account: Account): string | undefined => this.#pages.get(keyOf(account));

  cancel = (account: Account): void => this.#cancel(keyOf(account));

  isSignedIn = (account: Account): boolean => this.#records.hasTokens(account);

  /** True if the server refused a request without a valid token, so that a sign-in may help. */
  isOffered = (account: Account): boolean => this.#offered.has(keyOf(account));

  /** Cancels the sign-ins that are waiting for the browser. */
  close(): void {
    for (const key of [...this.#waiting.keys()]) this.#cancel(key);
  }

  #cancel(key: string): void {
    this.#waiting.get(key)?.abort();
    this.#waiting.delete(key);
    this.#pages.delete(key);
  }

  #noteChallenge(key: string, response: Response): void {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    // Add the scopes that this call needs to those that earlier calls needed.
    const scopes = withinLimits(computeScopeUnion(scope, this.#challenges.get(key)?.scope));
    this.#challenges.set(key, {
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(scopes && { scope: scopes }),
    });
  }

  /**
   * Throws SERVER_AUTH_REQUIRED. Uses only the response: its URLs are not contacted until the user starts a sign-in.
   */
  #requireSignIn(account: Account, response: Response, used: string | undefined): never {
    const { server } = account;
    if (!/^bearer\b/i.test(response.headers.get('www-authenticate') ?? '')) throw new UnauthorizedError();
    this.#offered.add(keyOf(account));
    throw fail('SERVER_AUTH_REQUIRED', `"${server}" requires you to sign in${used === undefined ? '' : ' again'}.`, {
      server,
      hint: `Press "Sign in" in the window, or run \`toolkeep sign-in ${server}\`.`,
    });
  }
}

/** Keeps the first scopes. A server could name others with each refusal. */
function withinLimits(scopes: string | undefined): string {
  const { scopes: most, scopeCharacters } = limits.server;
  const first = scopes?.split(' ', most).join(' ') ?? '';
  if (first.length <= scopeCharacters) return first;
  return first.slice(0, Math.max(0, first.lastIndexOf(' ', scopeCharacters)));
}

/** The SDK's transport would collect the scopes of all such responses. */
function withoutScope(refused: Response): Response {
  const response = new Response(refused.body, refused);
  const scheme = response.headers.get('www-authenticate')?.split(' ', 1)[0];
  if (scheme !== undefined) response.headers.set('www-authenticate', scheme);
  return response;
}
