/** The calls in progress. Lists them for UIs, with their progress, and cancels them. */
import { fail } from '../../../shared/failure.ts';
import type { ActiveCall } from '../../../shared/model/call.ts';
import { batched } from '../async/batched.ts';
import type { Events } from '../events.ts';
import type { RunningCall } from './step.ts';

export interface ActiveCalls {
  /** Lists the call until `end`. */
  start(call: RunningCall): void;
  end(call: RunningCall): void;
  /** The calls in progress, oldest first. */
  list(): ActiveCall[];
  /** The calls to a server that it may have received. */
  sentTo(server: string): RunningCall[];
  /** Cancels the call if it is still in progress. */
  cancel(id: string): void;
}

/** Milliseconds during which starts, progress reports and ends are combined into one event. */
const batchMs = 100;

export function createActiveCalls(events: Pick<Events, 'emit'>): ActiveCalls {
  const active = new Map<string, RunningCall>();
  const changed = batched(() => events.emit('calls.changed', {}), batchMs);

  return {
    start(call) {
      active.set(call.id, call);
      call.detached.onChange = changed;
      changed();
    },
    end({ id }) {
      active.delete(id);
      changed();
    },
    list: () => Array.from(active.values(), viewOf),
    sentTo: (server) => Array.from(active.values()).filter((call) => call.server === server && call.isDispatched),
    cancel(id) {
      const call = active.get(id);
      if (!call) return;
      const { server, tool, detached } = call;
      detached.controller.abort(fail('CANCELLED', 'The user canceled the call.', { server, tool }));
    },
  };
}

function viewOf({ id, startedAt, client, server, tool, detached }: RunningCall): ActiveCall {
  const { progress, total, message } = detached.progress.latest ?? {};
  return {
    id,
    startedAt,
    client: client.name,
    server,
    tool,
    isWaitingForUser: detached.isWaitingForUser(),
    ...(typeof progress === 'number' && {
      progress: {
        done: progress,
        ...(typeof total === 'number' && { total }),
        ...(typeof message === 'string' && { message: message.slice(0, 200) }),
      },
    }),
  };
}
