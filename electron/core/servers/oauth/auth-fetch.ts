/**
 * Requests to authorization servers. A remote MCP server chooses their URLs, and must not be able to make Toolkeep send
 * requests to this computer or the local network. Only targets that are no closer than the server itself are allowed.
 */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { fail } from '../../../../shared/failure.ts';
import { limits } from '../../../../shared/limits.ts';
import { readBody } from '../../async/read-body.ts';

const timeoutMs = 20_000;
const maxRedirects = 5;
const [openList, openObject] = [0x5b, 0x7b];

/** Network zones, farthest first. A server may only name targets in its own zone or an earlier one. */
const zones = ['public', 'private', 'loopback'] as const;
type Zone = (typeof zones)[number];

const loopback = blockList(['127.0.0.0/8', '::1/128']);
const privateNetworks = blockList(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']);
/**
 * Addresses that are never a sign-in server: link-local (cloud metadata services), unspecified, multicast, reserved.
 */
const forbidden = blockList([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  'fec0::/10',
  // IPv4 addresses embedded in IPv6 addresses, which a gateway could route back to this network.
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
]);

function blockList(ranges: string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Undefined for an address that must never be contacted. */
export function zoneOf(address: string): Zone | undefined {
  // An IPv4 address in IPv6 notation.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const ip = mapped ?? address;
  const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(ip) === 0) return undefined;
  if (loopback.check(ip, family)) return 'loopback';
  if (forbidden.check(ip, family)) return undefined;
  return privateNetworks.check(ip, family) ? 'private' : 'public';
}

export type Resolve = (hostname: string) => Promise<string[]>;

const resolveHost: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

/**
 * Checks a URL of the sign-in to the MCP server at `serverUrl`. Allows the server's own origin, and other https URLs (http
 * on loopback) that are no closer than the server. Rejects with URL_REFUSED.
 */
export function createUrlCheck(serverUrl: string, resolve: Resolve = resolveHost) {
  const server = new URL(serverUrl);

  /** The zones of the host's addresses, farthest first. None if one of them must never be contacted. */
  async function zonesOf(hostname: string): Promise<Zone[]> {
    const host = hostname.replace(/^\[|\]$/g, '');
    const addresses = isIP(host) > 0 ? [host] : await resolve(host);
    const found = addresses.map(zoneOf);
    return found.includes(undefined) ? [] : zones.filter((zone) => found.includes(zone));
  }

  async function isAllowed(url: URL): Promise<boolean> {
    // A user name can look like the host.
    if (!['https:', 'http:'].includes(url.protocol) || url.username || url.password) return false;
    if (url.origin === server.origin) return true;
    const target = await zonesOf(url.hostname);
    const closest = target.at(-1);
    if (!closest || (url.protocol === 'http:' && target[0] !== 'loopback')) return false;
    // The server's owner can add the address of a closer zone to its name.
    const [own = 'public'] = await zonesOf(server.hostname);
    return zones.indexOf(closest) <= zones.indexOf(own);
  }

  return async (url: URL): Promise<void> => {
    if (await isAllowed(url)) return;
    const shown = `${url.protocol}//${url.host}`;
    throw fail('URL_REFUSED', `${server.host} uses ${shown} for the sign-in. Toolkeep did not contact that address.`, {
      hint: 'Only public https URLs without a user name are allowed; for a local server, local URLs are allowed too.',
    });
  };
}

/**
 * A fetch for the sign-in to the MCP server at `serverUrl`. Checks each URL, and redirects of GET; does not follow those of
 * other methods. Limits responses. Does not send the MCP server's headers. Rejects with URL_REFUSED.
 */
export function createAuthFetch(serverUrl: string, resolve: Resolve = resolveHost) {
  const requireAllowed = createUrlCheck(serverUrl, resolve);

  return async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? 'GET';
    const signal = AbortSignal.timeout(timeoutMs);
    let url = new URL(input);
    for (let redirects = 0; ; redirects += 1) {
      await requireAllowed(url);
      const response = await fetch(url, { ...init, redirect: 'manual', signal });
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (location === null) return limited(response);
      if (method !== 'GET' || redirects >= maxRedirects)
        throw fail('URL_REFUSED', `${url.host} redirected the sign-in request. Toolkeep did not follow the redirect.`);
      url = new URL(location, url);
    }
  };
}

async function limited(response: Response): Promise<Response> {
  if (!response.body) return response;
  const body = await readAnswer(response).catch((error) => {
    if (response.ok) throw error;
    // Many servers have a long page for "not found". The status says enough.
    return null;
  });
  return new Response(body, response);
}

async function readAnswer(response: Response): Promise<Buffer> {
  const body = await readBody(response, limits.server.signInBytes);
  // Deep nesting is slow to parse and overflows the stack of the code that stores it.
  const objects = body.filter((byte) => byte === openList || byte === openObject).length;
  if (objects <= limits.server.signInObjects) return body;
  throw new Error(`The response has more than ${limits.server.signInObjects} lists and objects.`);
}
