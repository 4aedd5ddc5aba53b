/** Whether a list of hosts names a target, and which names can be asked about. */
import { isIP } from 'node:net';
import type { NetworkHost } from '../../types.ts';

const usualPorts = [80, 443];

export function isAllowed({ host, port }: NetworkHost, allowed: readonly string[]): boolean {
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
