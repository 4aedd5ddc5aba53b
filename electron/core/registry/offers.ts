/** Offers the user servers of the loaded registries when an agent's search finds no tool. Installs nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NotificationContent } from '../../../shared/model/notification.ts';
import type { Registries } from './registry.ts';

/** Notifies the user. Returns a sentence for the agent, or undefined if no server fits. */
export type OfferServers = (client: string, query: string) => Promise<string | undefined>;

/** Less relevant servers match only a tag or a common word. */
const minRelevance = 0.5;
const maxServers = 3;
const maxQuery = 200;
/** The first search reads the lists from disk. If that takes longer, the next search finds their servers. */
const maxWaitMs = 400;

export function createOffers(options: {
  registries: Pick<Registries, 'search'>;
  isAllowed(): boolean;
  redact(text: string): string;
  notify(content: NotificationContent): void;
}): OfferServers {
  return async (client, query) => {
    if (!options.isAllowed()) return undefined;
    // An agent must not make Toolkeep contact a registry.
    const search = options.registries.search(query, maxServers, { refresh: false });
    const found = await Promise.race([search, sleep(maxWaitMs, [], { ref: false })]);
    const [first, ...others] = found.flatMap(({ registry, entry: { name }, relevance }) =>
      relevance < minRelevance ? [] : { registry, name },
    );
    if (!first) return undefined;
    const shown = options.redact(query.slice(0, maxQuery));
    options.notify({ kind: 'servers-offered', client, query: shown, servers: [first, ...others] });
    // Names and descriptions in a registry are of unknown authors, so the agent reads none.
    return 'A server that the user could install may help. The user was notified; you cannot install it.';
  };
}
