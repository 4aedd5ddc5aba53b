/** One sign-in by a person: discovery, registration, the browser, the answer, the tokens (OAuth 2.1 with PKCE). */
import { randomBytes } from 'node:crypto';
import {
  type AuthorizationServerMetadata,
  auth,
  exchangeAuthorization,
  OAuthClientFlowError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  OAuthError,
  RegistrationRejectedError,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { fail, GatehouseError } from '../../../shared/failure.ts';
import type { OAuthClient } from '../../../shared/model.ts';
import type { Host } from '../host.ts';
import { type Callback, openCallback } from './callback.ts';
import { type Account, resourceOf, type SignInRecord } from './records.ts';
import { authServerFetch, stored } from './renewal.ts';

/** How long the browser may take. */
const consentTimeoutMs = 5 * 60_000;

export interface ConsentOptions {
  host: Host;
  account: Account;
  url: string;
  /** A client that the person registered; without one Gatehouse registers itself. */
  oauth: OAuthClient | undefined;
  /** What is kept of an earlier sign-in; its registration is used again where it still fits. */
  earlier: SignInRecord | undefined;
  /** What the server asked for when it refused a request. */
  challenge: { resourceMetadataUrl?: URL; scope?: string } | undefined;
  signal: AbortSignal;
}

/** Opens the browser and resolves with the record to keep. Rejects with a failure that holds no secret. */
export async function askConsent(options: ConsentOptions): Promise<SignInRecord> {
  const callback = await openCallback(options.earlier?.redirectUrl, options.oauth?.redirectUrl);
  try {
    return await run(options, callback);
  } catch (error) {
    throw explained(error, options);
  } finally {
    callback.close();
  }
}

async function run({ host, account, url, oauth, earlier, challenge, signal }: ConsentOptions, callback: Callback) {
  const { server } = account;
  const { redirectUrl } = callback;
  const state = randomBytes(32).toString('base64url');
  const answer = callback.answer(state);
  const fits = earlier?.redirectUrl === redirectUrl;
  const metadataUrl = host.env.GATEHOUSE_CLIENT_METADATA_URL;
  const scope = oauth?.scopes ? oauth.scopes.join(' ') : challenge?.scope;
  let client = oauth ? registeredClient(oauth, earlier) : fits ? earlier?.client : undefined;
  let discovery: OAuthDiscoveryState | undefined;
  let verifier = '';
  let indicator: string | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Gatehouse',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    ...(metadataUrl && { clientMetadataUrl: metadataUrl }),
    state: () => state,
    clientInformation(context) {
      // One that the person registered belongs to the authorization server that it is used at first.
      if (client && oauth) client = { ...context, ...client };
      return client as Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
    },
    saveClientInformation: (saved) => {
      client = saved;
    },
    tokens: () => undefined,
    saveTokens: () => {},
    saveCodeVerifier: (made) => {
      verifier = made;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (found) => {
      discovery = found;
    },
    discoveryState: () => undefined,
    saveResourceUrl: (resource) => {
      indicator = resource;
    },
    redirectToAuthorization: async (to) => {
      // What the authorization server publishes must not make us open a file or a program.
      if (!['http:', 'https:'].includes(to.protocol))
        throw fail('URL_REFUSED', `The sign-in page of "${server}" is no web address (${to.protocol}).`, { server });
      await host.openUrl(to.href);
    },
  };
  await auth(provider, {
    ...{ serverUrl: url, ...challenge, ...(scope && { scope }) },
    ...{ fetchFn: authServerFetch, forceReauthorization: true },
  });
  const params = await within(answer, signal, server);
  const authorizationServer = discovery?.authorizationServerUrl ?? new URL('/', url).href;
  const metadata: AuthorizationServerMetadata | undefined = discovery?.authorizationServerMetadata;
  const iss = params.get('iss') ?? undefined;
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const refusal = params.get('error');
  if (refusal !== null) throw refused(server, refusal, params.get('error_description'));
  const authorizationCode = params.get('code');
  if (authorizationCode === null || !client) throw refused(server, 'no code', null);
  const tokens = await exchangeAuthorization(authorizationServer, {
    clientInformation: client,
    authorizationCode,
    ...(iss !== undefined && { iss }),
    codeVerifier: verifier,
    redirectUri: redirectUrl,
    ...(metadata && { metadata }),
    ...(indicator !== undefined && { resource: indicator }),
    fetchFn: authServerFetch,
  });
  return {
    ...account,
    resource: resourceOf(url),
    authorizationServer,
    ...(metadata && { metadata: metadata as unknown as Record<string, unknown> }),
    ...(indicator !== undefined && { indicator }),
    client,
    redirectUrl,
    tokens: stored(tokens, scope),
  };
}

/** Once it was used at one authorization server, its secret goes to no other, whatever the MCP server may say later. */
function registeredClient({ clientId, clientSecret }: OAuthClient, earlier: SignInRecord | undefined) {
  const issuer = earlier?.client?.client_id === clientId ? earlier.client.issuer : undefined;
  return {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    ...(typeof issuer === 'string' && { issuer }),
  };
}

function within(answer: Promise<URLSearchParams>, signal: AbortSignal, server: string): Promise<URLSearchParams> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(fail('CANCELLED', `The sign-in to "${server}" was given up.`, { server }));
  const late = () =>
    reject(
      fail('SERVER_AUTH_REQUIRED', `Nobody finished the sign-in to "${server}" in the browser.`, {
        server,
        hint: 'Sign in again.',
      }),
    );
  const timer = setTimeout(late, consentTimeoutMs);
  timer.unref();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([answer, promise]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  });
}

function refused(server: string, code: string, description: string | null): Error {
  const said = description ? `: ${plain(description)}` : '.';
  const hint = code === 'access_denied' ? 'Sign in again and allow the access.' : 'Sign in again.';
  return fail('SERVER_AUTH_REQUIRED', `The sign-in to "${server}" was refused (${plain(code)})${said}`, {
    server,
    hint,
  });
}

/** Foreign text for a message: one short line. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 200);
}

function explained(error: unknown, { account: { server }, url }: ConsentOptions): Error {
  if (error instanceof GatehouseError) return error;
  const at = new URL(url).host;
  // The SDK has no class of its own for a server that publishes no registration at all.
  if (error instanceof RegistrationRejectedError || /dynamic client registration/.test(String(error))) {
    return fail('SERVER_AUTH_REQUIRED', `The sign-in server of "${server}" does not let Gatehouse register.`, {
      server,
      hint: 'Register a client there by hand and set it as "oauth": {"clientId": "…"}, or set a token in the headers of the server.',
    });
  }
  // The SDK's own words name the rule that was broken; an authorization server's text might quote what it was sent.
  const words =
    error instanceof OAuthError
      ? `it answered with "${plain(String(error.code))}".`
      : error instanceof OAuthClientFlowError || !(error instanceof TypeError)
        ? plain(error instanceof Error ? error.message : String(error))
        : 'its sign-in server cannot be reached.';
  return fail('SERVER_AUTH_REQUIRED', `The sign-in to "${server}" at ${at} failed: ${words}`, {
    server,
    hint: 'Try again; if it stays so, set a token in the headers of the server.',
  });
}
