/** When no person decided what a tool asked, the agent must not take the tool's "cancelled" for a person's word. */
import { fail } from '../../../shared/failure.ts';
import type { Unanswered } from '../elicitation/elicitation.ts';
import { UpstreamRpcError } from '../upstream/upstream.ts';

type CallResult = Record<string, unknown>;

const words: Record<Unanswered, string> = {
  nobody:
    'Gatehouse: the tool asked a question, but no Gatehouse window is open and this client cannot ask, so it was cancelled. No person has seen it. Open Gatehouse and try again.',
  crowd:
    'Gatehouse: the tool asked a question while too many were waiting already, so it was cancelled. No person has seen it. Try again later.',
  late: 'Gatehouse: the tool asked a question that nobody answered in time, so it was cancelled.',
};

/** The server's own result; with one more text behind it when a question of the tool reached nobody. */
export async function withNote(
  result: Promise<CallResult>,
  unanswered: ReadonlySet<Unanswered>,
  place: { server: string; tool: string },
): Promise<CallResult> {
  try {
    const given = await result;
    if (unanswered.size === 0) return given;
    const content = Array.isArray(given.content) ? given.content : [];
    return { ...given, content: [...content, { type: 'text', text: note(unanswered) }] };
  } catch (error) {
    if (unanswered.size === 0 || !(error instanceof UpstreamRpcError)) throw error;
    throw fail('ELICITATION_UNAVAILABLE', `${note(unanswered)} The tool then failed: ${error.message}`, place);
  }
}

const note = (unanswered: ReadonlySet<Unanswered>) => [...unanswered].map((why) => words[why]).join(' ');
