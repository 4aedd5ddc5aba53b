/** Asks the user one question about many calls, with a row for each call that no permission covers. */
import { fail, type ToolkeepError } from '../../../shared/failure.ts';
import type { GrantScope, QuestionRow, ShownDestinations } from '../../../shared/model/question.ts';
import type { ToolView } from '../../../shared/model/tool.ts';
import type { Elicitation, Outcome } from '../elicitation/elicitation.ts';
import { originalText } from '../jsonrpc/raw-json.ts';
import type { Client } from '../types.ts';
import type { ApprovalRequest } from './approval-request.ts';
import { type Decision, decisionOf } from './refusals.ts';
import type { Asked } from './verdict.ts';

/** The call whose parts need approval. */
export interface BatchCall {
  callId: string;
  client: Client;
  signal: AbortSignal;
  /** False if the user wants no questions, so that the calls are refused. */
  mayAsk: boolean;
}

/** The requests that the user decided about. No request that a permission covers is among them. */
export interface BatchDecision {
  allowed: ReadonlySet<ApprovalRequest>;
  denied: ReadonlySet<ApprovalRequest>;
}

interface Parts {
  elicitation: Elicitation;
  timeoutMs(tool: ToolView): number;
  destinationsShown(request: ApprovalRequest, asked: Asked): Promise<ShownDestinations | undefined>;
  record(request: ApprovalRequest, outcome: Decision, scope?: GrantScope): void;
}

/** `requests`: at least one. */
export async function requireEach(parts: Parts, requests: ApprovalRequest[], call: BatchCall): Promise<BatchDecision> {
  const { record } = parts;
  const decision = { allowed: new Set<ApprovalRequest>(), denied: new Set<ApprovalRequest>() };
  const recordAll = (outcome: Decision) => {
    for (const request of requests) record(request, outcome);
  };
  if (!call.mayAsk) {
    recordAll('asking-disabled');
    throw fail('APPROVAL_UNAVAILABLE', `${requests.length} calls need the user's approval, but asking is disabled.`, {
      hint: 'None ran, and calling again does not help. The user can set approvals.mode to "ask".',
    });
  }
  const answer = await ask(parts, requests, call);
  if (answer.action !== 'accept') {
    recordAll(call.signal.aborted ? 'cancelled' : decisionOf(answer));
    throw refusal(answer, call);
  }
  // An answer that names no rows allows none, so that no UI can allow calls that it did not show.
  const ticked = new Set(answer.rows);
  for (const [index, request] of requests.entries()) {
    const isAllowed = ticked.has(index);
    decision[isAllowed ? 'allowed' : 'denied'].add(request);
    record(request, isAllowed ? 'allowed' : 'denied', isAllowed ? 'once' : undefined);
  }
  return decision;
}

async function ask(parts: Parts, requests: ApprovalRequest[], { callId, client, signal }: BatchCall): Promise<Outcome> {
  const { elicitation, timeoutMs } = parts;
  const rows = await Promise.all(requests.map((request) => rowOf(parts, request)));
  const draft = { kind: 'approval' as const, message: '', fields: [], from: { client: client.name, callId }, rows };
  return elicitation.ask(draft, {
    signal,
    owner: client,
    timeoutMs: Math.max(...requests.map(({ tool }) => timeoutMs(tool))),
  });
}

async function rowOf({ destinationsShown }: Parts, request: ApprovalRequest): Promise<QuestionRow> {
  const { tool, asked } = request;
  const destinations = await destinationsShown(request, asked);
  const { new: added = [], isComplete = true, isRecognized = true } = destinations ?? {};
  return {
    server: tool.server,
    tool: tool.name,
    arguments: originalText(request.arguments),
    reasons: asked.reasons,
    isDangerous: asked.isDangerous,
    mustSee: asked.isDangerous || asked.need === 'each' || added.length > 0 || !isComplete || !isRecognized,
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
