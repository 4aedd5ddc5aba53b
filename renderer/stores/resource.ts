/** Data that a view loads from Core: loaded while a component uses it, and reloaded on change events. */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Failure, toFailure } from '../../shared/failure.ts';
import type { EventName } from '../../shared/protocol/contract.ts';
import type { Link } from './link.ts';

export interface ResourceState<T> {
  /** The last successful result, kept while reloading and after a failure. */
  data: T | undefined;
  failure: Failure | undefined;
}

export interface Resource<T> {
  readonly state: StoreApi<ResourceState<T>>;
  /** Loads now. Concurrent calls share one request. If the data changes during the request, another one follows. */
  load(): Promise<void>;
  /** Keeps the data up to date, also after the events in `alsoOn`, until the returned function is called. */
  retain(alsoOn?: readonly EventName[]): () => void;
}

/** Minimum time between two requests, however many events arrive. */
const minPauseMs = 250;

/**
 * `isKept`: keeps the data while no component uses it, until an event reports a change. Without `isKept`, the next component
 * loads the data again. Use it for large data that changes only with these events.
 */
export function createResource<T>(
  link: Link,
  fetch: () => Promise<T>,
  changedBy: readonly EventName[],
  isKept = false,
): Resource<T> {
  const state = createStore<ResourceState<T>>(() => ({ data: undefined, failure: undefined }));
  let users = 0;
  let isStale = false;
  let subscriptions: (() => void)[] = [];
  let running: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    isStale = false;
    try {
      state.setState({ data: await fetch(), failure: undefined });
    } catch (error) {
      const failure = toFailure(error);
      // A banner reports the lost connection. Keep the data on screen.
      if (failure.code === 'CORE_UNREACHABLE') isStale = true;
      else state.setState({ failure });
    }
  }

  function load(): Promise<void> {
    isStale = true;
    running ??= run().finally(() => {
      running = undefined;
      if (isStale && users > 0 && link.state.getState().status === 'open') later();
    });
    return running;
  }

  function later(): void {
    isStale = true;
    if (users === 0 || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (users > 0) void load();
    }, minPauseMs);
  }

  const subscribe = () => [
    ...changedBy.map((name) => link.on(name, later)),
    link.onOpen(() => {
      if (users > 0) void load();
      else isStale = true;
    }),
  ];

  return {
    state,
    load,
    retain(alsoOn = []) {
      users += 1;
      const more = alsoOn.map((name) => link.on(name, later));
      // Without subscriptions, the first component triggers a reload, and shows the old data until it completes.
      if (subscriptions.length === 0) subscriptions = subscribe();
      else if (users === 1 && (isStale || state.getState().failure)) void load();
      return () => {
        for (const unsubscribe of more) unsubscribe();
        users -= 1;
        if (users === 0 && !isKept) for (const unsubscribe of subscriptions.splice(0)) unsubscribe();
      };
    },
  };
}

/** The calls that a view counts. Other views of the same resource need no new data for each call. */
export const onCalls: readonly EventName[] = ['calls.recorded'];

/** The state of a resource, kept up to date while the component is mounted. `alsoOn` must stay the same array. */
export function useResource<T>(resource: Resource<T>, alsoOn?: readonly EventName[]): ResourceState<T> {
  useEffect(() => resource.retain(alsoOn), [resource, alsoOn]);
  return useStore(resource.state);
}
