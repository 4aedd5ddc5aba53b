/** The roots of the client that made a call. */
import { type Root, rootsOf } from '../servers/roots.ts';
import type { RunningCall } from './step.ts';

const asked = new WeakMap<RunningCall, Promise<Root[] | undefined>>();

/** Asks the client at most once for each call. */
export function rootsOfCall(call: RunningCall): Promise<Root[] | undefined> {
  const roots = asked.get(call) ?? rootsOf(call.client, call.signal);
  asked.set(call, roots);
  return roots;
}
