/** Decides which servers are discovered again, and when. */
import { lockedSecret } from '../../../shared/failure.ts';
import type { PluginSet } from '../plugins/plugins.ts';
import type { Catalog } from '../tools/catalog/catalog.ts';
import type { Listing } from './listing.ts';
import { type Entry, hashOf, stateOf } from './server-entry.ts';

interface RediscoveryOptions {
  entries: ReadonlyMap<string, Entry>;
  listing: Listing;
  catalog: Catalog;
  plugins: PluginSet;
}

export function createRediscovery({ entries, listing, catalog, plugins }: RediscoveryOptions) {
  /** True if the catalog has no lists, or those of another configuration. */
  const isOutdated = ({ config }: Entry): boolean =>
    catalog.entry(config.name)?.configHash !== hashOf(config, plugins.version);

  /** True if the last discovery found no tools, prompts or resources: the server may not have been ready. */
  function offersNothing({ config }: Entry): boolean {
    const { discovered } = catalog.entry(config.name) ?? {};
    if (!discovered) return false;
    const { tools, prompts, resources, resourceTemplates } = discovered;
    return tools.length + prompts.length + resources.length + resourceTemplates.length === 0;
  }

  async function refreshAll(isDue: (entry: Entry) => boolean): Promise<void> {
    const due = [...entries.values()].filter((entry) => entry.config.enabled && isDue(entry));
    await Promise.allSettled(due.map(refreshUntilCurrent));
  }

  /** A discovery that was in progress may have read the lists of an outdated configuration, so repeat it. */
  async function refreshUntilCurrent(entry: Entry): Promise<void> {
    const wasRunning = entry.discovering !== undefined;
    await listing.refresh(entry);
    if (wasRunning && isOutdated(entry)) await listing.refresh(entry);
  }

  return {
    isOutdated,
    /** Discovers every unknown or changed server. Resolves when all have finished or failed. */
    refreshStale: (): Promise<void> =>
      refreshAll((entry) => {
        const { connection, lifecycle } = entry.config;
        return connection.type !== 'stdio' || lifecycle?.keepAlive === true || isOutdated(entry);
      }),
    /**
     * Discovers every running server again and retries failed ones and those that offered nothing, in case a change notification
     * was missed. Does not retry one whose secrets are missing or locked: a password manager would prompt each time.
     */
    refreshLive: (): Promise<void> =>
      refreshAll((entry) => {
        const { status, failure } = entry.handle.state;
        const needsUser = failure && ['SECRET_MISSING', ...lockedSecret].includes(failure.code);
        return status === 'ready' || (status === 'failed' && !needsUser) || offersNothing(entry);
      }),
    /** Refreshes expired lists in the background. */
    refreshIfExpired(entry: Entry): void {
      const isExpired = catalog.isStale(entry.config.name, hashOf(entry.config, plugins.version));
      // Reading does not retry a failed server; only its breaker and the user do.
      if (isExpired && entry.config.enabled && stateOf(entry).status !== 'failed')
        listing.background(refreshUntilCurrent(entry));
    },
  };
}
