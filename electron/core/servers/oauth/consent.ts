/** One sign-in by the user: discovery, registration, the browser, the redirect, the tokens (OAuth 2.1 with PKCE). */
import { randomBytes } from 'node:crypto';
import {
  type AuthorizationServerMetadata,
  auth,
  exchangeAuthorization,
  IssuerMismatchError,
  OAuthClientFlowError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  OAuthError,
  RegistrationRejectedError,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import type * as z from 'zod';
import { fail, ToolkeepError } from '../../../../shared/failure.ts';
import type { OAuthClient } from '../../../../shared/model/server.ts';
import { messageOf } from '../../../../shared/text-from.ts';
import { withDeadline } from '../../async/deadline.ts';
import type { Host } from '../../host.ts';
import { createAuthFetch, createUrlCheck } from './auth-fetch.ts';
import { type Callback, openCallback } from './callback.ts';
import { clientMetadata, metadataUrl } from './client-metadata.ts';
import { type Account, resourceOf, type SignInRecord } from './records.ts';
import { answered, toStored } from './renewal.ts';

/** How long the user may take in the browser, in milliseconds. */
const consentTimeoutMs = 5 * 60_000;

export interface ConsentOptions {
  host: Host;
  account: Account;
  url: string;
  /** A client that the user registered. Without one, Toolkeep registers itself. */
  oauth: OAuthClient | undefined;
  /** The record of an earlier sign-in, whose registration is reused if it still fits. */
  earlier: SignInRecord | undefined;
  /** The scope and metadata URL from the server's refusal of a request. */
  challenge: { resourceMetadataUrl?: URL; scope?: string } | undefined;
  signal: AbortSignal;
  /** Called with the page before it opens in the browser. */
  onPage(url: string): void;
}

/** Opens the browser and resolves with the record to store. Rejects with a failure that contains no secret. */
export async function askConsent(options: ConsentOptions): Promise<SignInRecord> {
  const callback = await openCallback(options.earlier?.redirectUrl, options.oauth?.redirectUrl);
  try {
    return await new Consent(options, callback).run();
  } catch (error) {
    throw toFailure(error, options);
  } finally {
    callback.close();
  }
}

class Consent {
  readonly #options: ConsentOptions;
  readonly #callback: Callback;
  readonly #state = randomBytes(32).toString('base64url');
  readonly #fetch: ReturnType<typeof createAuthFetch>;
  readonly #scope: string | undefined;
  #client: SignInRecord['client'];
  #discovery: OAuthDiscoveryState | undefined;
  #redirectUrl: string;
  #verifier = '';
  #resourceIndicator: string | undefined;

  constructor(options: ConsentOptions, callback: Callback) {
    const { oauth, earlier, challenge, url } = options;
    this.#options = options;
    this.#callback = callback;
    this.#redirectUrl = callback.redirectUrl;
    this.#fetch = createAuthFetch(url);
    this.#scope = oauth?.scopes ? oauth.scopes.join(' ') : challenge?.scope;
    const isSameRedirect = earlier?.redirectUrl === callback.redirectUrl;
    this.#client = oauth ? registeredClient(oauth, earlier) : isSameRedirect ? earlier?.client : undefined;
  }

  async run(): Promise<SignInRecord> {
    const response = this.#callback.response(this.#state);
    await this.#ask().catch((error) => {
      const local = this.#redirectUrl.replace('//127.0.0.1:', '//localhost:');
      if (local === this.#redirectUrl || !mayRefuseRedirect(error)) throw error;
      this.#redirectUrl = local;
      return this.#ask();
    });
    return this.#redeem(await this.#within(response));
  }

  async #ask(): Promise<void> {
    const { url, challenge } = this.#options;
    await auth(this.#provider(), {
      serverUrl: url,
      ...challenge,
      ...(this.#scope && { scope: this.#scope }),
      fetchFn: this.#fetch,
      forceReauthorization: true,
      // `requireSameOrigin` checks it, because many authorization servers differ from their address by a slash or a path.
      skipIssuerMetadataValidation: true,
    });
  }

  #provider(): OAuthClientProvider {
    const { host, oauth, account, url } = this.#options;
    const redirectUrl = this.#redirectUrl;
    return {
      redirectUrl,
      clientMetadata: clientMetadata(redirectUrl),
      clientMetadataUrl: metadataUrl(host.env),
      state: () => this.#state,
      clientInformation: (context) => {
        // Bind a client that the user registered to the first authorization server that it is used with.
        if (this.#client && oauth) this.#client = { ...context, ...this.#client };
        return this.#client as Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
      },
      saveClientInformation: (client) => {
        this.#client = client;
      },
      tokens: () => undefined,
      saveTokens: () => {},
      saveCodeVerifier: (verifier) => {
        this.#verifier = verifier;
      },
      codeVerifier: () => this.#verifier,
      saveDiscoveryState: (discovery) => {
        requireMetadata(account.server, discovery);
        requireSameOrigin(host, account.server, discovery);
        requirePkce(account.server, discovery);
        this.#discovery = discovery;
      },
      discoveryState: () => undefined,
      saveResourceUrl: (resource) => {
        this.#resourceIndicator = resource;
      },
      redirectToAuthorization: async (target) => {
        // An authorization server must not be able to make the browser open a file, a program or a local address.
        await createUrlCheck(url)(target);
        this.#options.onPage(target.href);
        await host.openUrl(target.href);
      },
    };
  }

  /** Exchanges the authorization code for tokens. */
  async #redeem(params: URLSearchParams): Promise<SignInRecord> {
    const { account, url } = this.#options;
    const authorizationServer = this.#discovery?.authorizationServerUrl ?? new URL('/', url).href;
    const metadata: AuthorizationServerMetadata | undefined = this.#discovery?.authorizationServerMetadata;
    const iss = params.get('iss') ?? undefined;
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
    const error = params.get('error');
    if (error !== null) throw refused(account.server, error, params.get('error_description'));
    const authorizationCode = params.get('code');
    if (authorizationCode === null || !this.#client) throw refused(account.server, 'no code', null);
    const tokens = await exchangeAuthorization(authorizationServer, {
      clientInformation: this.#client,
      authorizationCode,
      ...(iss !== undefined && { iss }),
      codeVerifier: this.#verifier,
      redirectUri: this.#redirectUrl,
      ...(metadata && { metadata }),
      ...(this.#resourceIndicator !== undefined && { resource: this.#resourceIndicator }),
      fetchFn: this.#fetch,
    });
    return {
      ...account,
      resource: resourceOf(url),
      authorizationServer,
      ...(metadata && { metadata: metadata as unknown as Record<string, unknown> }),
      ...(this.#resourceIndicator !== undefined && { indicator: this.#resourceIndicator }),
      client: this.#client,
      redirectUrl: this.#redirectUrl,
      tokens: toStored(account.server, tokens, this.#scope),
    };
  }

  #within(response: Promise<URLSearchParams>): Promise<URLSearchParams> {
    const { account, signal } = this.#options;
    const { server } = account;
    const timeoutError = () =>
      failed(server, `The sign-in to "${server}" was not completed in the browser.`, 'Sign in again.');
    return withDeadline(consentTimeoutMs, signal, timeoutError, () => response).catch((error) => {
      throw signal.aborted ? fail('CANCELLED', `The sign-in to "${server}" was canceled.`, { server }) : error;
    });
  }
}

/** Some authorization servers register only `localhost`, against RFC 8252, and do not all name the reason. */
const mayRefuseRedirect = (error: unknown) =>
  error instanceof RegistrationRejectedError && ([400, 422].includes(error.status) || /redirect/i.test(error.body));

/** Without metadata, nothing says where a sign-in would be. Many such servers require a token in a header. */
function requireMetadata(server: string, discovery: OAuthDiscoveryState): void {
  if (discovery.authorizationServerMetadata) return;
  const [named] = discovery.resourceMetadata?.authorization_servers ?? [];
  const ofNamed = `The sign-in server ${oneLine(named ?? '')} of "${server}" publishes no metadata.`;
  throw failed(server, named === undefined ? `"${server}" announces no sign-in server.` : ofNamed, tokenHint);
}

/** The issuer must be the named server (RFC 8414, 3.3). Another path is only logged: the owner of an origin controls its paths. */
function requireSameOrigin(host: Host, server: string, discovery: OAuthDiscoveryState): void {
  const { authorizationServerUrl: named, authorizationServerMetadata: metadata } = discovery;
  if (!metadata || [named, named.replace(/\/$/, '')].includes(metadata.issuer)) return;
  const differs = `"${server}" names the sign-in server ${oneLine(named)}, which calls itself "${oneLine(metadata.issuer)}"`;
  if (URL.parse(named)?.origin !== URL.parse(metadata.issuer)?.origin)
    throw failed(server, `${differs}. Toolkeep did not sign in, because that may be another server.`, tokenHint);
  host.log('info', `${differs}.`);
}

/**
 * MCP clients must refuse an authorization server that does not advertise PKCE with S256 (MCP authorization, "PKCE").
 */
function requirePkce(server: string, { authorizationServerMetadata: metadata }: OAuthDiscoveryState): void {
  if (metadata?.code_challenge_methods_supported?.includes('S256')) return;
  const hint = `${tokenHint} Or ask its operator to announce "code_challenge_methods_supported": ["S256"].`;
  throw failed(server, `The sign-in server of "${server}" does not support PKCE, which a safe sign-in requires.`, hint);
}

/** A registered client's secret is only ever sent to the first authorization server that it was used with. */
function registeredClient({ clientId, clientSecret }: OAuthClient, earlier: SignInRecord | undefined) {
  const issuer = earlier?.client?.client_id === clientId ? earlier.client.issuer : undefined;
  return {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    ...(typeof issuer === 'string' && { issuer }),
  };
}

const tokenHint = "Set a token in the server's headers.";
const failed = (server: string, message: string, hint: string) =>
  fail('SERVER_AUTH_REQUIRED', message, { server, hint });

function refused(server: string, code: string, description: string | null): Error {
  const detail = description ? `: ${oneLine(description)}` : '.';
  const hint = code === 'access_denied' ? 'Sign in again and allow access.' : 'Sign in again.';
  return failed(server, `The sign-in to "${server}" was refused (${oneLine(code)})${detail}`, hint);
}

/** Formats untrusted text as one short line. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 200);
}

function toFailure(error: unknown, { account: { server }, url }: ConsentOptions): Error {
  if (error instanceof ToolkeepError) return error;
  // The SDK has no error class for a server without a registration endpoint.
  if (error instanceof RegistrationRejectedError || /dynamic client registration/.test(messageOf(error))) {
    const hint = `Register a client there and set it as "oauth": {"clientId": "…"}. Or: ${tokenHint}`;
    return failed(server, `The sign-in server of "${server}" does not allow Toolkeep to register as a client.`, hint);
  }
  // The same sign-in cannot succeed later if an answer violates a rule or has the wrong form.
  const isFinal =
    error instanceof OAuthClientFlowError || error instanceof SyntaxError || isOfWrongForm(error) || isRule(error);
  const hint = isFinal ? tokenHint : `Try again. If it keeps failing: ${tokenHint}`;
  return failed(server, `The sign-in to "${server}" at ${new URL(url).host} failed: ${reasonOf(error)}`, hint);
}

/** Whether it is an error of the SDK's validator, whose message is JSON. */
const isOfWrongForm = (error: unknown): error is z.ZodError => error instanceof Error && /ZodError$/.test(error.name);
const isRule = (error: unknown) => /^(?:Incompatible auth server|Protected resource)\b/.test(messageOf(error));

/**
 * The SDK's own messages name the violated rule. An authorization server's text might quote the secret that it
 * received.
 */
function reasonOf(error: unknown): string {
  if (error instanceof OAuthError) return `it ${answered(error)}.`;
  // The other issuer may be an attacker's text (RFC 9207).
  if (error instanceof IssuerMismatchError)
    return 'the answer in the browser does not name the sign-in server that was asked.';
  if (error instanceof SyntaxError) return 'its sign-in server did not answer with JSON.';
  if (error instanceof TypeError && !(error instanceof OAuthClientFlowError))
    return 'its sign-in server cannot be reached.';
  if (isOfWrongForm(error))
    return `its sign-in server sent an invalid answer: ${oneLine(error.issues.map(({ path }) => path.join('.')).join(', '))}.`;
  return oneLine(messageOf(error));
}
