/**
 * The only way from a confined server to the network: an HTTP proxy on a Unix socket, which connects to the allowed hosts
 * only. Names are resolved here after that, so that a server cannot even send a DNS query for another host.
 */
import { lookup } from 'node:dns/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { withDeadline } from '../../async/deadline.ts';
import type { NetworkHost } from '../../types.ts';
import { zoneOf } from '../oauth/auth-fetch.ts';

export interface NetworkProxy {
  /** The path of its socket. */
  socket: string;
  close(): void;
}

const maxConnections = 256;
const usualPorts = [80, 443];

/** How long a connection waits for the user, in milliseconds. Most programs wait for 30 seconds. */
const holdMs = 20_000;

interface ProxyOptions {
  allowed: readonly string[];
  /** Asks the user about a host that is not among `allowed`. Without it, such hosts are refused at once. */
  mayReach?: ((target: NetworkHost) => Promise<boolean>) | undefined;
  /** Receives each refused host with its port. */
  onRefused(target: string): void;
}

export async function startNetworkProxy({ allowed, mayReach, onRefused }: ProxyOptions): Promise<NetworkProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'toolkeep-proxy-'));
  const socket = join(folder, 'socket');
  const open = new Set<Duplex>();
  const keep = <T extends Duplex>(stream: T): T => {
    open.add(stream);
    return stream.once('close', () => open.delete(stream));
  };

  /** The address to connect to; undefined after reporting the refusal. */
  async function admit(target: NetworkHost | undefined): Promise<string | undefined> {
    if (!target) return undefined;
    const address = (await mayPass(target)) ? await addressOf(target.host) : undefined;
    if (address === undefined) onRefused(`${target.host}:${target.port}`);
    return address;
  }

  async function mayPass(target: NetworkHost): Promise<boolean> {
    if (isAllowed(target, allowed)) return true;
    if (!mayReach || !isPublicName(target.host)) return false;
    const late = () => new Error('The user has not answered.');
    return withDeadline(holdMs, undefined, late, () => mayReach(target)).catch(() => false);
  }

  async function tunnel(wanted: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    keep(client).on('error', () => client.destroy());
    const target = targetOf(`https://${wanted.url}`, 443);
    const address = await admit(target);
    if (!target || address === undefined) {
      client.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    const upstream: Socket = keep(connect({ host: address, port: target.port }));
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
  }

  async function forward(wanted: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = (status: number) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(status, { connection: 'close' }).end();
    };
    const target = wanted.url?.startsWith('http://') ? targetOf(wanted.url, 80) : undefined;
    const address = await admit(target);
    if (!target || address === undefined) return refuse(403);
    const { pathname, search, host } = new URL(wanted.url ?? '');
    const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = wanted.headers;
    const upstream = request(
      // The name that was checked, so that another one in the header cannot reach a different site on the same address.
      {
        host: address,
        port: target.port,
        path: pathname + search,
        method: wanted.method,
        headers: { ...headers, host },
        agent: false,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      },
    );
    upstream.on('socket', keep).on('error', () => refuse(502));
    response.on('close', () => upstream.destroy());
    wanted.pipe(upstream);
  }

  const server = createServer((wanted, response) => {
    forward(wanted, response).catch(() => response.destroy());
  });
  server.maxConnections = maxConnections;
  server.on('connection', keep);
  server.on('connect', (wanted, client, head) => {
    tunnel(wanted, client, head).catch(() => client.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(socket, resolve);
  });
  return {
    socket,
    close() {
      server.close();
      for (const stream of open) stream.destroy();
      rm(folder, { recursive: true, force: true }).catch(() => undefined);
    },
  };
}

function targetOf(address: string, usualPort: number): NetworkHost | undefined {
  const url = URL.parse(address);
  if (!url || url.username || url.password) return undefined;
  const port = url.port === '' ? usualPort : Number(url.port);
  return { host: url.hostname.toLowerCase().replace(/\.$/, ''), port };
}

function isAllowed({ host, port }: NetworkHost, allowed: readonly string[]): boolean {
  return allowed.some((entry) => {
    const [name = '', only] = entry.toLowerCase().split(':');
    // Only names have hosts below them: `*.0.0.1` allows no address.
    const isHost = name.startsWith('*.') ? isIP(host) === 0 && host.endsWith(name.slice(1)) : host === name;
    return isHost && (only === undefined ? usualPorts.includes(port) : port === Number(only));
  });
}

/** The user is not asked about addresses and names of this computer or the local network. */
export const isPublicName = (host: string) => isIP(host.replace(/^\[|\]$/g, '')) === 0 && isHostName.test(host);
const isHostName = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/;

/** An allowed name may not lead to this computer or the local network; an address that the user listed may. */
async function addressOf(host: string): Promise<string | undefined> {
  if (isIP(host) !== 0) return host;
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address).find((address) => zoneOf(address) === 'public');
}
