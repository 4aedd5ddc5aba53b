/** HTTPS requests of a confined server to hosts that receive a secret, over real TLS connections. */
import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, request } from 'node:https';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
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
  limits?: Partial<Limits>;
  maySend?: (target: NetworkHost) => boolean;
}

/** A host, and a server that has a stand-in for `token` and reaches the host only through the relay. */
async function setUp({ answer, limits, maySend = () => true }: Given = {}) {
  const seen: IncomingMessage[] = [];
  const upstream = createServer({
    SNICallback: (name, done) => void ofHost.contextFor(name).then((one) => done(null, one)),
  });
  upstream.on('request', (wanted, response) => {
    seen.push(wanted);
    if (answer) answer(wanted, response);
    else response.end('hello');
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
      asked.push(`${target.secret}@${target.host}`);
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
  async function send(path: string, headers: OutgoingHttpHeaders = {}, body = '') {
    const asking = request({
      ...{ host: '127.0.0.1', port: (front.address() as AddressInfo).port, servername: host, path, headers },
      ...{ ca: certificates.authorities, agent: false, method: body === '' ? 'GET' : 'POST' },
    });
    asking.end(body);
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    const chunks = await response.toArray();
    return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
  }
  const fake = inside.launch.env.GITHUB_TOKEN ?? '';
  return { ...inside, fake, seen, problems, asked, send, relay };
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('A request to a host that receives a secret', () => {
  test('has the secret in its headers, in Basic credentials and in its address', async () => {
    const { send, fake, seen, asked } = await setUp();
    await send(`/search?key=${fake}&q=a`, { authorization: `Bearer ${fake}`, 'x-key': fake });
    await send('/', { authorization: basic(`ann@example.com:${fake}`) });
    expect(seen[0]?.headers).toMatchObject({ authorization: `Bearer ${token}`, 'x-key': token });
    expect(seen[0]?.url).toBe(`/search?key=${token}&q=a`);
    expect(seen[1]?.headers.authorization).toBe(basic(`ann@example.com:${token}`));
    expect(new Set(asked)).toEqual(new Set([`GITHUB_TOKEN@${host}`]));
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
      text: expect.stringContaining(`did not send GITHUB_TOKEN to ${host}`),
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
    expect(asked).toEqual([`GITHUB_TOKEN@${host}`]);
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
    const { send, fake } = await setUp({
      answer: (wanted, response) => {
        response.write('data: 1\n\n');
        wanted.socket.once('end', () => response.end());
        response.once('close', () => undefined);
        setImmediate(() => response.end('data: 2\n\n'));
      },
    });
    expect((await send('/events', { authorization: `Bearer ${fake}` })).text).toBe('data: 1\n\ndata: 2\n\n');
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
