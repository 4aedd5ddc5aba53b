/** The connection to Core as the window sees it: calls, events that survive a reconnect, and its state for the banner. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type CoreClient, type EventName, events } from '../../shared/contract.ts';
import { fail, toFailure } from '../../shared/failure.ts';
import { connectCore } from '../../shared/rpc.ts';
import type { Wire } from '../../shared/wire.ts';

export interface LinkState {
  /** `refused`: the token is wrong; trying again would not help. */
  status: 'connecting' | 'open' | 'lost' | 'refused';
  message: string;
}

export interface Link {
  readonly state: StoreApi<LinkState>;
  readonly call: CoreClient['call'];
  readonly on: CoreClient['on'];
  /** Runs now if connected, and after each time the connection is made. Returns the unsubscribe function. */
  onOpen(listener: () => void): () => void;
  retryNow(): void;
}

const retryDelaysMs = [500, 1000, 2000, 4000];

/** Connects at once and keeps connecting with growing pauses; calls made meanwhile fail with CORE_UNREACHABLE. */
export function createLink(openWire: () => Promise<Wire>): Link {
  const state = createStore<LinkState>(() => ({ status: 'connecting', message: '' }));
  const listeners = new Map<EventName, Set<(data: never) => void>>();
  const openers = new Set<() => void>();
  let client: CoreClient | undefined;
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function connect(): Promise<void> {
    clearTimeout(timer);
    try {
      const wire = await openWire();
      const opened = connectCore(wire);
      client = opened;
      attempt = 0;
      for (const name of Object.keys(events) as EventName[])
        opened.on(name, (data) => {
          for (const listener of listeners.get(name) ?? []) listener(data as never);
        });
      wire.onClose(() => {
        if (client !== opened) return;
        client = undefined;
        retryLater('The connection to Gatehouse was lost.');
      });
      state.setState({ status: 'open', message: '' });
      for (const listener of openers) listener();
    } catch (error) {
      const failure = toFailure(error);
      if (failure.code === 'INPUT_INVALID') state.setState({ status: 'refused', message: failure.message });
      else retryLater(failure.message);
    }
  }

  function retryLater(message: string): void {
    state.setState({ status: 'lost', message });
    timer = setTimeout(() => void connect(), retryDelaysMs[Math.min(attempt, retryDelaysMs.length - 1)]);
    attempt += 1;
  }

  void connect();
  return {
    state,
    call: (name, ...input) =>
      client
        ? client.call(name, ...input)
        : Promise.reject(fail('CORE_UNREACHABLE', 'There is no connection to Gatehouse just now.')),
    on(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      return () => void set.delete(listener);
    },
    onOpen(listener) {
      openers.add(listener);
      if (client) listener();
      return () => void openers.delete(listener);
    },
    retryNow() {
      if (!client && state.getState().status !== 'refused') void connect();
    },
  };
}
