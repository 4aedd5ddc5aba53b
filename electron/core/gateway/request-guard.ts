/** The request guard of the loopback server: decides which requests are local and whether a secret matches. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TokenKind } from '../../../shared/model/token.ts';

/** The access that a token grants. */
export interface TokenAccess {
  /** Changes when the token is rotated, which ends the sessions of the old token. */
  id: string;
  /** The client that the user issued it to. */
  name: string;
  /** The only profile that its client sees. */
  profile?: string;
}

export interface HttpRefusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

/**
 * The reason why a request is not local; undefined if it is local. The server listens only on 127.0.0.1, but a web page
 * can reach it through a host name that resolves there (DNS rebinding, visible in Host), and any page may send it
 * requests (visible in Origin). Both headers must name the exact port of the connection.
 */
export function refusedOrigin(request: Pick<IncomingMessage, 'headers' | 'socket'>): string | undefined {
  const { host, origin } = request.headers;
  const port = request.socket.localPort;
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!host || !own.includes(host.toLowerCase())) return `The host "${host}" is not 127.0.0.1:${port}.`;
  if (origin !== undefined && !own.some((address) => origin.toLowerCase() === `http://${address}`))
    return `The origin "${origin}" is not allowed.`;
  return undefined;
}

/** The access of a local request with a bearer token of this kind, or the reason for refusing it. */
export function admit(
  request: IncomingMessage,
  kind: TokenKind,
  authorize: (bearer: string, kind: TokenKind) => TokenAccess | undefined,
): { access: TokenAccess } | { refusal: HttpRefusal } {
  const message = refusedOrigin(request);
  if (message) return { refusal: { status: 403, message } };
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const access = bearer === undefined ? undefined : authorize(bearer, kind);
  if (access) return { access };
  return {
    refusal: {
      status: 401,
      message: required[kind],
      headers: { 'www-authenticate': 'Bearer' },
    },
  };
}

const required: Record<TokenKind, string> = {
  client: 'A Toolkeep client token is required. Create one with `toolkeep token create NAME`.',
  status: 'A Toolkeep status token is required. Create one with `toolkeep token create NAME --status`.',
};

/** Compares two secrets in constant time. */
export function sameSecret(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
