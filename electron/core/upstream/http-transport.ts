/** The SDK's HTTP transports, fenced in, and what goes wrong on HTTP in plain words. */
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
import { type Failure, type FailureCode, fail, GatehouseError } from '../../../shared/failure.ts';
import type { ResolvedConnection } from '../secrets/secrets.ts';
import type { HttpAuthorization } from './types.ts';

export interface HttpOptions {
  server: string;
  connection: Extract<ResolvedConnection, { type: 'http' | 'sse' }>;
  authorization?: HttpAuthorization | undefined;
}

/** Throws CONFIG_INVALID for an address or a header that no request could carry; never quotes a header's value. */
export function checkHttp({ server, connection }: HttpOptions): URL {
  const url = URL.parse(connection.url);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw fail('CONFIG_INVALID', `"${connection.url.split(/[?#]/)[0]}" of "${server}" is no http or https address.`, {
      server,
      path: 'connection.url',
    });
  }
  for (const [name, value] of Object.entries(connection.headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      const message = `The header "${name}" of "${server}" holds characters that a header cannot have, such as a line end.`;
      // The cause is left out on purpose: it quotes the value.
      throw fail('CONFIG_INVALID', message, { server, path: `connection.headers.${name}` });
    }
  }
  return url;
}

/** Redirects are followed within the origin only (the SDK's default), so headers never reach another host. */
export function createHttpTransport(options: HttpOptions, kind: 'streamable' | 'sse'): Transport {
  const url = checkHttp(options);
  const requestInit = { headers: options.connection.headers };
  const { authorization } = options;
  const auth = authorization ? { authProvider: authorization, fetch: authorization.fetch } : {};
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

/** The HTTP status inside whatever the SDK threw. */
export function httpStatus(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  if (error instanceof SseError) return error.code;
  if (error instanceof UnauthorizedError) return 401;
  if (error instanceof InsufficientScopeError) return 403;
  const inText = error instanceof Error ? /\(HTTP (\d{3})\)/.exec(error.message) : null;
  return inText ? Number(inText[1]) : undefined;
}

/** The server is not there any more, or wants another sign-in, rather than that one request failed. */
export function meansLost(error: unknown): error is GatehouseError {
  if (!(error instanceof GatehouseError)) return false;
  const { code } = error.failure;
  if (code === 'SERVER_AUTH_REQUIRED') return httpStatus(error.cause ?? error) !== 403;
  // Without a cause the request was sent and only its answer was cut off.
  return code === 'SERVER_UNREACHABLE' && error.cause !== undefined;
}

/** Turns what an HTTP transport throws into a failure that names status or cause and the cure. */
export function explainHttp(error: unknown, server: string, url: string): Error {
  if (error instanceof GatehouseError) return error;
  return new GatehouseError(httpFailure(error, server, url), { cause: error });
}

function httpFailure(error: unknown, server: string, url: string): Failure {
  const at = URL.parse(url)?.host ?? url;
  const status = httpStatus(error);
  const text = error instanceof Error ? error.message : String(error);
  if (/redirect/i.test(text) && (status === undefined || (status >= 300 && status < 400))) {
    const target = /Redirect to (\S+) not followed/.exec(text)?.[1];
    const message = `${at} redirects "${server}" to ${target ?? 'another address'} (HTTP ${status ?? '3xx'}); its headers are not sent there.`;
    return failure('SERVER_HTTP_ERROR', message, { server, hint: 'If that is the server, enter it as the URL.' });
  }
  if (error instanceof InsufficientScopeError) {
    const wanted = error.requiredScope ? ` It wants "${error.requiredScope}".` : '';
    return failure('SERVER_AUTH_REQUIRED', `Your sign-in to "${server}" does not allow this.${wanted}`, {
      server,
      hint: 'Sign in again in Gatehouse to allow it.',
    });
  }
  if (status === 401 || status === 403) {
    return failure('SERVER_AUTH_REQUIRED', `${at} refused "${server}" (HTTP ${status}).`, {
      server,
      hint: status === 401 ? 'Sign in, or set the token in the headers of the server.' : 'The token may lack rights.',
    });
  }
  if (status !== undefined) {
    return failure('SERVER_HTTP_ERROR', `${at} answered "${server}" with HTTP ${status}${statusWords[status] ?? ''}.`, {
      server,
      hint: statusHints[status] ?? (status >= 500 ? 'The fault is on the server; try again later.' : undefined),
    });
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent) {
    return failure('SERVER_PROTOCOL_ERROR', `${at} does not answer as an MCP server: ${text}`, {
      server,
      hint: 'Is this the address of the MCP endpoint itself?',
    });
  }
  const cause = deepestCause(error);
  return failure('SERVER_UNREACHABLE', `"${server}" at ${at} cannot be reached: ${cause.words}`, {
    server,
    hint: cause.hint,
  });
}

function failure(code: FailureCode, message: string, more: Omit<Failure, 'code' | 'message'>): Failure {
  return { code, message, ...more };
}

const statusWords: Record<number, string> = {
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
  429: 'It wants fewer requests; wait a while.',
};

const networkWords: Record<string, { words: string; hint: string }> = {
  ECONNREFUSED: { words: 'nothing listens there.', hint: 'Start the server, or correct the address.' },
  ENOTFOUND: { words: 'the host name is unknown.', hint: 'Correct the address, or check the network.' },
  EAI_AGAIN: { words: 'the host name could not be looked up.', hint: 'Check the network.' },
  ECONNRESET: { words: 'the connection was cut.', hint: 'Try again.' },
  ETIMEDOUT: { words: 'there was no answer.', hint: 'Check the network.' },
  UND_ERR_CONNECT_TIMEOUT: { words: 'there was no answer.', hint: 'Check the network.' },
  UND_ERR_SOCKET: { words: 'the connection was cut.', hint: 'Try again.' },
};

function deepestCause(error: unknown): { words: string; hint?: string } {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  const code = (deepest as NodeJS.ErrnoException)?.code;
  const text = deepest instanceof Error ? deepest.message : String(deepest);
  const known = networkWords[String(code)];
  if (known) return known;
  if (text === 'bad port')
    return { words: 'HTTP clients refuse this port.', hint: 'Let the server listen on another one.' };
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(String(code))) {
    return {
      words: `its certificate is not trusted or TLS failed (${code}).`,
      hint: 'For a private authority set NODE_EXTRA_CA_CERTS for Gatehouse.',
    };
  }
  return { words: `${text}${code ? ` (${code})` : ''}` };
}
