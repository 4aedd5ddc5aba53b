/** Who may come in over HTTP: only this machine, and only with the token. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface HttpRefusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

/**
 * Why a request is refused; undefined when it may come in. Host and Origin are checked although the server listens on
 * 127.0.0.1: a web page could reach it through a name of its own that resolves there.
 */
export function refuse(request: IncomingMessage, token: string): HttpRefusal | undefined {
  const { host, origin, authorization } = request.headers;
  if (!isLoopback(`http://${host}`)) return { status: 403, message: `The host "${host}" is not 127.0.0.1.` };
  if (origin !== undefined && !isLoopback(origin))
    return { status: 403, message: `The origin "${origin}" is not allowed.` };
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (given !== undefined && sameToken(given, token)) return undefined;
  const message = 'A bearer token is needed; it is in the file run/token of the Gatehouse folder.';
  return { status: 401, message, headers: { 'www-authenticate': 'Bearer' } };
}

/** Nearly every request names the same few. */
const usual = /^http:\/\/(?:127\.0\.0\.1|localhost)(?::[1-5]?\d{1,4})?$/;

function isLoopback(url: string): boolean {
  if (usual.test(url)) return true;
  const hostname = URL.parse(url)?.hostname;
  return hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]';
}

/** Compares in constant time. */
export function sameToken(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
