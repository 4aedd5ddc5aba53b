/** Asks the package registry whether a package belongs to the entry, and for the hash of its content. */
import type { Machine } from '../../host.ts';
import type { Package, RegistryEntry } from '../entry.ts';
import { denied, type Evidence, npmEvidence, unchecked } from '../ownership.ts';
import { ociEvidence } from './oci.ts';
import { pypiEvidence } from './pypi.ts';

/**
 * Never rejects: if the package registry cannot be reached, the evidence says that nothing is known. `mayBePrivate`: whether the
 * entry may name a host of the user's own network.
 */
export async function packageEvidence(
  entry: RegistryEntry,
  pkg: Package,
  host: Machine,
  mayBePrivate: boolean,
): Promise<Evidence> {
  switch (pkg.type) {
    case 'npm':
      return npmEvidence(entry, pkg, host);
    case 'pypi':
      return pypiEvidence(entry, pkg, host);
    case 'oci':
      return ociEvidence(entry, pkg, mayBePrivate);
    case 'go':
      return goEvidence(entry, pkg);
    default:
      return unchecked(`Toolkeep cannot check whether a package of type "${pkg.type}" belongs to its entry.`);
  }
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
