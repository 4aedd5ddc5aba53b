/**
 * The only way from a confined server to the network: an HTTP proxy on a Unix socket, which connects to the allowed hosts
 * only. Names are resolved here after that, so that a server cannot even send a DNS query for another host.
 */
import { lookup } from 'node:dns/promises';
import { closeSync, openSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse, STATUS_CODES } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import pLimit from 'p-limit';
import { limits } from '../../../../shared/limits.ts';
import type { SandboxLimits } from '../../../../shared/model/sandbox.ts';
import { withDeadline } from '../../async/deadline.ts';
import { createRunFolder, removeRunFolder, runFolderOf } from '../../files/run-folder.ts';
import type { Host } from '../../host.ts';
import type { NetworkHost } from '../../types.ts';
import { zoneOf } from '../oauth/auth-fetch.ts';
import type { Limits } from '../types.ts';
import { isAllowed, isPublicName } from './allowed-hosts.ts';
import { isOwnAddress } from './own-ports.ts';
import { passHead } from './pass-head.ts';
import type { SecretRelay } from './secret-relay.ts';

const [forbidden, badGateway] = [403, 502];
const unknown = Symbol('the name leads to no address');
const established = 'HTTP/1.1 200 Connection Established\r\n\r\n';

/** How long a connection waits for the user, in milliseconds. Most programs wait for 30 seconds. */
const holdMs = 20_000;

interface ProxyOptions {
  host: Pick<Host, 'dataDir'>;
  network: SandboxLimits['network'];
  /** Asks the user about a host that `network` does not allow. Without it, such hosts are refused at once. */
  mayReach?: Limits['mayReach'];
  /** Serves the connections that may carry a secret. */
  relay?: SecretRelay | undefined;
  onReached(target: NetworkHost): void;
  onRefused(target: NetworkHost): void;
  /** Reports an allowed host whose name leads to no address. */
  onUnknown(target: NetworkHost): void;
}

/** All of Core has two threads for lookups, and a host that a server chose may take seconds to answer. */
const oneLookup = pLimit(1);

export async function startNetworkProxy(options: ProxyOptions) {
  const { host, network, mayReach, relay, onReached, onRefused, onUnknown } = options;
  const folder = await createRunFolder(runFolderOf(host), 'proxy');
  // The path of a socket is limited to 108 bytes, and that of the data folder is not.
  const opened = openSync(folder, 'r');
  const open = new Set<Duplex>();
  const keep = <T extends Duplex>(stream: T): T => {
    open.add(stream);
    return stream.once('close', () => open.delete(stream));
  };

  /** Each server looks up one name at a time, so that it does not delay the others by more than that. */
  const inTurn = pLimit(1);

  /** The address to connect to, or the status of the answer after reporting why there is none. */
  async function admit(target: NetworkHost | undefined, client: Duplex): Promise<string | number> {
    if (!target) return forbidden;
    const isPassed = isAllowed(target, network.allow) || (await mayPass(target, mayReach));
    const look = async () => (client.destroyed ? undefined : addressOf(target, network.local));
    const address = isPassed ? await inTurn(() => oneLookup(look)) : undefined;
    if (client.destroyed) return forbidden;
    if (address === unknown) onUnknown(target);
    else if (address === undefined) onRefused(target);
    else onReached(target);
    return address === unknown ? badGateway : (address ?? forbidden);
  }

  async function tunnel(wanted: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    keep(client).on('error', () => client.destroy());
    const target = targetOf(`https://${wanted.url}`, 443);
    const address = await admit(target, client);
    if (!target || typeof address === 'number') {
      client.end(`HTTP/1.1 ${address} ${STATUS_CODES[address]}\r\nConnection: close\r\n\r\n`);
      return;
    }
    if (relay?.isFor(target)) {
      client.write(established);
      client.unshift(head);
      return relay.serve(client, target, address);
    }
    const upstream: Socket = keep(connect({ host: address, port: target.port }));
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.once('connect', () => {
      client.write(established);
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
    const address = await admit(target, wanted.socket);
    if (!target || typeof address === 'number') return refuse(Number(address));
    // The secret would cross the network unencrypted, and its stand-in would be refused there.
    const [secret] = relay?.namesIn(wanted) ?? [];
    if (secret !== undefined) {
      onRefused({ ...target, secret });
      return refuse(403);
    }
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
        answer.on('error', () => response.destroy());
        if (passHead(response, answer.statusCode, answer.headers)) answer.pipe(response);
      },
    );
    upstream.on('socket', keep).on('error', () => refuse(502));
    response.on('close', () => upstream.destroy());
    wanted.pipe(upstream);
  }

  const server = createServer((wanted, response) => {
    forward(wanted, response).catch(() => response.destroy());
  });
  server.maxConnections = limits.server.confinedConnections;
  server.on('connection', keep);
  server.on('connect', (wanted, client, head) => {
    tunnel(wanted, client, head).catch(() => client.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    // Also hears of connections that cannot be accepted, for example because too many files are open.
    server.on('error', reject).listen(`/proc/self/fd/${opened}/socket`, resolve);
  });
  return {
    /** Contains the socket, and may contain other files for the server. */
    folder,
    /** The path of its socket. */
    socket: join(folder, 'socket'),
    close(): void {
      server.close();
      closeSync(opened);
      relay?.close();
      for (const stream of open) stream.destroy();
      void removeRunFolder(folder);
    },
  };
}

function targetOf(address: string, usualPort: number): NetworkHost | undefined {
  const url = URL.parse(address);
  if (!url || url.username || url.password) return undefined;
  const port = url.port === '' ? usualPort : Number(url.port);
  return { host: url.hostname.toLowerCase().replace(/\.$/, ''), port };
}

export async function mayPass(target: NetworkHost, mayReach: Limits['mayReach']): Promise<boolean> {
  return mayReach !== undefined && isPublicName(target.host) && inTime(() => mayReach(target));
}

/** The user's answer, or false if it takes too long. */
export function inTime(ask: () => Promise<boolean>): Promise<boolean> {
  const late = () => new Error('The user has not answered.');
  return withDeadline(holdMs, undefined, late, ask).catch(() => false);
}

/**
 * An allowed name leads to this computer or the local network only with `local`; an address that the user listed may always.
 * Neither leads to Toolkeep itself.
 */
async function addressOf({ host, port }: NetworkHost, local = false): Promise<string | typeof unknown | undefined> {
  const isName = isIP(host) === 0;
  const found = isName ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
  if (found.length === 0) return unknown;
  return found
    .map(({ address }) => address)
    .find((address) => (!isName || local || zoneOf(address) === 'public') && !isOwnAddress(address, port));
}
