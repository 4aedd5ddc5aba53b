/** Whether a package belongs to the entry, and the hash of its content. Only npm is asked. */
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
  /** The hash of the content that npm states. */
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
function denied(detail: string): Evidence {
  return { ownership: { state: 'denied', detail }, warnings: [] };
}

/** Never rejects: if npm cannot be reached, the evidence says that nothing is known. */
export async function packageEvidence(
  entry: RegistryEntry,
  pkg: Package,
  host: Pick<Host, 'homeDir'>,
): Promise<Evidence> {
  if (pkg.type === 'npm') return npmEvidence(entry, pkg, host);
  if (pkg.type === 'go') return goEvidence(entry, pkg);
  return unchecked(`Toolkeep cannot check whether a package of type "${pkg.type}" belongs to its entry.`);
}

/** Compares the owner in the path of a Go module on GitHub with the owner in the entry's name. */
function goEvidence({ name }: RegistryEntry, { identifier }: Package): Evidence {
  const owner = /^io\.github\.([^/]+)\//.exec(name)?.[1]?.toLowerCase();
  const own = /^github\.com\/([^/]+)\//.exec(identifier)?.[1]?.toLowerCase();
  if (!owner || !own) return unchecked(`${identifier} does not say which entry it belongs to.`);
  if (owner === own)
    return {
      ownership: { state: 'confirmed', detail: `${identifier} and this entry have the same owner.` },
      warnings: [],
    };
  return denied(`${identifier} belongs to ${own}, the entry to ${owner}.`);
}

async function npmEvidence(
  entry: RegistryEntry,
  { identifier, version }: Package,
  host: Pick<Host, 'homeDir'>,
): Promise<Evidence> {
  const address = await npmAddress(identifier, version, host);
  let manifest: unknown;
  try {
    manifest = await fetchJson(address, AbortSignal.timeout(timeoutMs), maxBytes);
  } catch (error) {
    return unchecked(
      error instanceof TooLarge
        ? `${address.host} sent more data about the package than Toolkeep accepts.`
        : `${address.host} could not be reached, so Toolkeep could not check the package.`,
    );
  }
  if (!isObject(manifest)) return denied(`${address.host} has no ${identifier}@${version}.`);
  const integrity = integrityIn(manifest);
  const scripts = isObject(manifest.scripts) ? manifest.scripts : {};
  const script = installScripts.find((name) => typeof scripts[name] === 'string');
  return {
    ownership: ownershipOf(entry.name, identifier, manifest.mcpName),
    ...(integrity !== undefined && { integrity }),
    ...(script && { script: `${script}: ${textFrom(scripts[script]).slice(0, 500)}` }),
    warnings: script ? [`The package runs a script of its own when it is installed ("${script}").`] : [],
  };
}

/** `named`: the entry that the package names. */
function ownershipOf(entry: string, identifier: string, named: unknown): Evidence['ownership'] {
  if (typeof named !== 'string')
    return { state: 'unknown', detail: `${identifier} does not say which entry it belongs to.` };
  if (named === entry) return { state: 'confirmed', detail: `${identifier} names this entry as its own.` };
  return { state: 'denied', detail: `${identifier} belongs to another entry, ${named.slice(0, 200)}.` };
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
