/** The format of the package and its feed of updates, as electron-builder recorded them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Host } from '../core/host.ts';
import { ownAppImage } from '../host/app-image.ts';

export type Package = 'AppImage' | 'deb' | 'rpm' | 'exe' | 'zip' | 'unknown';

/** A package without a publisher has a placeholder as its feed, in the domain that is reserved for names that do not exist. */
export function hasFeed(resources: string, log: Host['log']): boolean {
  const file = join(resources, 'app-update.yml');
  if (!existsSync(file)) return false;
  try {
    const { provider, url } = parse(readFileSync(file, 'utf8')) as { provider: string; url: string };
    if (provider !== 'generic') return true;
    const { protocol, hostname } = new URL(url);
    if (hostname.endsWith('.invalid')) return false;
    // Without TLS, others on the network could choose the version; on Linux, packages have no signature.
    if (protocol === 'https:' || ['localhost', '127.0.0.1'].includes(hostname)) return true;
    log('warn', `The feed of updates is ignored, because it is not encrypted: ${url}`);
  } catch (error) {
    log('warn', `The feed of updates is ignored: ${String(error)}`);
  }
  return false;
}

export function packageIn(resources: string, platform = process.platform): Package {
  if (platform !== 'linux') return platform === 'darwin' ? 'zip' : 'exe';
  if (ownAppImage()) return 'AppImage';
  const file = join(resources, 'package-type');
  const type = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return type === 'deb' || type === 'rpm' ? type : 'unknown';
}
