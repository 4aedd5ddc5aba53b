/** The calls in progress. Lists them for UIs, with their progress, and cancels them. */
import { fail } from '../../../shared/failure.ts';
import type { ActiveCall } from '../../../shared/model/call.ts';
import { batched } from '../async/batched.ts';
import type { Events } from '../events.ts';
import type { RunningCall } from './step.ts';

export type ActiveCalls = ReturnType<typeof createActiveCalls>;

/** Milliseconds during which starts, progress reports and ends are combined into one event. */
const batchMs = 100;

export function createActiveCalls(events: Pick<Events, 'emit'>) {
  const active = new Map<string, RunningCall>();
  const changed = batched(() => events.emit('calls.changed', {}), batchMs);

  return {
    /** Lists the call until `end`. */
    start(call: RunningCall): void {
      active.set(call.id, call);
      call.detached.onChange = changed;
      changed();
    },
    end({ id }: RunningCall): void {
      active.delete(id);
      changed();
    },
    /** The calls in progress, oldest first. */
    list: (): ActiveCall[] => Array.from(active.values(), viewOf),
    /** The calls to a server that it may have received. */
    sentTo: (server: string): RunningCall[] =>
      Array.from(active.values()).filter((call) => call.server === server && call.isDispatched),
    /** Cancels the call if it is still in progress. */
    cancel(id: string): void {
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
