/** The custom protocol that serves the built renderer from its own origin, with a strict content security policy. */
import { readFile } from 'node:fs/promises';
import { protocol } from 'electron';
import { contentPolicy } from '../host/content-policy.ts';
import { cacheControl, openPageFiles } from '../host/page-files.ts';

/** Not `toolkeep`, which is the scheme of links that the operating system opens in the app (`opened.ts`). */
const scheme = 'toolkeep-app';
const host = 'app';

/** The URL of the main window at a route such as `#/browse`, or of the page that shows questions. */
export function pageUrl({ view, route = '' }: { view?: 'questions'; route?: string } = {}): string {
  return `${scheme}://${host}/index.html${view ? `?view=${view}` : ''}${route}`;
}

/** Tells whether a URL belongs to our own page. */
export function isOwnPage(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === `${scheme}:` && parsed.host === host;
}

/** Registers the scheme. Must run before Electron is ready. */
export function claimScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves only the files of `rendererDir`. */
export function serveScheme(rendererDir: string): void {
  const files = openPageFiles(rendererDir);
  protocol.handle(scheme, async (request) => {
    const { pathname, host: asked } = new URL(request.url);
    const found = asked === host ? await files.find(pathname) : undefined;
    // untranslated: for developers
    if (!found) return new Response('Not found', { status: 404 });
    const headers = {
      'content-type': found.type,
      'content-security-policy': contentPolicy(),
      'x-content-type-options': 'nosniff',
      'cache-control': cacheControl(found),
    };
    return new Response(new Uint8Array(await readFile(found.file)), { headers });
  });
}
