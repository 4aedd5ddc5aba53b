/** Asks the user one question about many calls, with a row for each call that no permission covers. */
import { fail, type ToolkeepError } from '../../../shared/failure.ts';
import type { GrantScope, QuestionRow, ShownDestinations } from '../../../shared/model/question.ts';
import type { ToolView } from '../../../shared/model/tool.ts';
import type { Elicitation, Outcome } from '../elicitation/elicitation.ts';
import { originalText } from '../jsonrpc/raw-json.ts';
import type { Client } from '../types.ts';
import { type ApprovalRequest, type OpenRequest, reasonsToAsk } from './approval-request.ts';
import { type Decision, decisionOf } from './refusals.ts';

/** The call whose parts need approval. */
export interface BatchCall {
  callId: string;
  client: Client;
  signal: AbortSignal;
}

/** The requests that the user decided about. No request that a permission covers is among them. */
export interface BatchDecision {
  allowed: ReadonlySet<ApprovalRequest>;
  denied: ReadonlySet<ApprovalRequest>;
}

interface Parts {
  elicitation: Elicitation;
  mayAsk(): boolean;
  timeoutMs(tool: ToolView): number;
  permissionOf(mine: OpenRequest): Promise<'granted' | 'limited' | 'none'>;
  destinationsShown(mine: OpenRequest): Promise<ShownDestinations | undefined>;
  record(request: ApprovalRequest, outcome: Decision, scope?: GrantScope): void;
}

/** A call that the user is asked about. `isPermitted`: a standing permission covers it, but not its destinations. */
interface Asked {
  mine: OpenRequest;
  isPermitted: boolean;
}

export async function requireEach(parts: Parts, requests: ApprovalRequest[], call: BatchCall): Promise<BatchDecision> {
  const { mayAsk, permissionOf, record } = parts;
  const asked: Asked[] = [];
  for (const request of requests) {
    const mine = { request, withdraw: new AbortController() };
    const permission = await permissionOf(mine);
    if (permission !== 'granted') asked.push({ mine, isPermitted: permission === 'limited' });
  }
  const decision = { allowed: new Set<ApprovalRequest>(), denied: new Set<ApprovalRequest>() };
  if (asked.length === 0) return decision;
  const recordAll = (outcome: Decision) => {
    for (const { mine } of asked) record(mine.request, outcome);
  };
  if (!mayAsk()) {
    recordAll('asking-disabled');
    throw fail('APPROVAL_UNAVAILABLE', `${asked.length} calls need the user's approval, but asking is disabled.`, {
      hint: 'None ran, and calling again does not help. The user can set approvals.mode to "ask".',
    });
  }
  const answer = await ask(parts, asked, call);
  if (answer.action !== 'accept') {
    recordAll(call.signal.aborted ? 'cancelled' : decisionOf(answer));
    throw refusal(answer, call);
  }
  // An answer that names no rows allows none, so that no UI can allow calls that it did not show.
  const ticked = new Set(answer.rows);
  for (const [index, { mine }] of asked.entries()) {
    const isAllowed = ticked.has(index);
    decision[isAllowed ? 'allowed' : 'denied'].add(mine.request);
    record(mine.request, isAllowed ? 'allowed' : 'denied', isAllowed ? 'once' : undefined);
  }
  return decision;
}

async function ask(parts: Parts, asked: Asked[], { callId, client, signal }: BatchCall): Promise<Outcome> {
  const { elicitation, timeoutMs } = parts;
  const rows = await Promise.all(asked.map((row) => rowOf(parts, row)));
  const draft = { kind: 'approval' as const, message: '', fields: [], from: { client: client.name, callId }, rows };
  return elicitation.ask(draft, {
    signal,
    owner: client,
    timeoutMs: Math.max(...asked.map(({ mine }) => timeoutMs(mine.request.tool))),
  });
}

async function rowOf({ destinationsShown }: Parts, { mine, isPermitted }: Asked): Promise<QuestionRow> {
  const { request, leak } = mine;
  const destinations = await destinationsShown(mine);
  return {
    server: request.tool.server,
    tool: request.tool.name,
    arguments: originalText(request.arguments),
    reasons: reasonsToAsk(request, leak, isPermitted),
    isDangerous: request.need === 'each',
    ...(destinations && { destinations }),
  };
}

function refusal(answer: Exclude<Outcome, { action: 'accept' }>, { signal }: BatchCall): ToolkeepError {
  if (signal.aborted) return fail('CANCELLED', 'The calls were canceled before they were approved.');
  if (answer.action === 'decline') return fail('APPROVAL_DENIED', 'The user denied the calls, so none ran.');
  switch (answer.unanswered) {
    case 'no-ui':
      return fail('APPROVAL_UNAVAILABLE', "The calls need the user's approval, but no Toolkeep window is open.", {
        hint: 'None ran. The user can open Toolkeep. Then call again.',
      });
    case 'too-many':
      return fail('APPROVAL_UNAVAILABLE', "The calls need the user's approval, but too many questions are open.", {
        hint: 'None ran. Wait until the user has answered the open questions, and then call again.',
      });
    default:
      return fail('APPROVAL_TIMEOUT', 'The user did not answer in time, so none of the calls ran.');
  }
}
