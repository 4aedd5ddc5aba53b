/** The headers of our page and its assets, identical in the desktop window and in a browser. */

/**
 * The content security policy: loads only from our own origin and forbids framing. `connect` lists further origins to
 * connect to.
 */
export function contentPolicy(connect: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of every page and asset on the loopback server. */
export function pageHeaders(port: number): Record<string, string> {
  return {
    'content-security-policy': contentPolicy([`ws://127.0.0.1:${port}`, `ws://localhost:${port}`]),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
