/** Toolkeep's own ports, which no confined server may reach: its page and its MCP endpoint trust this computer. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { zoneOf } from '../oauth/auth-fetch.ts';

/** Whether this process listens at the address. Linux only. */
export function isOwnAddress(address: string, port: number): boolean {
  return isOfThisComputer(address) && listeningPorts().has(port);
}

function isOfThisComputer(address: string): boolean {
  const given = address.toLowerCase();
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const zone = zoneOf(given);
  // Linux connects `0.0.0.0` and `::` to this computer. An IPv6 address has many spellings.
  return zone === 'loopback' || zone === undefined || isIPv6(given) || own.some((one) => one.address === given);
}

/** The fields of a line in /proc/net/tcp. The state `0A` is LISTEN. */
const line = /^\s*\d+: [\dA-F]+:([\dA-F]{4}) \S+ 0A(?: +\S+){5} +(\d+) /;

function listeningPorts(): Set<number> {
  const sockets = new Set(readdirSync('/proc/self/fd').flatMap((name) => socketOf(name) ?? []));
  const rows = ['tcp', 'tcp6'].flatMap((name) => readText(`/proc/self/net/${name}`).split('\n'));
  const found = rows.flatMap((row) => {
    const [, port = '', inode = ''] = line.exec(row) ?? [];
    return sockets.has(inode) ? Number.parseInt(port, 16) : [];
  });
  return new Set(found);
}

/** The inode of the socket behind a descriptor. */
function socketOf(descriptor: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.[1];
  } catch {
    return undefined;
  }
}

/** Empty where the system has no IPv6. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
