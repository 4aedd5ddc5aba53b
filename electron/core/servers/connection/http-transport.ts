/** The SDK's HTTP transports, with validated configuration and readable failures for HTTP errors. */
import {
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type Failure, fail, ToolkeepError } from '../../../../shared/failure.ts';
import { messageOf } from '../../../../shared/text-from.ts';
import type { ResolvedConnection } from '../../secrets/resolve.ts';
import type { HttpAuthorization } from '../types.ts';
import { limitedFetch } from './limited-fetch.ts';

export interface HttpOptions {
  server: string;
  connection: Extract<ResolvedConnection, { type: 'http' | 'sse' }>;
  authorization?: HttpAuthorization;
}

interface TransportOptions extends HttpOptions {
  maxMessageBytes: number;
  readTimeoutMs?: number | undefined;
  /** Called with the pause that a server demands together with HTTP 429, in milliseconds. */
  onRateLimit?(pauseMs: number | undefined): void;
}

/** Throws CONFIG_INVALID for a URL or header that cannot be sent. Never quotes a header's value. */
export function checkHttp({ server, connection }: HttpOptions): URL {
  const url = URL.parse(connection.url);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw fail('CONFIG_INVALID', `"${connection.url.split(/[?#]/)[0]}" of "${server}" is not an http or https URL.`, {
      server,
      path: 'connection.url',
    });
  }
  for (const [name, value] of Object.entries(connection.headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      const message = `The header "${name}" of "${server}" contains characters that are not allowed in a header, such as a line break.`;
      // Omit `cause`, because it quotes the value.
      throw fail('CONFIG_INVALID', message, { server, path: `connection.headers.${name}` });
    }
  }
  return url;
}

/** Follows redirects within the origin only (the SDK's default), so headers never reach another host. */
export function createHttpTransport(options: TransportOptions, kind: 'streamable' | 'sse'): Transport {
  const url = checkHttp(options);
  const requestInit = { headers: options.connection.headers };
  const { authorization, server, maxMessageBytes, readTimeoutMs, onRateLimit } = options;
  const limited = limitedFetch(server, { maxBytes: maxMessageBytes, readTimeoutMs, onRateLimit });
  const auth = authorization
    ? { authProvider: authorization, fetch: authorization.recording(limited) }
    : { fetch: limited };
  if (kind === 'sse') return new SSEClientTransport(url, { requestInit, ...auth });
  return new StreamableHTTPClientTransport(url, {
    requestInit,
    ...auth,
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 5,
    },
  });
}

/** The HTTP status of an error thrown by the SDK. */
export function httpStatus(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  if (error instanceof SseError) return error.code;
  if (error instanceof UnauthorizedError) return 401;
  if (error instanceof InsufficientScopeError) return 403;
  const inText = error instanceof Error ? /\(HTTP (\d{3})\)/.exec(error.message) : null;
  return inText ? Number(inText[1]) : undefined;
}

/** Converts an HTTP transport's error to a failure with its status or cause and the next step. */
export function explainHttp(error: unknown, server: string, url: string): Error {
  if (error instanceof ToolkeepError) return error;
  return new ToolkeepError({ ...httpFailure(error, server, url), server }, { cause: error });
}

const checkUrl = 'Check that the URL is the MCP endpoint itself.';

function httpFailure(error: unknown, server: string, url: string): Failure {
  const at = URL.parse(url)?.host ?? url;
  const status = httpStatus(error);
  const text = messageOf(error);
  if (/redirect/i.test(text) && (status === undefined || (status >= 300 && status < 400))) {
    const target = /Redirect to (\S+) not followed/.exec(text)?.[1];
    const message = `"${server}" at ${at} redirects to ${target ?? 'another address'} (HTTP ${status ?? '3xx'}). Toolkeep did not follow the redirect, because that would expose the headers.`;
    return { code: 'SERVER_HTTP_ERROR', message, hint: 'If that is the right server, set it as the URL.' };
  }
  if (error instanceof InsufficientScopeError) {
    const scope = error.requiredScope ? ` Required scope: "${error.requiredScope}".` : '';
    const message = `Your sign-in to "${server}" does not allow this request.${scope}`;
    return { code: 'SERVER_AUTH_REQUIRED', message, hint: 'Sign in again in Toolkeep to grant it.' };
  }
  if (status === 401 || status === 403) {
    const message = `"${server}" at ${at} refused the request (HTTP ${status}).`;
    const ifRefused = 'The token may not have the required permissions.';
    const hint = status === 401 ? "Sign in, or set the token in the server's headers." : ifRefused;
    return { code: 'SERVER_AUTH_REQUIRED', message, hint };
  }
  if (status !== undefined) {
    const message = `"${server}" at ${at} responded with HTTP ${status}${statusTexts[status] ?? ''}.`;
    const ofServer = status >= 500 ? 'The server has an internal problem; try again later.' : undefined;
    return { code: 'SERVER_HTTP_ERROR', message, hint: statusHints[status] ?? ofServer };
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent) {
    const message = `"${server}" at ${at} did not respond like an MCP server: ${text}`;
    return { code: 'SERVER_PROTOCOL_ERROR', message, hint: checkUrl };
  }
  // The SDK parses a message and checks its form; the address answers, but not with MCP.
  if (error instanceof SyntaxError || (error instanceof Error && /ZodError$/.test(error.name))) {
    const message = `"${server}" at ${at} answered with something other than an MCP message.`;
    return { code: 'SERVER_PROTOCOL_ERROR', message, hint: checkUrl };
  }
  const { description, hint } = deepestCause(error);
  return { code: 'SERVER_UNREACHABLE', message: `"${server}" at ${at} cannot be reached: ${description}`, hint };
}

const statusTexts: Record<number, string> = {
  404: ' (not found)',
  405: ' (method not allowed)',
  429: ' (too many requests)',
  500: ' (internal error)',
  502: ' (bad gateway)',
  503: ' (unavailable)',
};
const statusHints: Record<number, string> = {
  404: 'Check the path of the URL.',
  405: 'Check the path of the URL.',
  429: 'Wait a while; the server limits the number of requests.',
};

const proxyHint = 'Behind a proxy, set `network.proxy: true` in the config file.';
const networkErrors: Record<string, { description: string; hint: string }> = {
  ECONNREFUSED: { description: 'connection refused.', hint: 'Start the server, or correct the URL.' },
  ENOTFOUND: { description: 'unknown host name.', hint: `Correct the URL, or check the network. ${proxyHint}` },
  EAI_AGAIN: { description: 'the host name could not be resolved.', hint: 'Check the network.' },
  ECONNRESET: { description: 'the connection was closed.', hint: 'Try again.' },
  ETIMEDOUT: { description: 'no response.', hint: `Check the network. ${proxyHint}` },
  UND_ERR_CONNECT_TIMEOUT: { description: 'no response.', hint: `Check the network. ${proxyHint}` },
  UND_ERR_SOCKET: { description: 'the connection was closed.', hint: 'Try again.' },
};

/** The first cause of an error, with its system code. */
export function deepest(error: unknown): { text: string; code: string | undefined } {
  let last = error;
  while (last instanceof Error && last.cause instanceof Error) last = last.cause;
  const code = (last as NodeJS.ErrnoException)?.code;
  return { text: last instanceof Error ? last.message : String(last), code };
}

function deepestCause(error: unknown): { description: string; hint?: string } {
  const { text, code } = deepest(error);
  const known = networkErrors[String(code)];
  if (known) return known;
  if (text === 'bad port')
    return { description: 'HTTP clients block this port.', hint: 'Run the server on another port.' };
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(String(code))) {
    return {
      description: `its certificate is not trusted or TLS failed (${code}).`,
      hint: 'For a private certificate authority, set `network.systemCertificates: true` in the config file, or NODE_EXTRA_CA_CERTS.',
    };
  }
  return { description: `${text}${code ? ` (${code})` : ''}` };
}
