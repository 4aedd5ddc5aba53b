/** The events of Core on one typed emitter: those of the contract, which every UI receives, and those between modules. */
import { EventEmitter } from 'node:events';
import { events as contract } from '../../shared/protocol/contract/events.ts';
import type { EventData, EventName } from '../../shared/protocol/contract.ts';
import type { Subscribe } from '../../shared/protocol/rpc.ts';
import type { CatalogDiff, ListName } from './types.ts';

/** Events between modules. */
interface InternalEvents {
  /** Something that decides about calls has changed: rules, pins, servers, the catalog, permissions or settings. */
  'state.changed': Record<string, never>;
  /** A client's connection ended. */
  'client.disconnected': { id: string };
  /** The log level that some servers should use may have changed. */
  'logLevel.changed': Record<string, never>;
  /** A server was discovered. The catalog already contains `diff`. */
  'server.discovered': { server: string; diff: CatalogDiff };
  /** A server announced that one of its lists has changed. */
  'server.listChanged': { server: string };
  /** The user restarted or changed a server. */
  'server.reset': { server: string };
  /** A server was removed or renamed: what the user allowed it until Core ends is over. */
  'server.forgotten': { server: string };
  /** A list that clients see has changed. */
  'list.changed': { list: ListName };
  /** A subscribed resource has changed. */
  'resource.updated': { uri: string };
  /** A server reports that the user finished a URL elicitation. */
  'url.completed': { server: string; elicitationId: string };
  /** A tool ran without an error. `key` is `server::tool`. */
  'tool.succeeded': { client: string; key: string };
}

type ContractEvents = { [N in EventName]: EventData<N> };
type CoreEvents = ContractEvents & InternalEvents;

export type Emit = <N extends keyof CoreEvents>(name: N, data: CoreEvents[N]) => void;

export interface Events {
  emit: Emit;
  /** Calls `listener` for each event with this name. Returns a function that unsubscribes. */
  on<N extends keyof CoreEvents>(name: N, listener: (data: CoreEvents[N]) => void): () => void;
  /** Calls a listener for every event of the contract. */
  subscribe: Subscribe;
  /** Emits `servers.changed`; changes within 20 ms become one event. */
  serverChanged(server: string): void;
  /** Emits `tools.changed`; changes within 20 ms become one event. */
  toolsChanged(...servers: string[]): void;
  /** Emits `list.changed` for every list. */
  allListsChanged(): void;
}

const batchMs = 20;

export function createEvents(): Events {
  const emitter = new EventEmitter().setMaxListeners(0);
  const subscribers = new Set<(name: EventName, data: unknown) => void>();
  const emit: Emit = (name, data) => {
    emitter.emit(name, data);
    if (name in contract) for (const subscriber of subscribers) subscriber(name as EventName, data);
  };
  const batched = { 'servers.changed': new Set<string>(), 'tools.changed': new Set<string>() };

  function emitBatched(name: keyof typeof batched, servers: string[]): void {
    const batch = batched[name];
    if (servers.length === 0) return;
    if (batch.size === 0) {
      setTimeout(() => {
        const changed = [...batch];
        batch.clear();
        emit(name, { servers: changed });
      }, batchMs);
    }
    for (const server of servers) batch.add(server);
  }

  return {
    emit,
    on(name, listener) {
      emitter.on(name, listener);
      return () => void emitter.off(name, listener);
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    serverChanged: (server) => emitBatched('servers.changed', [server]),
    toolsChanged: (...servers) => emitBatched('tools.changed', servers),
    allListsChanged() {
      for (const list of ['tools', 'prompts', 'resources'] as const) emit('list.changed', { list });
    },
  };
}
