/** Where the browser comes back to after a sign-in: a listener on the loopback interface, open for one answer only. */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fail } from '../../../shared/failure.ts';

export interface Callback {
  readonly redirectUrl: string;
  /**
   * The parameters of the first request that carries `state`. Others are turned away and change nothing: any page in the
   * browser could send them.
   */
  answer(state: string): Promise<URLSearchParams>;
  close(): void;
}

/**
 * Listens where `fixedUrl` says, and fails if that is taken. Without one on the port of `earlierUrl` if that is free, for
 * which the client is registered; else on any.
 */
export async function openCallback(earlierUrl: string | undefined, fixedUrl: string | undefined): Promise<Callback> {
  const wanted = URL.parse(fixedUrl ?? earlierUrl ?? '');
  const server = createServer();
  await listen(server, Number(wanted?.port ?? 0)).catch((error) => {
    if (fixedUrl !== undefined) throw portTaken(fixedUrl, error);
    return listen(server, 0);
  });
  // A sign-in that nobody finishes must not keep a finished Core running.
  server.unref();
  const { port } = server.address() as AddressInfo;
  const redirectUrl = fixedUrl ?? `http://127.0.0.1:${port}/callback`;
  const { pathname } = new URL(redirectUrl);
  const answered = Promise.withResolvers<URLSearchParams>();
  let expected: string | undefined;
  server.on('request', (request, response) => {
    const url = URL.parse(request.url ?? '', redirectUrl);
    const given = url?.pathname === pathname && request.method === 'GET' ? url.searchParams : undefined;
    if (!given) page(response, 404, 'There is nothing here.', '');
    else if (expected === undefined || !isSame(given.get('state') ?? '', expected))
      page(response, 400, 'This sign-in is not the one that Gatehouse waits for.', 'Start again in Gatehouse.');
    else {
      const refused = given.has('error');
      const title = refused ? 'The sign-in was refused.' : 'Back to Gatehouse.';
      page(response, refused ? 400 : 200, title, 'You can close this page.');
      answered.resolve(given);
    }
  });
  return {
    redirectUrl,
    answer(state) {
      expected = state;
      return answered.promise;
    },
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function portTaken(url: string, error: NodeJS.ErrnoException): Error {
  return fail('INPUT_INVALID', `The browser cannot come back to ${url}: its port cannot be had (${error.code}).`, {
    hint: 'End the program that uses the port, or register another address and set it as oauth.redirectUrl.',
  });
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Nothing of the request is shown, and nothing else is loaded. */
function page(response: ServerResponse, status: number, title: string, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gatehouse</title><style>body{font:16px system-ui;margin:4rem auto;max-width:30rem}</style><h1>${title}</h1><p>${text}</p></html>`,
  );
}
