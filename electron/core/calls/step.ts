/** A step of the call pipeline, and the call as the steps see it. */
import type { JsonObject, RegisteredTool, ToolCall } from '../types.ts';
import type { Task } from './parking.ts';

/** The server's own result, untouched. */
export type CallResult = JsonObject;

/** A ToolCall with what the steps learn about it. */
export interface PipelineCall extends ToolCall {
  /** Identifies the call in the history and in questions. */
  id: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Set by `park`: keeps running when the client's request ends. From then on `signal` is the task's. */
  task: Omit<Task<CallResult>, 'result'>;
  /** Set by `resolve`. */
  found: RegisteredTool;
  /** Set by `dispatch`: the server may have received the call. */
  isDispatched: boolean;
}

/** Does its part and calls `next` for the rest. Rejects with a GatehouseError to refuse the call. */
export type Step = (call: PipelineCall, next: () => Promise<CallResult>) => Promise<CallResult>;

/** Joins steps to one function that runs them in order. */
export function compose(steps: readonly Step[]): (call: PipelineCall) => Promise<CallResult> {
  const runFrom = (call: PipelineCall, index: number): Promise<CallResult> => {
    const step = steps[index];
    if (!step) throw new Error('The last step of a pipeline must not call next.');
    return step(call, () => runFrom(call, index + 1));
  };
  return (call) => runFrom(call, 0);
}
