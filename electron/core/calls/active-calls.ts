/** Lists the calls in progress for UIs, with their progress, and cancels them. */
import { fail, type ToolkeepError } from '../../../shared/failure.ts';
import type { ActiveCall } from '../../../shared/model/call.ts';
import { batched } from '../async/batched.ts';
import type { Events } from '../events.ts';
import type { CallResult, RunningCall } from './step.ts';

export interface ActiveCalls {
  /** Follows each call from its start to its result, and measures how long it waits for the user. */
  run(call: RunningCall): Promise<CallResult>;
  /** The calls in progress, oldest first. */
  list(): ActiveCall[];
  /** Cancels the call if it is still in progress. */
  cancel(id: string): void;
}

interface Entry {
  call: RunningCall;
  view: ActiveCall;
  /** Set when the user cancels the call. */
  cancelled?: ToolkeepError;
}

/** Milliseconds during which starts, progress reports and ends are combined into one event. */
const batchMs = 100;

export function createActiveCalls(
  events: Pick<Events, 'emit'>,
  run: (call: RunningCall) => Promise<CallResult>,
): ActiveCalls {
  const active = new Map<string, Entry>();
  const changed = batched(() => events.emit('calls.changed', {}), batchMs);

  return {
    async run(call) {
      const { id, startedAt, client, server, tool } = call;
      const view: ActiveCall = { id, startedAt, client: client.name, server, tool, isWaitingForUser: false };
      const entry: Entry = { call, view };
      active.set(id, entry);
      follow(call, view, changed);
      changed();
      try {
        return await run(call);
      } catch (error) {
        throw entry.cancelled ?? error;
      } finally {
        active.delete(id);
        changed();
      }
    },
    list: () => Array.from(active.values(), ({ view }) => ({ ...view })),
    cancel(id) {
      const found = active.get(id);
      if (!found) return;
      const { server, tool, detached } = found.call;
      found.cancelled = fail('CANCELLED', 'The user cancelled the call.', { server, tool });
      detached.controller.abort(found.cancelled);
    },
  };
}

/** Updates `view` with the progress and the waits that later steps report. */
function follow(call: RunningCall, view: ActiveCall, changed: () => void): void {
  const { detached } = call;
  let waits = 0;
  let waitingSince = 0;
  function setWaiting(by: 1 | -1): void {
    if (waits === 0) waitingSince = Date.now();
    waits += by;
    if (waits === 0) call.waitedMs += Date.now() - waitingSince;
    view.isWaitingForUser = waits > 0;
    changed();
  }
  call.detached = {
    ...detached,
    async whileWaitingForUser(wait) {
      setWaiting(1);
      try {
        return await detached.whileWaitingForUser(wait);
      } finally {
        setWaiting(-1);
      }
    },
    progress: {
      ...detached.progress,
      forward(params) {
        const { progress, total, message } = params;
        if (typeof progress === 'number') {
          view.progress = {
            done: progress,
            ...(typeof total === 'number' && { total }),
            ...(typeof message === 'string' && { message: message.slice(0, 200) }),
          };
          changed();
        }
        detached.progress.forward(params);
      },
    },
  };
}
