/** The package's format and its update feed, as electron-builder recorded them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Host } from '../core/host.ts';
import { ownAppImage } from '../host/app-image.ts';

export type Package = 'AppImage' | 'deb' | 'rpm' | 'exe' | 'zip' | 'unknown';

/** The address of the package's update feed, if it is usable. Without a publisher, the feed is a placeholder under `.invalid`. */
export function feedOf(resources: string, log: Host['log']): string | undefined {
  const file = join(resources, 'app-update.yml');
  if (!existsSync(file)) return undefined;
  try {
    const { provider, url } = parse(readFileSync(file, 'utf8')) as { provider: string; url: string };
    if (provider !== 'generic') return provider;
    const { protocol, hostname } = new URL(url);
    if (hostname.endsWith('.invalid')) return undefined;
    // Without TLS, others on the network could choose the version; on Linux, packages have no signature.
    if (protocol === 'https:' || ['localhost', '127.0.0.1'].includes(hostname)) return url;
    log('warn', `The update feed is ignored, because it is not encrypted: ${url}`);
  } catch (error) {
    log('warn', `The update feed is ignored: ${String(error)}`);
  }
  return undefined;
}

export function packageIn(resources: string, platform = process.platform): Package {
  if (platform !== 'linux') return platform === 'darwin' ? 'zip' : 'exe';
  if (ownAppImage()) return 'AppImage';
  const file = join(resources, 'package-type');
  const type = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return type === 'deb' || type === 'rpm' ? type : 'unknown';
}
