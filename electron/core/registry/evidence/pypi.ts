/** Evidence for PyPI packages: the README names the entry (`mcp-name: NAMESPACE/NAME`), and the files have hashes. */
import { isObject, objectsIn } from '../../../../shared/is-object.ts';
import type { Machine } from '../../host.ts';
import type { Package, RegistryEntry } from '../entry.ts';
import { denied, type Evidence, ownershipOf, unanswered, unchecked } from '../ownership.ts';
import { fetchJson, isThere } from '../sync/fetch-entries.ts';
import { pypiIndexOf } from '../uv-settings.ts';

/** The limit for a version's JSON (README and list of files), which Core parses in one piece. */
const maxBytes = 512 * 1024;
const timeoutMs = 15_000;
/** A package with more files has one for every platform. Such a list is too long for a lock file. */
const maxFiles = 20;

export async function pypiEvidence(entry: RegistryEntry, pkg: Package, host: Machine): Promise<Evidence> {
  const index = (await pypiIndexOf(host)).replace(/\/+$/, '').replace(/\/simple$/, '');
  const identifier = pkg.identifier.replace(/\[.*$/, '');
  const project = `${index}/pypi/${encodeURIComponent(identifier)}`;
  const address = new URL(`${project}/${encodeURIComponent(pkg.version)}/json`);
  const signal = AbortSignal.timeout(timeoutMs);
  let answer: unknown;
  let knowsProject = false;
  try {
    answer = await fetchJson(address, signal, maxBytes);
    knowsProject =
      isObject(answer) || address.host === 'pypi.org' || (await isThere(new URL(`${project}/json`), signal));
  } catch (error) {
    return unanswered(error, address.host, 'package');
  }
  const what = `${identifier} ${pkg.version}`;
  // Many private indexes answer only the requests that an installation makes.
  if (!knowsProject)
    return unchecked(`${address.host} does not describe ${identifier}, so Toolkeep could not check it.`);
  if (!isObject(answer)) return denied(`${address.host} has no ${what}.`);
  const info = isObject(answer.info) ? answer.info : {};
  if (info.yanked === true) return denied(`${what} was withdrawn by its publisher (yanked).`);
  const integrity = hashesOf(answer.urls);
  const names = typeof info.description === 'string' ? marksIn(info.description) : [];
  return {
    ownership: ownershipOf(entry.name, identifier, names),
    ...(integrity && { integrity }),
    warnings: [],
  };
}

/** The entries that a README names. */
export function marksIn(readme: string): string[] {
  const found = readme.matchAll(/mcp-name:[ \t]*([a-z0-9.-]{1,100}\/[a-z0-9._-]{1,100})/gi);
  // A dot at the end of a sentence is not part of the name.
  return Array.from(found, ([, name = '']) => name.replace(/\.+$/, ''));
}

function hashesOf(files: unknown): string | undefined {
  const hashes = objectsIn(files).flatMap(({ digests }) =>
    isObject(digests) && typeof digests.sha256 === 'string' ? digests.sha256 : [],
  );
  if (hashes.length === 0 || hashes.length > maxFiles || hashes.some((one) => !/^[a-f0-9]{64}$/.test(one)))
    return undefined;
  return hashes
    .sort()
    .map((one) => `sha256-${Buffer.from(one, 'hex').toString('base64')}`)
    .join(' ');
}
