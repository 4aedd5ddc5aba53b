/** A call in the states in which it passes through the pipeline, and its result. */
import type { Planned } from '../policy/verdict.ts';
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
  /** Set after the user was asked about the call, alone or in a batch. */
  planned?: Planned;
}

/** A call that may outlive the client's request, so `signal` is its own. */
export interface RunningCall extends StartedCall {
  detached: Omit<DetachedCall<CallResult>, 'result'>;
  /** Lists the caller's roots; undefined if the caller has none. */
  roots?: ListRoots | undefined;
  /** Set when the call's server announces new tools: resolves with a note about them when they are known. */
  addedTools?: Promise<string | undefined>;
}

/** A call whose tool is known. */
export interface FoundCall extends RunningCall {
  found: RegisteredTool;
  /** Set by `permit` if the user allowed this call to name Toolkeep's own files. */
  mayNameOwnFiles?: boolean;
}
