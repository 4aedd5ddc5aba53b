/** The registries from which servers can be installed: their lists on disk, synchronized when the user asks. */
import { fail, toFailure } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import { limits } from '../../../shared/limits.ts';
import type { RegistryView } from '../../../shared/model/registry.ts';
import type { Events } from '../events.ts';
import type { Host } from '../host.ts';
import type { SearchIndex } from '../search/search.ts';
import { changeSetting } from '../settings.ts';
import { type Catalog, catalogFile, openCatalog, removeUnfinished } from './catalog.ts';
import { parseEntry, type RegistryEntry } from './entry.ts';
import { type FetchOptions, fetchJson } from './sync/fetch-entries.ts';
import { syncList } from './sync/sync-list.ts';

export interface RegistrySource {
  name: string;
  url: string;
}

export interface Found {
  registry: string;
  /** From 0 to 1. */
  relevance: number;
  entry: RegistryEntry;
}

export type Registries = ReturnType<typeof createRegistries>;

const staleMs = 86_400_000;

export function createRegistries(options: {
  host: Pick<Host, 'dataDir' | 'store' | 'log'>;
  events: Events;
  sources(): readonly RegistrySource[];
  /** Creates an empty index for the entries of one registry. */
  createIndex(): SearchIndex;
  wait?: FetchOptions['wait'];
}) {
  const { host, events, sources, createIndex } = options;
  const catalogs = new Map<string, Promise<Catalog>>();
  const syncing = new Map<string, Promise<void>>();
  const failures = new Map<string, string>();
  const closing = new AbortController();

  function sourceOf(name: string): RegistrySource {
    const source = sources().find((one) => one.name === name || one.url === name);
    if (source) return source;
    throw fail('REGISTRY_ENTRY_NOT_FOUND', `No registry named "${name}" is configured.`, {
      hint: 'See `registries` in the config file.',
    });
  }
  function catalogOf({ url }: RegistrySource): Promise<Catalog> {
    const known = catalogs.get(url) ?? openFirst(url);
    catalogs.set(url, known);
    return known;
  }
  async function openFirst(url: string): Promise<Catalog> {
    const file = catalogFile(host.dataDir, url);
    await removeUnfinished(file);
    return openCatalog(file, url, createIndex());
  }
  const isWanted = ({ url }: RegistrySource) => host.store.get('registries').includes(url);

  /** Runs at most once at a time for each registry. */
  function synchronize(source: RegistrySource): Promise<void> {
    const running = syncing.get(source.url);
    if (running) return running;
    const run = catalogOf(source)
      .then((old) =>
        syncList(source.url, old, {
          host,
          createIndex,
          closing: closing.signal,
          wait: options.wait,
          onStored: (fresh) => catalogs.set(source.url, Promise.resolve(fresh)),
        }),
      )
      .then(() => void failures.delete(source.url))
      .catch((error) => {
        failures.set(source.url, toFailure(error).message);
        throw error;
      })
      .finally(() => {
        syncing.delete(source.url);
        events.emit('registry.changed', {});
      });
    syncing.set(source.url, run);
    run.catch(() => undefined);
    events.emit('registry.changed', {});
    return run;
  }

  return {
    list: (): Promise<RegistryView[]> =>
      Promise.all(
        sources().map(async (source) => {
          const { syncedAt, size } = await catalogOf(source);
          const failure = failures.get(source.url);
          return {
            ...source,
            entries: size,
            isWanted: isWanted(source),
            isSyncing: syncing.has(source.url),
            ...(syncedAt !== undefined && { syncedAt }),
            ...(failure !== undefined && { failure }),
          };
        }),
      ),
    /**
     * Downloads the lists of all registries, or of one, and records that the user requested them. If a list already exists,
     * downloads only the changed entries. Rejects with REGISTRY_UNREACHABLE.
     */
    async sync(name?: string): Promise<void> {
      const wanted = name === undefined ? sources() : [sourceOf(name)];
      const urls = wanted.map(({ url }) => url);
      changeSetting(host.store, 'registries', (known) => [...new Set([...known, ...urls])]);
      const results = await Promise.allSettled(wanted.map(synchronize));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    },
    /**
     * Returns matching entries, best first. Unless `refresh` is false, also refreshes outdated lists in the background if the user
     * has ever loaded them.
     */
    async search(query: string, limit: number, { refresh = true } = {}): Promise<Found[]> {
      const hits = await Promise.all(
        sources().map(async (source) => {
          const catalog = await catalogOf(source);
          const isStale = Math.abs(Date.now() - (catalog.syncedAt ?? 0)) > staleMs;
          if (refresh && isStale && isWanted(source) && !failures.has(source.url))
            void synchronize(source).catch(() => undefined);
          return catalog.search(query, limit).map((hit) => ({ ...hit, source, catalog }));
        }),
      );
      const best = hits.flat().sort((a, b) => b.relevance - a.relevance);
      const found: Found[] = [];
      // One after another, because entries that are read at once are also parsed in one turn.
      for (const { name, relevance, source, catalog } of best.slice(0, limit)) {
        const entry = await catalog.find(name);
        if (entry) found.push({ registry: source.name, relevance, entry });
      }
      return found;
    },
    /** `registry`: its name or URL. Rejects with REGISTRY_ENTRY_NOT_FOUND. Without `version`, the latest one, which needs no network. */
    async entry(registry: string, name: string, version?: string): Promise<RegistryEntry> {
      const source = sourceOf(registry);
      const latest = await (await catalogOf(source)).find(name);
      if (latest && (version === undefined || version === latest.version)) return latest;
      const exact =
        latest && version !== undefined ? await fetchVersion(source, name, version, closing.signal) : undefined;
      if (exact) return exact;
      const what = version === undefined || !latest ? name : `${name} ${version}`;
      throw fail('REGISTRY_ENTRY_NOT_FOUND', `${source.name} has no ${what}.`);
    },
    /** The catalog of one registry. Rejects with REGISTRY_ENTRY_NOT_FOUND if it is not configured. */
    catalog: async (registry: string): Promise<Catalog> => catalogOf(sourceOf(registry)),
    close: (): void => closing.abort(),
  };
}

async function fetchVersion(
  source: RegistrySource,
  name: string,
  version: string,
  signal: AbortSignal,
): Promise<RegistryEntry | undefined> {
  const path = `v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
  const address = new URL(`${source.url.replace(/\/+$/, '')}/${path}`);
  const found = await fetchJson(address, signal, limits.registry.entryBytes).catch((error: Error) => {
    throw fail('REGISTRY_UNREACHABLE', `The registry at ${address.host} could not be read. ${error.message}`);
  });
  const entry = parseEntry(isObject(found) ? found : undefined);
  return entry?.name === name && entry.version === version ? entry : undefined;
}
