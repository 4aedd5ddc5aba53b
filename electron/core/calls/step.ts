/** The types of the call pipeline: a step, and the call that steps receive. */
import type { JsonObject, RegisteredTool, ToolCall } from '../types.ts';
import type { DetachedCall } from './parking.ts';

/** The server's own result, unchanged. */
export type CallResult = JsonObject;

/** A ToolCall with the information that the steps add to it. */
export interface PipelineCall extends ToolCall {
  /** Identifies the call in the history and in questions. */
  id: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** How long the call has waited for the user so far, in milliseconds. */
  waitedMs: number;
  /** The part of the call that may outlive the client's request. Set by `park`, which also replaces `signal`. */
  detached: Omit<DetachedCall<CallResult>, 'result'>;
  /** Set by `resolve`. */
  found: RegisteredTool;
  /** Set by `approve` if the user allowed this call to name Toolkeep's own files. */
  mayNameOwnFiles?: boolean;
  /** Set by `dispatch` when the server may have received the call. */
  isDispatched: boolean;
}

/** A step does its part, then calls `next` to run the remaining steps. It rejects with a ToolkeepError to refuse the call. */
export type Step = (call: PipelineCall, next: () => Promise<CallResult>) => Promise<CallResult>;
