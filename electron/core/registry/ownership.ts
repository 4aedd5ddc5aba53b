/** Asks npm whether a package belongs to the entry, and for the hash of its content. */
import { isObject } from '../../../shared/is-object.ts';
import { limits } from '../../../shared/limits.ts';
import type { RegistryPlan } from '../../../shared/model/registry.ts';
import { textFrom } from '../../../shared/text-from.ts';
import { TooLarge } from '../async/read-body.ts';
import type { Host } from '../host.ts';
import type { Package, RegistryEntry } from './entry.ts';
import { npmRegistryOf } from './npmrc.ts';
import { fetchJson } from './sync/fetch-entries.ts';

export interface Evidence {
  ownership: RegistryPlan['ownership'];
  /** The hash of the content: npm's SHA-512, the SHA-256 of each file of a PyPI package, or the digest of an image. */
  integrity?: string;
  /** The name and the text of the script that the package runs when it is installed. */
  script?: string;
  warnings: string[];
}

const timeoutMs = 15_000;
/** The limit for the manifest. The publisher writes it, and Core parses it in one piece. */
const maxBytes = limits.registry.manifestBytes;
const installScripts = ['preinstall', 'install', 'postinstall'];

/** The evidence if ownership could not be checked. */
export function unchecked(detail: string): Evidence {
  return { ownership: { state: 'unknown', detail }, warnings: [] };
}

/** The evidence if the package does not match the entry. */
export function denied(detail: string): Evidence {
  return { ownership: { state: 'denied', detail }, warnings: [] };
}

/** The evidence after a request for `what` that failed. */
export function unanswered(error: unknown, host: string, what: 'package' | 'image'): Evidence {
  return unchecked(
    error instanceof TooLarge
      ? `${host} sent more data about the ${what} than Toolkeep accepts.`
      : `${host} could not be reached, so Toolkeep could not check the ${what}.`,
  );
}

/** Never rejects: if npm cannot be reached, the evidence says that nothing is known. */
export async function npmEvidence(
  entry: RegistryEntry,
  { identifier, version }: Package,
  host: Pick<Host, 'homeDir'>,
): Promise<Evidence> {
  const address = await npmAddress(identifier, version, host);
  let manifest: unknown;
  try {
    manifest = await fetchJson(address, AbortSignal.timeout(timeoutMs), maxBytes);
  } catch (error) {
    return unanswered(error, address.host, 'package');
  }
  if (!isObject(manifest)) return denied(`${address.host} has no ${identifier}@${version}.`);
  const integrity = integrityIn(manifest);
  const scripts = isObject(manifest.scripts) ? manifest.scripts : {};
  const script = installScripts.find((name) => typeof scripts[name] === 'string');
  return {
    ownership: ownershipOf(entry.name, identifier, typeof manifest.mcpName === 'string' ? [manifest.mcpName] : []),
    ...(integrity !== undefined && { integrity }),
    ...(script && { script: `${script}: ${textFrom(scripts[script]).slice(0, 500)}` }),
    warnings: script ? [`The package runs a script of its own when it is installed ("${script}").`] : [],
  };
}

/** `names`: the entries that the package names. */
export function ownershipOf(entry: string, identifier: string, names: readonly string[]): Evidence['ownership'] {
  if (names.includes(entry)) return { state: 'confirmed', detail: `${identifier} names this entry as its own.` };
  if (names[0] !== undefined)
    return { state: 'denied', detail: `${identifier} belongs to another entry, ${names[0].slice(0, 200)}.` };
  return { state: 'unknown', detail: `${identifier} does not say which entry it belongs to.` };
}

/** The current hash of a package in npm's registry; undefined if there is none. Rejects if the registry cannot be reached. */
export async function npmIntegrity(identifier: string, version: string, host: Pick<Host, 'homeDir'>) {
  const address = await npmAddress(identifier, version, host);
  const manifest = await fetchJson(address, AbortSignal.timeout(timeoutMs), maxBytes);
  return { host: address.host, integrity: isObject(manifest) ? integrityIn(manifest) : undefined };
}

async function npmAddress(identifier: string, version: string, host: Pick<Host, 'homeDir'>): Promise<URL> {
  const registry = await npmRegistryOf(identifier, host);
  return new URL(`${registry.replace(/\/+$/, '')}/${identifier.replace('/', '%2f')}/${version}`);
}

function integrityIn({ dist }: Record<string, unknown>): string | undefined {
  const integrity = isObject(dist) ? dist.integrity : undefined;
  return typeof integrity === 'string' && integrity.length <= 500 ? integrity : undefined;
}
