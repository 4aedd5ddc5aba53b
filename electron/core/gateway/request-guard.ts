/** The one guard of the loopback server: which requests are local, and whether a secret matches. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The access that a token grants. */
export interface TokenAccess {
  /** New when the token is rotated, so the sessions of the old one end. */
  id: string;
  /** The client that the user gave it to. */
  name: string;
  /** Its client sees this profile and no other. */
  profile?: string;
}

export interface HttpRefusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

/**
 * Why a request does not come from this machine's own address; undefined when it does. The server listens on 127.0.0.1
 * only, but a web page can reach it through a name of its own that resolves there (DNS rebinding shows in Host), and any
 * page may send it requests (a foreign page shows in Origin). Both must name the very port of the connection.
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

/** The access of a local request to `/mcp` that carries a bearer token, or why it is refused. */
export function admit(
  request: IncomingMessage,
  authorize: (bearer: string) => TokenAccess | undefined,
): { access: TokenAccess } | { refusal: HttpRefusal } {
  const message = refusedOrigin(request);
  if (message) return { refusal: { status: 403, message } };
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const access = bearer === undefined ? undefined : authorize(bearer);
  if (access) return { access };
  return {
    refusal: {
      status: 401,
      message: 'A client token of Gatehouse is needed. Create one with `gatehouse token create NAME`.',
      headers: { 'www-authenticate': 'Bearer' },
    },
  };
}

/** Compares two secrets in constant time. */
export function sameSecret(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
