/** HTTPS requests of a confined server to hosts that receive a secret, over real TLS connections. */
import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, request } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Certificates, createCertificates } from '../../../electron/core/servers/sandbox/certificates.ts';
import { createSecretRelay } from '../../../electron/core/servers/sandbox/secret-relay.ts';
import { withStandIns } from '../../../electron/core/servers/sandbox/stand-ins.ts';
import type { Limits } from '../../../electron/core/servers/types.ts';
import type { NetworkHost } from '../../../electron/core/types.ts';
import { oddAnswers } from '../../fixtures/odd-answers.ts';

const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
const host = 'api.github.com';
const before = getCACertificates('default');
let ofHost: Certificates;
beforeAll(async () => {
  ofHost = await createCertificates();
  setDefaultCACertificates([...before, ofHost.own]);
});
afterAll(() => setDefaultCACertificates(before));

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Given {
  answer?: Answer;
  /** Sends frames of a WebSocket. */
  upgrade?: (client: Duplex) => void;
  limits?: Partial<Limits>;
  maySend?: (target: NetworkHost) => boolean;
}

/** A host, and a server that has a stand-in for `token` and reaches the host only through the relay. */
async function setUp({ answer, upgrade, limits, maySend = () => true }: Given = {}) {
  const seen: IncomingMessage[] = [];
  const upstream = createServer({
    SNICallback: (name, done) => void ofHost.contextFor(name).then((one) => done(null, one)),
  });
  upstream.on('request', (wanted, response) => {
    seen.push(wanted);
    if (answer) answer(wanted, response);
    else response.end('hello');
  });
  upstream.on('upgrade', (wanted, client) => {
    seen.push(wanted);
    client.on('error', () => {});
    client.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    upgrade?.(client);
  });
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  const launch = { command: 'node', args: ['--key', token], cwd: '/', env: { GITHUB_TOKEN: token } };
  const all: Limits = {
    files: { read: [], write: [] },
    network: { allow: [] },
    values: [token],
    mayReach: async () => true,
    ...limits,
  };
  const inside = withStandIns(launch, all);
  const problems: string[] = [];
  const asked: string[] = [];
  const certificates = await createCertificates();
  const relay = createSecretRelay({
    certificates,
    standIns: inside.standIns,
    async maySend(target) {
      asked.push(`${target.secret}@${target.host}/${target.place}`);
      return maySend(target);
    },
    onSent: () => undefined,
    onProblem: (problem) => problems.push(problem),
  });
  const { port } = upstream.address() as AddressInfo;
  const front = createPlainServer((socket) => void relay.serve(socket, { host, port }, '127.0.0.1'));
  await once(front.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    relay.close();
    front.close();
    upstream.close();
  });
  async function stream(path: string, headers: OutgoingHttpHeaders = {}, body = '') {
    const asking = request({
      ...{ host: '127.0.0.1', port: (front.address() as AddressInfo).port, servername: host, path, headers },
      ...{ ca: certificates.authorities, agent: false, method: body === '' ? 'GET' : 'POST' },
    });
    asking.end(body);
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    return response;
  }
  async function send(path: string, headers: OutgoingHttpHeaders = {}, body = '') {
    const response = await stream(path, headers, body);
    const chunks = await response.toArray();
    return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
  }
  /** The messages that arrive until the connection ends or none comes any more. */
  async function socket(headers: OutgoingHttpHeaders) {
    const asking = request({
      ...{ host: '127.0.0.1', port: (front.address() as AddressInfo).port, servername: host, path: '/' },
      ...{ ca: certificates.authorities, agent: false },
      headers: { ...headers, connection: 'upgrade', upgrade: 'websocket' },
    });
    asking.end();
    const [, client, first] = (await once(asking, 'upgrade')) as [IncomingMessage, Socket, Buffer];
    const chunks: Buffer[] = [first];
    client.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
    await Promise.race([once(client, 'close'), setTimeout(200)]);
    client.destroy();
    const messages: string[] = [];
    for (let all = Buffer.concat(chunks); all.length > 0; all = all.subarray(2 + (all[1] ?? 0)))
      messages.push(String(all.subarray(2, 2 + (all[1] ?? 0))));
    return messages;
  }
  const fake = inside.launch.env.GITHUB_TOKEN ?? '';
  return { ...inside, fake, seen, problems, asked, send, stream, socket, relay };
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('A request to a host that receives a secret', () => {
  test('has the secret in a header, in Basic credentials, in a parameter or in its path', async () => {
    const { send, fake, seen, asked } = await setUp();
    await send('/', { authorization: `Bearer ${fake}` });
    await send('/', { authorization: basic(`ann@example.com:${fake}`) });
    await send(`/search?q=a=b&key=${fake}`);
    await send(`/bot${fake}/getMe?q=1`);
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${token}`);
    expect(seen[1]?.headers.authorization).toBe(basic(`ann@example.com:${token}`));
    expect(seen.slice(2).map(({ url }) => url)).toEqual([`/search?q=a=b&key=${token}`, `/bot${token}/getMe?q=1`]);
    const places = ['header:authorization', 'header:authorization', 'query:key', 'path:/bot'];
    expect(asked).toEqual(places.map((place) => `GITHUB_TOKEN@${host}/${place}`));
  });

  test.for([
    [(fake: string) => `/chat.postMessage?channel=C0EVIL&text=${fake}`, 'query:text'],
    [(fake: string) => `/chat.postMessage?text=hello+${encodeURIComponent(fake)}+there`, 'query:text'],
    [(fake: string) => `/repos/me/public/contents/${fake}?x=1`, 'path:/repos/me/public/contents/'],
    [(fake: string) => `/repos/me/public/contents/a${fake}${fake}`, 'path:/repos/me/public/contents/a'],
  ] as const)('has it in one place, the one that the user knows: %#', async ([urlOf, place]) => {
    const allowed = 'header:authorization';
    const { send, fake, seen, asked } = await setUp({ maySend: (target) => target.place === allowed });
    await send('/', { authorization: `Bearer ${fake}` });
    await send(urlOf(fake), { authorization: `Bearer ${fake}`, 'x-note': fake });
    expect(seen[1]?.headers).toMatchObject({ authorization: `Bearer ${token}`, 'x-note': fake });
    expect(seen[1]?.url).toBe(urlOf(fake));
    // With a token of the server's own, only the place where it would be published is left.
    expect(await send(urlOf(fake), { authorization: 'Bearer own' })).toMatchObject({ status: 403 });
    expect(seen).toHaveLength(2);
    expect(asked.at(-1)).toBe(`GITHUB_TOKEN@${host}/${place}`);
    expect(JSON.stringify(seen.map(({ url, headers }) => [url, headers['x-note']]))).not.toContain(token);
  });

  test('never has it in its body', async () => {
    const bodies: string[] = [];
    const { send, fake } = await setUp({
      answer: async (wanted, response) => {
        bodies.push(Buffer.concat(await wanted.toArray()).toString());
        response.end();
      },
    });
    await send('/gists', { authorization: `Bearer ${fake}` }, `{"content":"${fake}"}`);
    expect(bodies).toEqual([`{"content":"${fake}"}`]);
  });

  test('is refused without being sent if the user refuses', async () => {
    const { send, fake, seen } = await setUp({ maySend: () => false });
    const answer = await send('/', { authorization: `Bearer ${fake}` });
    expect(answer).toMatchObject({
      status: 403,
      text: expect.stringContaining(`did not send GITHUB_TOKEN to ${host} in the header authorization`),
    });
    expect(seen).toEqual([]);
    expect((await send('/public')).text).toBe('hello');
  });

  test('needs no question if the configuration names the host', async () => {
    const { send, fake, asked, seen } = await setUp({
      limits: { secrets: { GITHUB_TOKEN: { hosts: [host, '*.com'] } } },
    });
    // The host of these tests has another port than 443, which the entry does not name.
    await send('/', { authorization: `Bearer ${fake}` });
    expect(asked).toEqual([`GITHUB_TOKEN@${host}/header:authorization`]);
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  test('that is answered 401 without a secret in it is explained', async () => {
    const { send, problems } = await setUp({
      answer: (_, response) => void response.writeHead(401).end(),
    });
    await send('/', {}, 'key=unknown');
    expect(problems).toEqual([expect.stringContaining(`${host} answered 401 to a request without a secret`)]);
  });
});

describe('A response', () => {
  test('has the stand-in in place of each secret, whatever its encoding and its pieces', async () => {
    const text = `{"token":"${token}","again":"${token}${token}"}`;
    const encodings: [string | undefined, Buffer][] = [
      [undefined, Buffer.from(text)],
      ['gzip', gzipSync(text)],
      ['br', brotliCompressSync(text)],
    ];
    for (const [encoding, body] of encodings) {
      const { send, fake } = await setUp({
        answer: async (wanted, response) => {
          expect(wanted.headers['accept-encoding']).toBe('identity');
          response.writeHead(200, {
            'x-echo': wanted.headers.authorization,
            ...(encoding ? { 'content-encoding': encoding } : { 'content-length': body.length }),
          });
          for (const byte of body) if (!response.write(Buffer.from([byte]))) await once(response, 'drain');
          response.end();
        },
      });
      const answer = await send('/', { authorization: `Bearer ${fake}` });
      expect(answer.text, encoding).toBe(text.replaceAll(token, fake));
      expect(answer.headers['x-echo']).toBe(`Bearer ${fake}`);
    }
  });

  test('has no Basic credentials with a secret', async () => {
    const { send, fake } = await setUp({
      answer: (wanted, response) => void response.end(wanted.headers.authorization),
    });
    const { text } = await send('/', { authorization: basic(`ann:${fake}`) });
    expect(text).toBe(basic(`ann:${fake}`));
  });

  test('that does not end passes each event on at once', async () => {
    let next: (() => void) | undefined;
    const { stream, fake } = await setUp({
      answer: (_, response) => {
        response.write('data: 1\n\n');
        next = () => response.end('data: 2\n\n');
      },
    });
    const answer = await stream('/events', { authorization: `Bearer ${fake}` });
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(String(first)).toBe('data: 1\n\n');
    next?.();
    expect(String(Buffer.concat(await answer.toArray()))).toBe('data: 2\n\n');
  });

  test('holds the same bytes back, whether they are the start of a secret or not', async () => {
    const { stream, fake } = await setUp({
      answer: (wanted, response) => {
        const guess = new URL(wanted.url ?? '', 'http://a').searchParams.get('guess');
        response.write(`a long text before it, which is passed on at once: ${guess}`);
      },
    });
    const passed = async (guess: string) => {
      const answer = await stream(`/?guess=${guess}`, { authorization: `Bearer ${fake}` });
      const [first] = (await once(answer, 'data')) as [Buffer];
      const more = await Promise.race([once(answer, 'data'), setTimeout(150)]);
      answer.destroy();
      return [first.length, more];
    };
    for (const length of [1, 8, 20, token.length - 1]) {
      const right = token.slice(0, length);
      const wrong = [`${right.slice(0, -1)}!`, '!'.repeat(length), `!${right.slice(1)}`];
      for (const guess of wrong) expect(await passed(guess), guess).toEqual(await passed(right));
    }
  });

  test('over a WebSocket has the stand-in in place of each secret, also in parts of a message', async () => {
    const frame = (head: number, text: string) => Buffer.from([head, text.length, ...Buffer.from(text)]);
    const { socket, fake, seen } = await setUp({
      upgrade: (client) => {
        const parts = [frame(0x01, token.slice(0, 9)), frame(0x89, 'ping'), frame(0x80, token.slice(9))];
        for (const part of [frame(0x81, `<${token}>`), ...parts, frame(0x81, token.slice(0, 8))]) client.write(part);
      },
    });
    const text = await socket({ authorization: `Bearer ${fake}`, 'sec-websocket-extensions': 'permessage-deflate' });
    expect(text).toEqual([`<${fake}>`, 'ping', fake, token.slice(0, 8)]);
    expect(seen[0]?.headers['sec-websocket-extensions']).toBeUndefined();
    const compressed = await setUp({ upgrade: (client) => void client.write(frame(0xc1, token)) });
    expect(await compressed.socket({ authorization: `Bearer ${compressed.fake}` })).toEqual([]);
  });

  test.each(oddAnswers)('that cannot be passed on ends the connection: %j', async (answer) => {
    const { send } = await setUp({ answer: (_, response) => response.socket?.end(answer) });
    await expect(send('/')).rejects.toThrow('socket hang up');
  });

  test('in an unknown encoding is refused', async () => {
    const { send, fake } = await setUp({
      answer: (_, response) => void response.writeHead(200, { 'content-encoding': 'secret' }).end(token),
    });
    expect(await send('/', { authorization: `Bearer ${fake}` })).toMatchObject({ status: 502, text: '' });
  });
});

test('Only hosts that may receive a secret are relayed', async () => {
  const target = (name: string, port = 443) => ({ host: name, port });
  const predicted = await setUp({ limits: { secretHosts: () => [host] } });
  expect(predicted.relay.isFor(target(host))).toBe(true);
  expect(predicted.relay.isFor(target('registry.npmjs.org'))).toBe(false);
  const unknown = await setUp();
  expect(unknown.relay.isFor(target('any.example.com'))).toBe(true);
  const configured = await setUp({
    limits: { mayReach: undefined, network: { allow: [host] }, secrets: { GITHUB_TOKEN: { hosts: [host] } } },
  });
  expect(configured.relay.isFor(target(host))).toBe(true);
  expect(configured.relay.isFor(target('any.example.com'))).toBe(false);
});

test('A server that accepts only certain certificates is named', async () => {
  const { relay, problems } = await setUp();
  const front = createPlainServer((socket) => void relay.serve(socket, { host, port: 443 }, '127.0.0.1'));
  await once(front.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void front.close());
  const asking = request({ host: '127.0.0.1', port: (front.address() as AddressInfo).port, servername: host });
  const [error] = await once(asking.end(), 'error').catch((reason) => [reason]);
  expect(error.code).toMatch(/CERT|SELF_SIGNED|UNABLE/);
  await expect.poll(() => problems.join()).toContain(`no request to ${host}`);
});
