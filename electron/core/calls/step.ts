/** A call in the states in which it passes through the pipeline, and its result. */
import type { ApprovalRequest } from '../policy/approval-request.ts';
import type { ListRoots } from '../servers/roots.ts';
import type { JsonObject, RegisteredTool, ToolCall } from '../types.ts';
import type { DetachedCall } from './parking.ts';

/** The server's own result, unchanged. */
export type CallResult = JsonObject;

/** The result with a text after its content. */
export const withText = (result: CallResult, text: string): CallResult => ({
  ...result,
  content: [...(Array.isArray(result.content) ? result.content : []), { type: 'text', text }],
});

/** A call in the pipeline. Steps add to this object. */
export interface StartedCall extends ToolCall {
  /** Identifies the call in the history and in questions. */
  id: string;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Set by `dispatch` when the server may have received the call. */
  isDispatched: boolean;
  /** Set for a call of a batch: what the user was asked about. */
  planned?: Planned;
}

/** A call of a batch when the user was asked. `allowed`: what the user allowed; undefined if no answer was needed. */
export interface Planned {
  fingerprint: string;
  allowed?: ApprovalRequest;
}

/** A call that may outlive the client's request, so `signal` is its own. */
export interface RunningCall extends StartedCall {
  detached: Omit<DetachedCall<CallResult>, 'result'>;
  /** Set when the call's server announces new tools: resolves when the user has answered the question about them. */
  addedTools?: Promise<void>;
}

/** A call whose tool is known. */
export interface FoundCall extends RunningCall {
  found: RegisteredTool;
  /** Lists the caller's roots; undefined if the caller has none. */
  roots: ListRoots | undefined;
  /** Set by `approve` if the user allowed this call to name Toolkeep's own files. */
  mayNameOwnFiles?: boolean;
}
