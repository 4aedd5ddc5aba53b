/** Downloads the list of one registry, completely or only what changed, and stores it on disk. */
import type { Host } from '../../host.ts';
import type { SearchIndex } from '../../search/search.ts';
import { type Catalog, catalogFile, writeCatalog } from '../catalog.ts';
import { fetchDockerCatalog, isDockerCatalog } from './docker-catalog.ts';
import { type FetchOptions, fetchEntries, withinLimits } from './fetch-entries.ts';

const limitMs = 600_000;
/** Rereads changes this far back, because this computer's clock and the registry's may differ. */
const clockMarginMs = 86_400_000;

interface SyncOptions {
  host: Pick<Host, 'dataDir' | 'log'>;
  createIndex(): SearchIndex;
  /** Aborted when Core closes. */
  closing: AbortSignal;
  wait?: FetchOptions['wait'];
  /** Receives the new catalog, even an incomplete one. */
  onStored(catalog: Catalog): void;
}

/** Rejects with REGISTRY_UNREACHABLE. */
export async function syncList(url: string, old: Catalog, options: SyncOptions): Promise<void> {
  const { host, closing, wait } = options;
  const startedAt = Date.now();
  const isDocker = isDockerCatalog(url);
  // A time in the future comes from a wrong clock, so read the whole list again.
  const readsAll = isDocker || old.syncedAt === undefined || old.syncedAt > startedAt;
  const since = readsAll ? undefined : (old.syncedAt ?? 0) - clockMarginMs;
  const read = new Map<string, string>();
  const signal = AbortSignal.any([closing, AbortSignal.timeout(limitMs)]);
  const save = async (lines: Map<string, string>, syncedAt: number | undefined) => {
    const kept = withinLimits(lines);
    if (kept.size < lines.size)
      host.log('warn', `${url}: the list is too long, so ${lines.size - kept.size} entries were left out.`);
    const file = catalogFile(host.dataDir, url);
    options.onStored(await writeCatalog(file, { url, syncedAt }, kept, options.createIndex()));
  };
  try {
    const { skipped } = isDocker
      ? await fetchDockerCatalog({ url, signal }, read)
      : await fetchEntries({ url, signal, since, wait }, read);
    if (skipped > 0) host.log('warn', `${url}: ${skipped} entries could not be read.`);
  } catch (error) {
    // An incomplete list is better than none, but the next run must not treat it as complete.
    if (read.size > 0 && !closing.aborted)
      await save(merged(await old.lines(), read), since === undefined ? undefined : old.syncedAt);
    throw error;
  }
  await save(since === undefined ? read : merged(await old.lines(), read), startedAt);
}

function merged(old: ReadonlyMap<string, string>, fresh: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...old, ...fresh]);
}
