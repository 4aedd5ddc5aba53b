/** Lists the calls in progress for UIs, with their progress, and cancels them. */
import { fail, type ToolkeepError } from '../../../shared/failure.ts';
import type { ActiveCall } from '../../../shared/model/call.ts';
import { batched } from '../async/batched.ts';
import type { Events } from '../events.ts';
import type { CallResult, RunningCall } from './step.ts';

export interface ActiveCalls {
  /** Runs the call, which is listed until it has a result. */
  run(call: RunningCall): Promise<CallResult>;
  /** The calls in progress, oldest first. */
  list(): ActiveCall[];
  /** Cancels the call if it is still in progress. */
  cancel(id: string): void;
}

interface Entry {
  call: RunningCall;
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
      const entry: Entry = { call };
      active.set(call.id, entry);
      call.detached.onChange = changed;
      changed();
      try {
        return await run(call);
      } catch (error) {
        throw entry.cancelled ?? error;
      } finally {
        active.delete(call.id);
        changed();
      }
    },
    list: () => Array.from(active.values(), ({ call }) => viewOf(call)),
    cancel(id) {
      const found = active.get(id);
      if (!found) return;
      const { server, tool, detached } = found.call;
      found.cancelled = fail('CANCELLED', 'The user cancelled the call.', { server, tool });
      detached.controller.abort(found.cancelled);
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
