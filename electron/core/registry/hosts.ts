/** The hosts that an installation contacts: the server's host, or the package registry's hosts. */
import type { Machine } from '../host.ts';
import type { Derived, Option } from './connect.ts';
import { imageOf, splitImage } from './launch.ts';
import { npmRegistryOf } from './npmrc.ts';
import { pypiIndexOf } from './uv-settings.ts';

export async function hostsOf(
  option: Option | undefined,
  { command, refused }: Derived,
  host: Machine,
): Promise<string[]> {
  if (!option || refused !== undefined) return [];
  if ('remote' in option.source) return [/^\w+:\/\/([^/?#]+)/.exec(command[0] ?? '')?.[1]?.toLowerCase() ?? ''];
  const { package: pkg } = option.source;
  if (pkg.type === 'npm') return [new URL(await npmRegistryOf(pkg.identifier, host)).host];
  if (pkg.type === 'pypi') {
    const index = new URL(await pypiIndexOf(host)).host;
    return index === 'pypi.org' ? [index, 'files.pythonhosted.org'] : [index];
  }
  if (pkg.type === 'go') return ['proxy.golang.org'];
  return pkg.type === 'oci' ? [splitImage(imageOf(pkg)).host ?? 'docker.io'] : [];
}

/** The hosts that the package contacts when it runs, according to its publisher. */
export function declaredHosts(option: Option | undefined): string[] {
  return option && 'package' in option.source ? option.source.package.hosts : [];
}

/** The address of a remote server; null if the user has not entered all values. */
export function addressOf(option: Option | undefined, { command }: Derived): URL | null {
  return option && 'remote' in option.source ? URL.parse(command[0] ?? '') : null;
}

/**
 * Whether a host is this computer or in a private network. Does not resolve names, so it misses a name that DNS maps to
 * one.
 */
export function isPrivate(host: string): boolean {
  const hostname = host.replace(/\.$/, '');
  if (hostname === 'localhost' || /\.(?:localhost|local|internal|lan)$/.test(hostname)) return true;
  if (hostname.startsWith('[')) return /^\[(?:::|f[cd]|fe[89ab]|::ffff:)/.test(hostname);
  if (!/^[\d.]+$/.test(hostname)) return false;
  return /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(
    hostname,
  );
}
