/** Where the browser comes back to after a sign-in: a listener on the loopback interface, open for one answer only. */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Callback {
  readonly redirectUrl: string;
  /**
   * The parameters of the first request that carries `state`. Others are turned away and change nothing: any page in the
   * browser could send them.
   */
  answer(state: string): Promise<URLSearchParams>;
  close(): void;
}

/** Listens on the port of `earlierUrl` if that is free, for which the client is registered; else on any. */
export async function openCallback(earlierUrl: string | undefined): Promise<Callback> {
  const wanted = earlierUrl === undefined ? 0 : Number(new URL(earlierUrl).port);
  const server = createServer();
  await listen(server, wanted).catch(() => listen(server, 0));
  // A sign-in that nobody finishes must not keep a finished Core running.
  server.unref();
  const { port } = server.address() as AddressInfo;
  const redirectUrl = `http://127.0.0.1:${port}/callback`;
  const answered = Promise.withResolvers<URLSearchParams>();
  let expected: string | undefined;
  server.on('request', (request, response) => {
    const url = URL.parse(request.url ?? '', redirectUrl);
    const given = url?.pathname === '/callback' && request.method === 'GET' ? url.searchParams : undefined;
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
