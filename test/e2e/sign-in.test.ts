/** The sign-in of the built product to a remote server that names foreign addresses. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newProduct } from './product.ts';

const product = newProduct();
const listening: Server[] = [];
/** The metadata of the server. */
let named: { issuer?: string; registration?: string; methods?: string[] } = {};
const requests: string[] = [];
let origin: string;
let otherPort: number;

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(answer);
  listening.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const json = (body: object) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (url.startsWith('/.well-known/oauth-protected-resource'))
    return void json({ resource: `${origin}/mcp`, authorization_servers: [named.issuer ?? origin] });
  if (url.startsWith('/.well-known/oauth-authorization-server'))
    return void json({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: named.registration,
      response_types_supported: ['code'],
      code_challenge_methods_supported: named.methods ?? ['S256'],
    });
  const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
  response
    .writeHead(url === '/mcp' ? 401 : 404, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` })
    .end();
}

beforeAll(async () => {
  otherPort = await listen(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.writeHead(400).end('{}');
  });
  origin = `http://127.0.0.1:${await listen(answer)}`;
  product.file('.toolkeep/config.json', {
    servers: [{ name: 'remote', connection: { type: 'http', url: `${origin}/mcp` } }],
  });
  const { output } = await product.serve();
  await vi.waitFor(() => expect(output()).toContain('remote:'), { timeout: 20_000 });
});
afterAll(async () => {
  await product.dispose();
  for (const server of listening) server.close();
});

async function signIn(names: typeof named): Promise<string> {
  named = names;
  requests.length = 0;
  const { code, stderr } = await product.cli('sign-in', 'remote');
  expect(code).not.toBe(0);
  return stderr;
}

describe('A sign-in', () => {
  it('contacts another local address that a local server names', async () => {
    await signIn({ registration: `http://127.0.0.1:${otherPort}/register` });
    // A refused registration is tried once more, because some servers accept only localhost.
    expect(requests).toEqual(['POST /register', 'POST /register']);
  });

  it.each<[string, () => typeof named]>([
    ['to register', () => ({ registration: `http://0.0.0.0:${otherPort}/register` })],
    ['as the issuer', () => ({ issuer: `http://0.0.0.0:${otherPort}` })],
  ])('contacts no address that is never a sign-in server (named %s)', async (_where, names) => {
    expect(await signIn(names())).toContain('did not contact that address');
    expect(requests).toEqual([]);
  });

  it('is refused if the server does not announce PKCE', async () => {
    expect(await signIn({ registration: `${origin}/register`, methods: ['plain'] })).toMatch(/PKCE|S256/);
    expect(requests).toEqual([]);
  });
});
