/** Evidence for NuGet packages: the README names the entry (`mcp-name: NAMESPACE/NAME`). */
import { isObject, objectsIn } from '../../../../shared/is-object.ts';
import type { Machine } from '../../host.ts';
import type { Package, RegistryEntry } from '../entry.ts';
import { nugetSourcesOf, otherNugetConfig } from '../nuget-config.ts';
import { denied, type Evidence, ownershipOf, unanswered, unchecked } from '../ownership.ts';
import { fetchJson, fetchText } from '../sync/fetch-entries.ts';
import { marksIn } from './pypi.ts';

/** The limits for the list of services, which Core parses at once, and for a README. */
const maxIndexBytes = 256 * 1024;
const maxReadmeBytes = 512 * 1024;
const timeoutMs = 15_000;

export async function nugetEvidence(entry: RegistryEntry, pkg: Package, host: Machine): Promise<Evidence> {
  const { identifier } = pkg;
  const file = await otherNugetConfig(host);
  if (file !== undefined)
    return unchecked(`${file} may name other package sources, so Toolkeep could not check ${identifier}.`);
  const { urls, isComplete } = await nugetSourcesOf(host);
  const [source, other] = urls;
  if (!isComplete || source === undefined)
    return unchecked(`Your NuGet.Config has a package source that Toolkeep cannot ask about ${identifier}.`);
  // Each of them may have another package with this name, and `dnx` takes the one that answers first.
  if (other !== undefined)
    return unchecked(`Your NuGet.Config names several package sources, so Toolkeep could not check ${identifier}.`);
  const index = new URL(source);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const address = readmeAddress(await fetchJson(index, signal, maxIndexBytes), pkg);
    if (!address) return unchecked(`${index.host} has no READMEs, so Toolkeep could not check ${identifier}.`);
    if (address.protocol !== 'https:' && address.origin !== index.origin)
      return denied(`${index.host} keeps READMEs at ${address.origin}, which is not encrypted.`);
    const readme = await fetchText(address, signal, maxReadmeBytes);
    return { ownership: ownershipOf(entry.name, identifier, marksIn(readme ?? '')), warnings: [] };
  } catch (error) {
    return unanswered(error, index.host, 'package');
  }
}

function readmeAddress(services: unknown, { identifier, version }: Package): URL | null {
  const list = isObject(services) ? objectsIn(services.resources) : [];
  const found = list.find((service) => String(service['@type']).startsWith('ReadmeUriTemplate'))?.['@id'];
  if (typeof found !== 'string') return null;
  const place = (text: string) => encodeURIComponent(text.toLowerCase());
  return URL.parse(
    found
      .replace('{lower_id}', () => place(identifier))
      .replace('{lower_version}', () => place(version.replace(/\+.*$/, ''))),
  );
}
