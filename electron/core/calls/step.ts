/** The types of the call pipeline: a step, and the call in the states that it passes through. */
import type { JsonObject, RegisteredTool, ToolCall } from '../types.ts';
import type { DetachedCall } from './parking.ts';

/** The server's own result, unchanged. */
export type CallResult = JsonObject;

/** A call in the pipeline. Steps add to this object. */
export interface StartedCall extends ToolCall {
  /** Identifies the call in the history and in questions. */
  id: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** How long the call has waited for the user so far, in milliseconds. */
  waitedMs: number;
  /** Set by `dispatch` when the server may have received the call. */
  isDispatched: boolean;
}

/** A call that may outlive the client's request, so `signal` is its own. */
export interface RunningCall extends StartedCall {
  detached: Omit<DetachedCall<CallResult>, 'result'>;
}

/** A call whose tool is known. */
export interface FoundCall extends RunningCall {
  found: RegisteredTool;
  /** Set by `approve` if the user allowed this call to name Toolkeep's own files. */
  mayNameOwnFiles?: boolean;
}

/** A step does its part before and after `next`, which runs the remaining steps. It rejects to refuse the call. */
export type Step<Call = RunningCall> = (call: Call, next: () => Promise<CallResult>) => Promise<CallResult>;
