/** What happens in Core, told to whoever listens: events to faces, changes to clients. */
import type { EventData, EventName } from '../../shared/contract.ts';
import type { Subscribe } from '../../shared/rpc.ts';
import type { Change } from './gateway/gateway.ts';

export type Emit = <N extends EventName>(name: N, data: EventData<N>) => void;
export type Signals = ReturnType<typeof createSignals>;

export function createSignals() {
  const events = createBell<[name: EventName, data: unknown]>();
  const changes = createBell<[what: Change]>();
  const resources = createBell<[uri: string]>();
  const pages = createBell<[server: string, elicitationId: string]>();
  const emit: Emit = (name, data) => events.ring(name, data);
  const batch = createBatch(emit);
  return {
    /** To every face. */
    emit,
    subscribe: events.listen as Subscribe,
    serverChanged: (name: string) => batch('servers.changed', [name]),
    toolsChanged: (...servers: string[]) => batch('tools.changed', servers),
    /** To every client: its list is another one now. */
    announce: changes.ring,
    onChange: changes.listen,
    /** The person is done with a page that a server wanted opened. */
    pageCompleted: pages.ring,
    onPageCompleted: pages.listen,
    resourceUpdated: resources.ring,
    onResourceUpdated: resources.listen,
  };
}

function createBell<A extends unknown[]>() {
  const listeners = new Set<(...data: A) => void>();
  return {
    ring(...data: A): void {
      for (const listener of listeners) listener(...data);
    },
    listen(listener: (...data: A) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Many state changes in a row become one event. */
function createBatch(emit: <N extends EventName>(name: N, data: EventData<N>) => void) {
  const waiting = { 'servers.changed': new Set<string>(), 'tools.changed': new Set<string>() };
  return (event: keyof typeof waiting, names: string[]): void => {
    const set = waiting[event];
    if (names.length === 0) return;
    if (set.size === 0) {
      setTimeout(() => {
        const changed = [...set];
        set.clear();
        emit(event, { servers: changed });
      }, 20);
    }
    for (const name of names) set.add(name);
  };
}
