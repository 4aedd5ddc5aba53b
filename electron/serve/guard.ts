/** Who may speak to the loopback server at all, and what its pages may do. The token comes on top of this. */
import type { IncomingMessage } from 'node:http';

/**
 * Why a request is not for us; undefined when it is. A name that was rebound to 127.0.0.1 shows in Host, a foreign page in
 * Origin.
 */
export function refusalOf(request: IncomingMessage, port: number): string | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host, origin } = request.headers;
  if (!host || !hosts.includes(host.toLowerCase())) return 'This address is only served as 127.0.0.1.';
  if (origin !== undefined && !hosts.some((own) => origin.toLowerCase() === `http://${own}`))
    return 'Other web pages may not speak to Gatehouse.';
  return undefined;
}

/** Headers of every page and asset: nothing from elsewhere, in no frame, and no address leaks out. */
export function pageHeaders(port: number): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      `connect-src 'self' ws://127.0.0.1:${port} ws://localhost:${port}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
