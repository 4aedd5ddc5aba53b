/** Toolkeep's own ports, which no confined server may reach: its page and its MCP endpoint trust this computer. */
import { subscribe } from 'node:diagnostics_channel';
import { isIPv6, Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { zoneOf } from '../oauth/auth-fetch.ts';

/** Every port on which this process listens, also those of plug-ins, with the number of its servers. */
const ports = new Map<number, number>();

subscribe('tracing:net.server.listen:asyncEnd', (message) => {
  const server = typeof message === 'object' && message !== null && 'server' in message ? message.server : undefined;
  const address = server instanceof Server ? server.address() : null;
  if (!(server instanceof Server) || address === null || typeof address === 'string') return;
  const { port } = address;
  ports.set(port, (ports.get(port) ?? 0) + 1);
  server.once('close', () => ports.set(port, (ports.get(port) ?? 1) - 1));
});

/** Whether this process listens at the address. Cheap for all other ports: a server may connect in a loop. */
export function isOwnAddress(address: string, port: number): boolean {
  return (ports.get(port) ?? 0) > 0 && isOfThisComputer(address);
}

function isOfThisComputer(address: string): boolean {
  const given = address.toLowerCase();
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const zone = zoneOf(given);
  // Linux connects `0.0.0.0` and `::` to this computer. An IPv6 address has many spellings.
  return zone === 'loopback' || zone === undefined || isIPv6(given) || own.some((one) => one.address === given);
}
