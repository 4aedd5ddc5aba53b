/** Data of Core that a view shows: loaded while someone looks, loaded again when Core says it changed. */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EventName } from '../../shared/contract.ts';
import { type Failure, toFailure } from '../../shared/failure.ts';
import type { Link } from './link.ts';

export interface ResourceState<T> {
  /** The last good data; kept while loading again and after a failure. */
  data: T | undefined;
  failure: Failure | undefined;
}

export interface Resource<T> {
  readonly state: StoreApi<ResourceState<T>>;
  /** Loads now; concurrent calls share one request, and one more follows if something changed meanwhile. */
  load(): Promise<void>;
  /** Keeps the data fresh until the returned function is called. */
  retain(): () => void;
}

/** Storms of events lead to at most one request per this many milliseconds. */
const minPauseMs = 250;

export function createResource<T>(link: Link, fetch: () => Promise<T>, changedBy: readonly EventName[]): Resource<T> {
  const state = createStore<ResourceState<T>>(() => ({ data: undefined, failure: undefined }));
  let users = 0;
  let stale = false;
  let subscriptions: (() => void)[] = [];
  let running: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    stale = false;
    try {
      state.setState({ data: await fetch(), failure: undefined });
    } catch (error) {
      const failure = toFailure(error);
      // A lost connection has its own banner; what is on screen stays.
      if (failure.code === 'CORE_UNREACHABLE') stale = true;
      else state.setState({ failure });
    }
  }

  function load(): Promise<void> {
    stale = true;
    running ??= run().finally(() => {
      running = undefined;
      if (stale && users > 0 && link.state.getState().status === 'open') later();
    });
    return running;
  }

  function later(): void {
    stale = true;
    if (users === 0 || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (users > 0) void load();
    }, minPauseMs);
  }

  return {
    state,
    load,
    retain() {
      users += 1;
      // Nothing is heard while nobody looks, so the first user loads anew; what was known is shown meanwhile.
      if (users === 1)
        subscriptions = [...changedBy.map((name) => link.on(name, later)), link.onOpen(() => void load())];
      return () => {
        users -= 1;
        if (users === 0) for (const unsubscribe of subscriptions.splice(0)) unsubscribe();
      };
    },
  };
}

/** The state of a resource, kept fresh while the component is on screen. */
export function useResource<T>(resource: Resource<T>): ResourceState<T> {
  useEffect(() => resource.retain(), [resource]);
  return useStore(resource.state);
}
