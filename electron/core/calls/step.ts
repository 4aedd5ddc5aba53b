/** The types of the call pipeline: a step, and the call as the steps see it. */
import type { JsonObject, RegisteredTool, ToolCall } from '../types.ts';
import type { Task } from './parking.ts';

/** The server's own result, unchanged. */
export type CallResult = JsonObject;

/** A ToolCall with the information that the steps add to it. */
export interface PipelineCall extends ToolCall {
  /** Identifies the call in the history and in questions. */
  id: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Milliseconds that the call has waited for the user so far. */
  waitedMs: number;
  /** Set by `park`: keeps running after the client's request ends. From then on, `signal` is the task's. */
  task: Omit<Task<CallResult>, 'result'>;
  /** Set by `resolve`. */
  found: RegisteredTool;
  /** Set by `dispatch` when the server may have received the call. */
  isDispatched: boolean;
}

/** Does its part, then calls `next` for the rest. Rejects with a GatehouseError to refuse the call. */
export type Step = (call: PipelineCall, next: () => Promise<CallResult>) => Promise<CallResult>;
