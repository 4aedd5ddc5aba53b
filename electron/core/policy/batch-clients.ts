/** Decides which clients may send many calls at once, and when a question offers that to the user. */
import type { Events } from '../events.ts';
import type { Store } from '../settings.ts';
import type { Client } from '../types.ts';

export type BatchClients = ReturnType<typeof createBatchClients>;

const offeredAfter = 5;
const withinMs = 5 * 60_000;

export function createBatchClients(options: {
  store: Store;
  events: Events;
  configured(): { clients: readonly string[]; maxCalls: number };
}) {
  const { store, events, configured } = options;
  /** By connection, for each tool the times of the latest questions. */
  const asked = new Map<string, Map<string, number[]>>();
  const untold = new Set<string>();
  events.on('client.disconnected', ({ id }) => asked.delete(id));

  /** Whether the client gets `execute_tools`: the user's choice, otherwise that of the config file. */
  function isEnabledFor({ name }: Pick<Client, 'name'>): boolean {
    const chosen = store.get('batch');
    return (Object.hasOwn(chosen, name) ? chosen[name] : undefined) ?? configured().clients.includes(name);
  }

  return {
    isEnabledFor,
    /** The maximum number of calls in one request. */
    maxCalls: (): number => configured().maxCalls,
    /** Saves the user's choice; null restores that of the config file. */
    choose(name: string, isEnabled: boolean | null): void {
      const { [name]: _before, ...others } = store.get('batch');
      store.set('batch', isEnabled === null ? others : { ...others, [name]: isEnabled });
      if (isEnabledFor({ name })) untold.add(name);
      else untold.delete(name);
      events.emit('clients.changed', {});
      events.emit('list.changed', { list: 'tools' });
    },
    /** Counts a question about a call. True if the client caused many about the same tool and could send such calls at once. */
    isOffered(client: Client, { server, name }: { server: string; name: string }): boolean {
      // In full mode, a client has no meta-tools.
      if (client.isUser || client.mode === 'full' || isEnabledFor(client)) return false;
      const key = JSON.stringify([server, name]);
      const ofClient = asked.get(client.id) ?? new Map<string, number[]>();
      const now = Date.now();
      const before = (ofClient.get(key) ?? []).filter((at) => now - at < withinMs);
      asked.set(client.id, ofClient.set(key, [...before, now].slice(-offeredAfter)));
      return before.length >= offeredAfter;
    },
    /** The names of the clients that the user has enabled and whose agents have not read so. */
    untold,
  };
}
