/** Asks npm whether a package belongs to the entry, and for the hash of its content. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../../shared/is-object.ts';
import type { RegistryPlan } from '../../../shared/model/registry.ts';
import type { Host } from '../host.ts';
import type { Package, RegistryEntry } from './entry.ts';
import { fetchJson } from './sync/fetch-entries.ts';

export interface Evidence {
  ownership: RegistryPlan['ownership'];
  /** The SHA-512 of the package, as npm checks it. */
  integrity?: string;
  /** The name and the text of the script that the package runs when it is installed. */
  script?: string;
  warnings: string[];
}

const maxBytes = 2 * 1024 * 1024;
const installScripts = ['preinstall', 'install', 'postinstall'];

/** The evidence without any request. */
export function unchecked(detail: string): Evidence {
  return { ownership: { state: 'unknown', detail }, warnings: [] };
}

/** The npm registry that `npx` uses for this package, from the user's own `.npmrc`. */
export async function npmRegistryOf(identifier: string, { homeDir }: Pick<Host, 'homeDir'>): Promise<string> {
  const settings = await readFile(join(homeDir, '.npmrc'), 'utf8').catch(() => '');
  const setting = (key: string) =>
    settings
      .split('\n')
      .map((line) => line.split(/\s*=\s*/))
      .findLast(([name]) => name?.trim() === key)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, '$2');
  const scope = /^@[^/]+/.exec(identifier)?.[0];
  const registry = (scope && setting(`${scope}:registry`)) ?? setting('registry') ?? '';
  return URL.canParse(registry) ? registry : 'https://registry.npmjs.org';
}

/** Never rejects: if npm cannot be reached, nothing is known. */
export async function npmEvidence(
  entry: RegistryEntry,
  { identifier, version }: Package,
  host: Pick<Host, 'homeDir'>,
): Promise<Evidence> {
  const registry = await npmRegistryOf(identifier, host);
  const address = new URL(`${registry.replace(/\/+$/, '')}/${identifier.replace('/', '%2f')}/${version}`);
  let manifest: unknown;
  try {
    manifest = await fetchJson(address, AbortSignal.timeout(15_000), maxBytes);
  } catch {
    return unchecked(`${address.host} could not be reached, so Gatehouse could not check the package.`);
  }
  if (!isObject(manifest))
    return {
      ownership: { state: 'denied', detail: `${address.host} has no ${identifier}@${version}.` },
      warnings: [],
    };
  const dist = isObject(manifest.dist) ? manifest.dist : {};
  const scripts = isObject(manifest.scripts) ? manifest.scripts : {};
  const script = installScripts.find((name) => typeof scripts[name] === 'string');
  return {
    ownership: ownershipOf(entry.name, identifier, manifest.mcpName),
    ...(typeof dist.integrity === 'string' && dist.integrity.length <= 500 && { integrity: dist.integrity }),
    ...(script && { script: `${script}: ${String(scripts[script]).slice(0, 500)}` }),
    warnings: script ? [`The package runs a script of its own when it is installed ("${script}").`] : [],
  };
}

function ownershipOf(entry: string, identifier: string, named: unknown): Evidence['ownership'] {
  if (named === entry) return { state: 'confirmed', detail: `${identifier} names this entry as its own.` };
  if (typeof named === 'string')
    return { state: 'denied', detail: `${identifier} belongs to another entry, ${named.slice(0, 200)}.` };
  return { state: 'unknown', detail: `${identifier} does not say which entry it belongs to.` };
}
