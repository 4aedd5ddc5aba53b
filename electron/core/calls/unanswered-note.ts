/**
 * Informs the agent if no user saw a tool's question, so that it does not mistake the tool's "cancelled" for the user's
 * answer.
 */
import { fail } from '../../../shared/failure.ts';
import type { Unanswered } from '../elicitation/elicitation.ts';
import { RpcError } from '../jsonrpc/rpc-error.ts';
import type { CallResult } from './step.ts';

const notes: Record<Unanswered, string> = {
  'no-ui':
    'Toolkeep: the tool asked a question, but no Toolkeep window is open and this client cannot ask, so the question was cancelled. No user saw it. Open Toolkeep and try again.',
  'too-many':
    'Toolkeep: the tool asked a question while too many questions were open, so it was cancelled. No user saw it. Try again later.',
  disabled:
    "Toolkeep: the tool asked a question, and the user has disabled tools' questions, so it was declined. No user saw it.",
  timeout: 'Toolkeep: the tool asked a question that was not answered in time, so it was cancelled.',
};

/** The server's own result, followed by a note for each reason in `unanswered`. */
export function resultWithNote(given: CallResult, unanswered: ReadonlySet<Unanswered>): CallResult {
  const content = Array.isArray(given.content) ? given.content : [];
  return { ...given, content: [...content, { type: 'text', text: note(unanswered) }] };
}

/** The server's own error with a note for each reason. Any other error stays unchanged. */
export function failureWithNote(
  error: unknown,
  unanswered: ReadonlySet<Unanswered>,
  place: { server: string; tool: string },
): unknown {
  if (!(error instanceof RpcError)) return error;
  return fail('ELICITATION_UNAVAILABLE', `${note(unanswered)} The tool then failed: ${error.message}`, place);
}

const note = (unanswered: ReadonlySet<Unanswered>) => [...unanswered].map((reason) => notes[reason]).join(' ');
