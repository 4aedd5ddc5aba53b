/** `gatehouse://app/`: the built renderer under an origin of its own, with a strict policy, instead of file://. */
import { readFile } from 'node:fs/promises';
import { protocol } from 'electron';
import { openPageFiles } from '../host/host.ts';

const scheme = 'gatehouse';
const host = 'app';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The address of the window; `view` shows only a part of it. */
export function pageUrl(view?: 'questions'): string {
  return `${scheme}://${host}/index.html${view ? `?view=${view}` : ''}`;
}

/** True for our own page, wherever in it one is. */
export function isOwnPage(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === `${scheme}:` && parsed.host === host;
}

/** Must run before Electron is ready. */
export function claimScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Answers with the files of `rendererDir` and nothing else. */
export function serveScheme(rendererDir: string): void {
  const files = openPageFiles(rendererDir);
  protocol.handle(scheme, async (request) => {
    const { pathname, host: asked } = new URL(request.url);
    const found = asked === host ? await files.find(pathname) : undefined;
    if (!found) return new Response('There is nothing at this address.', { status: 404 });
    const headers = {
      'content-type': found.type,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    };
    return new Response(new Uint8Array(await readFile(found.file)), { headers });
  });
}
