/** Functions that all kinds of servers with several instances share: the combined state, and the counts of calls. */
import type { InstanceState, ServerHandle, ServerState } from '../types.ts';

export interface CountedInstance {
  readonly handle: ServerHandle;
  /** Calls in progress. */
  active: number;
  total: number;
  failed: number;
}

/** The state of a server that has not been started. */
export const initialState: ServerState = { status: 'idle', phases: [], restarts: 0, breaker: 'closed', warnings: [] };

export const noCalls = { active: 0, total: 0, failed: 0 };

/** The state of the instance that represents the server, with the restarts and warnings of all instances. */
export function combinedState(lead: CountedInstance, instances: Iterable<CountedInstance>): ServerState {
  const states = Array.from(instances, ({ handle }) => handle.state);
  return {
    ...lead.handle.state,
    restarts: states.reduce((sum, { restarts }) => sum + restarts, 0),
    warnings: [...new Set(states.flatMap(({ warnings }) => warnings))],
  };
}

export function instanceState({ handle, active, total, failed }: CountedInstance): InstanceState {
  const { status, pid, startedAt, restarts, breaker, failure } = handle.state;
  return { status, restarts, breaker, pid, startedAt, failure, calls: { active, total, failed } };
}

export function keepAllRunning(instances: Iterable<CountedInstance>): () => void {
  const releases = Array.from(instances, ({ handle }) => handle.keepRunning());
  return () => {
    for (const release of releases) release();
  };
}
