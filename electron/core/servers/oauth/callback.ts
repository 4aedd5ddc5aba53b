/**
 * Receives the redirect at the end of a sign-in, with a listener on the loopback interface that is open for one
 * response.
 */
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fail } from '../../../../shared/failure.ts';

export type Callback = Awaited<ReturnType<typeof openCallback>>;

/**
 * Listens on the port of `fixedUrl`, and fails if it is taken. Otherwise listens on the port of `earlierUrl`, which is
 * already registered, or on any port if that is taken.
 */
export async function openCallback(earlierUrl: string | undefined, fixedUrl: string | undefined) {
  const wanted = URL.parse(fixedUrl ?? earlierUrl ?? '');
  const server = createServer();
  const listen = (at: number) => once(server.listen(at, '127.0.0.1'), 'listening');
  await listen(Number(wanted?.port ?? 0)).catch((error) => {
    if (fixedUrl !== undefined) throw portTaken(fixedUrl, error);
    return listen(0);
  });
  // A connection that cannot be accepted, for example because too many files are open, is lost.
  server.on('error', () => undefined);
  // A sign-in that is not finished must not keep Core running.
  server.unref();
  const { port } = server.address() as AddressInfo;
  const redirectUrl = fixedUrl ?? `http://${wanted?.hostname ?? '127.0.0.1'}:${port}/callback`;
  const { pathname } = new URL(redirectUrl);
  const received = Promise.withResolvers<URLSearchParams>();
  let expectedState: string | undefined;
  server.on('request', (request, response) => {
    const url = URL.parse(request.url ?? '', redirectUrl);
    const params = url?.pathname === pathname && request.method === 'GET' ? url.searchParams : undefined;
    if (!params) sendPage(response, 404, 'Not found.', '');
    else if (expectedState === undefined || !isEqual(params.get('state') ?? '', expectedState))
      sendPage(response, 400, 'Toolkeep did not request this sign-in.', 'Start again in Toolkeep.');
    else {
      const isRefused = params.has('error');
      const title = isRefused ? 'The sign-in was refused.' : 'You are signed in.';
      sendPage(response, isRefused ? 400 : 200, title, 'You can close this page.');
      received.resolve(params);
    }
  });
  return {
    redirectUrl,
    /** The parameters of the first request with this `state`. Any web page can send other requests, so they are ignored. */
    response(state: string): Promise<URLSearchParams> {
      expectedState = state;
      return received.promise;
    },
    close(): void {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function portTaken(url: string, error: NodeJS.ErrnoException): Error {
  return fail('INPUT_INVALID', `The redirect URL ${url} cannot be used: its port is not available (${error.code}).`, {
    hint: 'Close the program that uses the port, or register another URL and set it as oauth.redirectUrl.',
  });
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Sends a page that shows nothing from the request and loads nothing. */
function sendPage(response: ServerResponse, status: number, title: string, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Toolkeep</title><style>body{font:16px system-ui;margin:4rem auto;max-width:30rem}</style><h1>${title}</h1><p>${text}</p></html>`,
  );
}
