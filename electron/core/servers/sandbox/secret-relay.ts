/**
 * Relays the HTTPS requests of a confined server to hosts that receive a secret: terminates TLS, puts the secret in the place
 * of its stand-in, and removes it from responses.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isPlace, placeText } from '../../../../shared/secret-place.ts';
import type { NetworkHost } from '../../types.ts';
import { isAllowed } from './allowed-hosts.ts';
import type { Certificates } from './certificates.ts';
import { passHead } from './pass-head.ts';
import {
  bodyWithoutSecrets,
  echoesOf,
  fillPlace,
  type HeadOfRequest,
  mapHeaders,
  placesOf,
  withoutSecrets,
} from './replace-secrets.ts';
import type { StandIn } from './stand-ins.ts';
import { framesWithoutSecrets } from './web-socket-frames.ts';

export type SecretRelay = ReturnType<typeof createSecretRelay>;

interface RelayOptions {
  certificates: Certificates;
  standIns: readonly StandIn[];
  /** Asks whether the host may receive the secret of this name in this place. */
  maySend(target: Required<NetworkHost>): Promise<boolean>;
  onSent(target: Required<NetworkHost>): void;
  onProblem(message: string): void;
}

const decoders = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
]);

export function createSecretRelay(options: RelayOptions) {
  const { certificates, standIns, onProblem } = options;
  const targets = new WeakMap<object, { target: NetworkHost; address: string; isUsed: boolean }>();
  const agent = new Agent({ keepAlive: true });
  /** Each secret with its host and its place. */
  const received = new Set<string>();

  const isExpected = ({ expected }: StandIn, target: NetworkHost) =>
    expected === undefined || isAllowed(target, expected);

  const keyOf = ({ host, port, secret, place }: Required<NetworkHost>) => `${secret}@${host}:${port}/${place}`;

  /** Fills in each secret in one place: one that received it before, or the first. Names a secret that the host may not receive. */
  async function fill(target: NetworkHost, given: HeadOfRequest) {
    const echoes = echoesOf(standIns);
    let filled = given;
    let hasSecret = false;
    for (const one of standIns) {
      const targets = placesOf(given, one).map((place) => ({ ...target, secret: one.name, place }));
      const receiving = targets.find((receiver) => received.has(keyOf(receiver))) ?? targets[0];
      if (!receiving) continue;
      const isConfigured =
        isAllowed(target, one.allowed) && one.places.some((place) => isPlace(receiving.place, place));
      if (!isConfigured && !(await options.maySend(receiving)))
        return { ...filled, echoes, hasSecret, refused: receiving };
      received.add(keyOf(receiving));
      options.onSent(receiving);
      filled = fillPlace(filled, one, (place) => place === receiving.place, echoes);
      hasSecret = true;
    }
    return { ...filled, echoes, hasSecret, refused: undefined };
  }

  async function prepare(wanted: IncomingMessage) {
    const found = targets.get(wanted.socket);
    if (!found) throw new Error('A connection has no target.');
    const { target, address } = found;
    found.isUsed = true;
    const filled = await fill(target, { headers: wanted.headers, url: wanted.url ?? '/' });
    const upstream = () =>
      request({
        host: address,
        port: target.port,
        // No name for the rare certificate of an address.
        servername: isIP(target.host) === 0 ? target.host : '',
        method: wanted.method,
        path: filled.url,
        // The name that was checked. Only a response without compression can be searched.
        headers: { ...filled.headers, host: hostHeader(target), 'accept-encoding': 'identity' },
        agent,
      });
    return { ...filled, target, upstream };
  }

  function explain(target: NetworkHost, status: number | undefined, hasSecret: boolean): void {
    if (hasSecret || (status !== 401 && status !== 403)) return;
    onProblem(
      `${target.host} answered ${status} to a request without a secret in its headers and its address. If the server sends its secret in another way, set \`hold: true\` for it in \`sandbox.secrets\`.`,
    );
  }

  async function relay(wanted: IncomingMessage, response: ServerResponse): Promise<void> {
    const { upstream, hasSecret, echoes, target, refused } = await prepare(wanted);
    if (refused !== undefined) {
      response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' });
      const place = placeText(refused.place);
      response.end(
        `Toolkeep did not send ${refused.secret} to ${target.host} ${place}, because the user has not allowed it.\n`,
      );
      return;
    }
    const outgoing = upstream();
    const failed = () => (response.headersSent ? response.destroy() : response.writeHead(502).end());
    outgoing.on('error', failed);
    response.on('close', () => outgoing.destroy());
    outgoing.on('response', (answer) => {
      explain(target, answer.statusCode, hasSecret);
      const headers = mapHeaders(answer.headers, (text) => withoutSecrets(text, echoes));
      const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
      const decoder = decoders.get(encoding);
      if (!decoder && encoding !== 'identity') {
        failed();
        return;
      }
      answer.on('error', failed);
      const body = bodyWithoutSecrets(echoes);
      const { 'content-encoding': _, 'content-length': __, ...others } = headers;
      if (!passHead(response, answer.statusCode, decoder ? others : headers)) return;
      if (decoder) answer.pipe(decoder().on('error', failed)).pipe(body).pipe(response);
      else answer.pipe(body).pipe(response);
    });
    wanted.pipe(outgoing);
  }

  async function upgrade(wanted: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    // A compressed answer cannot be searched.
    delete wanted.headers['sec-websocket-extensions'];
    const { upstream, echoes, refused } = await prepare(wanted);
    if (refused !== undefined) {
      client.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    const outgoing = upstream().on('error', () => client.destroy());
    outgoing.on('response', () => client.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n'));
    outgoing.on('upgrade', (answer, socket, first) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      client.write(`HTTP/1.1 101 Switching Protocols\r\n${withoutSecrets(lines.join(''), echoes)}\r\n`);
      socket.on('error', () => client.destroy()).on('close', () => client.destroy());
      client.on('close', () => socket.destroy());
      socket.unshift(first);
      socket.write(head);
      const frames = framesWithoutSecrets(echoes).on('error', () => client.destroy());
      socket.pipe(frames).pipe(client).pipe(socket);
    });
    outgoing.end();
  }

  const server = createServer((wanted, response) => {
    relay(wanted, response).catch(() => response.destroy());
  });
  server.on('upgrade', (wanted, client, head) => {
    client.on('error', () => client.destroy());
    upgrade(wanted, client, head).catch(() => client.destroy());
  });

  return {
    /** Whether connections to this host are to be relayed. */
    isFor: (target: NetworkHost): boolean => standIns.some((one) => isExpected(one, target)),
    /** The names of the secrets whose stand-ins an unencrypted request has. */
    namesIn: ({ headers, url = '' }: IncomingMessage): string[] =>
      standIns.filter((one) => placesOf({ headers, url }, one).length > 0).map(({ name }) => name),
    /** Serves an accepted connection to `target`, which has this address. */
    async serve(client: Duplex, target: NetworkHost, address: string): Promise<void> {
      const secureContext = await certificates.contextFor(target.host);
      const secure = new TLSSocket(client, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] });
      const connection = { target, address, isUsed: false };
      secure.on('error', () => secure.destroy());
      // A client that does not trust the certificate says so in an alert, or only closes the connection.
      secure.on('close', () => {
        if (!connection.isUsed)
          onProblem(
            `The server sent no request to ${target.host} after it had received Toolkeep's certificate. If it accepts only certain certificates, set \`hold: true\` for its secret in \`sandbox.secrets\`.`,
          );
      });
      targets.set(secure, connection);
      server.emit('connection', secure);
    },
    close: (): void => agent.destroy(),
  };
}

const hostHeader = ({ host, port }: NetworkHost) => (port === 443 ? host : `${host}:${port}`);
