/** The errors and the outcomes of calls that the user did not approve. */
import { fail, type ToolkeepError } from '../../../shared/failure.ts';
import type { CallRecord } from '../../../shared/model/call.ts';
import type { Answer, Destination } from '../../../shared/model/question.ts';
import { shellQuoted } from '../../../shared/shell-quoted.ts';
import type { Outcome } from '../elicitation/elicitation.ts';
import type { ApprovalRequest } from './approval-request.ts';
import type { Asked } from './verdict.ts';

export type Decision = Extract<CallRecord, { kind: 'approval' }>['outcome'];

/** The end of a hint: the command that allows such calls, with the new destinations of this one. */
function orAllow({ tool, need, alwaysAsk, isPermitted, added }: Asked): string {
  if (alwaysAsk !== undefined) return `. ${alwaysAsk}`;
  const name = JSON.stringify(tool.server);
  const allow = `toolkeep allow ${shellQuoted(tool.server)}`;
  const values = added.map((destination) => ` --destination ${shellQuoted(nameOfDestination(destination))}`).join('');
  if (isPermitted && added.length === 0) return '. Toolkeep cannot compare the destinations of such a call.';
  if (isPermitted) return `, or allow these destinations with \`${allow}${values}\`.`;
  if (need === 'once')
    return `, or allow every tool of ${name} except dangerous ones with \`${allow} --acts${values}\`.`;
  return `, or allow the tool with \`${allow} --tool ${shellQuoted(tool.name)}${values}\`.`;
}

const nameOfDestination = ({ tool, kind, value }: Destination) =>
  `${tool === undefined ? '' : `${tool}:`}${kind}=${value}`;

const denied = ({ tool }: ApprovalRequest) =>
  fail('APPROVAL_DENIED', `The user denied the call of "${tool.name}".`, { server: tool.server, tool: tool.name });

/** Names the tool and the new destinations, without the text around them in results, which may be an attack. */
const placeOf = ({ tool, added }: Asked) => ({
  server: tool.server,
  tool: tool.name,
  ...(added.length > 0 && { newDestinations: added }),
});

export const askingDisabled = (asked: Asked) =>
  fail('APPROVAL_UNAVAILABLE', `"${asked.tool.name}" needs the user's approval, but asking is disabled.`, {
    ...placeOf(asked),
    hint: `It did not run, and calling again does not help. The user can set approvals.mode to "ask"${orAllow(asked)}`,
  });

export function refusal(request: ApprovalRequest, asked: Asked, answer: Answer & Outcome): ToolkeepError {
  const { tool, signal } = request;
  const place = placeOf(asked);
  if (signal.aborted)
    return fail('CANCELLED', `The call of "${tool.name}" was canceled before it was approved.`, place);
  if (answer.action === 'decline') return denied(request);
  switch (answer.unanswered) {
    case 'no-ui':
      // Do not ask a client that can ask, because its agent might answer for the user.
      return fail(
        'APPROVAL_UNAVAILABLE',
        `"${tool.name}" needs the user's approval, but no Toolkeep window is open to ask in.`,
        { ...place, hint: `It did not run. The user can open Toolkeep${orAllow(asked)} Then call again.` },
      );
    case 'too-many':
      return fail(
        'APPROVAL_UNAVAILABLE',
        `"${tool.name}" needs the user's approval, but too many questions are already open.`,
        { ...place, hint: 'Wait until the user has answered them, and do not call in bulk.' },
      );
    default:
      return fail('APPROVAL_TIMEOUT', `The user did not answer in time, so "${tool.name}" did not run.`, place);
  }
}

/** The outcome that the history shows for the answer. */
export function decisionOf(answer: Exclude<Outcome, { action: 'accept' }>): Decision {
  if (answer.action === 'decline') return answer.disableTool ? 'denied-and-disabled' : 'denied';
  if (answer.unanswered === 'no-ui') return 'no-ui';
  return answer.unanswered === 'too-many' ? 'too-many-questions' : 'unanswered';
}
