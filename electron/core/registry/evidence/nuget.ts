/** A package of NuGet names its entry in its README (`mcp-name: NAMESPACE/NAME`). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, objectsIn } from '../../../../shared/is-object.ts';
import type { Host } from '../../host.ts';
import type { Package, RegistryEntry } from '../entry.ts';
import { denied, type Evidence, ownershipOf, unanswered, unchecked } from '../ownership.ts';
import { fetchJson, fetchText } from '../sync/fetch-entries.ts';
import { marksIn } from './pypi.ts';

type Machine = Pick<Host, 'homeDir' | 'platform' | 'env'>;

const official = 'https://api.nuget.org/v3/index.json';
/** The limits for the list of services, which Core parses at once, and for a README. */
const maxIndexBytes = 256 * 1024;
const maxReadmeBytes = 512 * 1024;
const timeoutMs = 15_000;

/** The package sources that `dnx` uses, from the user's own `NuGet.Config`. */
export async function nugetSourcesOf({ homeDir, platform, env }: Machine): Promise<string[]> {
  const folder = platform === 'win32' ? join(env.APPDATA ?? homeDir, 'NuGet') : join(homeDir, '.nuget/NuGet');
  const text = await readFile(join(folder, 'NuGet.Config'), 'utf8').catch(() => '');
  const [, list = ''] = text.split(/<packageSources\s*>|<\/packageSources\s*>/i);
  const found = Array.from(list.matchAll(/<add\s[^>]*?\bvalue\s*=\s*"([^"]*)"/gi), ([, value = '']) => value);
  const sources = found.filter((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''));
  return sources.length > 0 ? sources : [official];
}

export async function nugetEvidence(entry: RegistryEntry, pkg: Package, host: Machine): Promise<Evidence> {
  const { identifier } = pkg;
  const [source = official, other] = await nugetSourcesOf(host);
  // Each of them may have another package of this name, and `dnx` takes the one that answers first.
  if (other !== undefined)
    return unchecked(`Your NuGet.Config names several package sources, so Gatehouse could not check ${identifier}.`);
  const index = new URL(source);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const address = readmeAddress(await fetchJson(index, signal, maxIndexBytes), pkg);
    if (!address) return unchecked(`${index.host} has no READMEs, so Gatehouse could not check ${identifier}.`);
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
