/** The connection to Core: calls, event subscriptions that survive a reconnect, and the connection state. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { fail, toFailure } from '../../shared/failure.ts';
import { events } from '../../shared/protocol/contract/events.ts';
import type { CoreClient, EventName } from '../../shared/protocol/contract.ts';
import { connectCore } from '../../shared/protocol/rpc.ts';
import type { Wire } from '../../shared/protocol/wire.ts';
import { t } from '../text.tsx';

export interface LinkState {
  /** `silent`: connected, but Core does not respond. `refused`: the key is invalid, so retrying does not help. */
  status: 'connecting' | 'open' | 'silent' | 'lost' | 'refused';
}

export interface Link {
  readonly state: StoreApi<LinkState>;
  readonly call: CoreClient['call'];
  readonly on: CoreClient['on'];
  /** Runs now if connected, and after every (re)connect. Returns the unsubscribe function. */
  onOpen(listener: () => void): () => void;
  retryNow(): void;
}

/** Milliseconds between two checks that Core still responds, and the time limit for its response. */
const beatPauseMs = 5_000;
const beatTimeoutMs = 10_000;
const retryDelaysMs = [500, 1000, 2000, 4000];

/** Connects immediately and reconnects with backoff. Calls made while disconnected fail with CORE_UNREACHABLE. */
export function createLink(openWire: () => Promise<Wire>): Link {
  const state = createStore<LinkState>(() => ({ status: 'connecting' }));
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
        retryLater();
      });
      opens();
      void beat(opened);
    } catch (error) {
      if (toFailure(error).code === 'INPUT_INVALID') state.setState({ status: 'refused' });
      else retryLater();
    }
  }

  function opens(): void {
    state.setState({ status: 'open' });
    for (const listener of openers) listener();
  }

  /** A hanging Core keeps its connection open, so only a missing response reveals it. */
  async function beat(opened: CoreClient): Promise<void> {
    const silence = setTimeout(() => {
      if (client === opened) state.setState({ status: 'silent' });
    }, beatTimeoutMs);
    await opened.call('questions.list').catch(() => undefined);
    clearTimeout(silence);
    if (client !== opened) return;
    if (state.getState().status === 'silent') opens();
    setTimeout(() => void beat(opened), beatPauseMs);
  }

  function retryLater(): void {
    state.setState({ status: 'lost' });
    timer = setTimeout(() => void connect(), retryDelaysMs[Math.min(attempt, retryDelaysMs.length - 1)]);
    attempt += 1;
  }

  void connect();
  return {
    state,
    call: (name, ...input) =>
      client ? client.call(name, ...input) : Promise.reject(fail('CORE_UNREACHABLE', t('Not connected to Toolkeep.'))),
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
