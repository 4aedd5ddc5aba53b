/** Asks the person before a dangerous call runs, and remembers what they granted (rows N2, B8). */
import { fail, type GatehouseError } from '../../../shared/failure.ts';
import type { Answer, Condition, ToolView } from '../../../shared/model.ts';
import type { Elicitation, Outcome } from '../elicitation/elicitation.ts';
import type { Grant, Store } from '../host.ts';
import { asWritten } from '../lines/lines.ts';
import { suggestConditions } from './conditions.ts';
import { createGrants, type Grantable } from './grants.ts';
import type { Caller } from './types.ts';

export interface ApprovalRequest {
  tool: ToolView;
  fingerprint: string;
  caller: Caller;
  arguments: Record<string, unknown>;
  callId: string;
  signal: AbortSignal;
}

export interface Approvals {
  /** Resolves when this one call may run; rejects with APPROVAL_DENIED or APPROVAL_UNAVAILABLE. */
  require(request: ApprovalRequest): Promise<void>;
  grants(): Grant[];
  revoke(id: string): void;
  /** Ends the grants for the session of this client. */
  callerLeft(callerId: string): void;
}

/** A request that is not decided yet. */
interface Open {
  request: ApprovalRequest;
  withdraw: AbortController;
  /** A decision on another call of the same tool that holds for this one. */
  decidedBy?: 'grant' | 'off';
}

/**
 * `onDecision` hears each decision for the history, `onRevoke` each grant taken back; `onSwitchOff` is told when the person
 * wants the tool off. Grants are bound to the tool's fingerprint: a changed tool asks again.
 */
export function createApprovals(options: {
  elicitation: Elicitation;
  store: Store;
  /** False: what would ask is refused. */
  mayAsk(): boolean;
  timeoutMs(): number;
  onDecision(request: ApprovalRequest, outcome: string): void;
  onRevoke(grant: Grant): void;
  onSwitchOff(tool: ToolView): void;
}): Approvals {
  const { elicitation, onDecision, onSwitchOff } = options;
  const grants = createGrants(options.store);
  const open = new Set<Open>();

  /** A decision that is meant for more than its own call holds for those that wait already, too. */
  async function decideOthers(decided: ApprovalRequest, by: 'grant' | 'off'): Promise<void> {
    const { server, name } = decided.tool;
    for (const other of [...open]) {
      const { request } = other;
      if (request === decided || request.tool.server !== server || request.tool.name !== name) continue;
      if (by === 'grant' && !(await grants.cover(grantable(request)))) continue;
      other.decidedBy = by;
      other.withdraw.abort();
    }
  }

  async function answerTo({ request, withdraw }: Open, conditions: Condition[]): Promise<Outcome> {
    const { tool, caller, signal, callId } = request;
    return elicitation.ask(
      {
        kind: 'approval',
        message: '',
        fields: [],
        from: { client: caller.name, server: tool.server, tool: tool.name, callId },
        approval: {
          arguments: asWritten(request.arguments),
          reasons: tool.annotations.reasons,
          scopes: ['once', 'session', 'minutes', 'always'],
          ...(conditions.length > 0 && { conditions }),
        },
      },
      { signal: AbortSignal.any([signal, withdraw.signal]), timeoutMs: options.timeoutMs() },
    );
  }

  async function ask(mine: Open): Promise<void> {
    const { request } = mine;
    const conditions = await suggestConditions(request.arguments);
    let answer = await answerTo(mine, conditions);
    // A decision on another call took the question away. One that was answered before that stays as it was answered.
    if (answer.action === 'cancel' && mine.decidedBy && !request.signal.aborted) {
      if (mine.decidedBy === 'grant') return onDecision(request, 'allowed by a grant');
      answer = { action: 'decline', switchOff: true };
    } else if (answer.action === 'decline' && answer.switchOff) {
      onSwitchOff(request.tool);
      void decideOthers(request, 'off');
    }
    if (answer.action !== 'accept') {
      onDecision(request, wordFor(answer));
      throw refusal(request, answer);
    }
    const chosen = [...new Set(answer.conditions)].map((index) => conditions[index]);
    // An answer that names a condition that was not offered grants nothing beyond this call.
    const scope = chosen.includes(undefined) ? 'once' : (answer.scope ?? 'once');
    grants.add(
      grantable(request),
      scope,
      chosen.flatMap((condition) => condition ?? []),
    );
    onDecision(request, `allowed: ${scope}`);
    // Should that fail, each is asked for on its own.
    if (scope !== 'once') decideOthers(request, 'grant').catch(() => undefined);
  }

  return {
    async require(request) {
      const mine: Open = { request, withdraw: new AbortController() };
      // Before the grants are looked at: what is granted after that look finds this request here.
      open.add(mine);
      try {
        if (await grants.cover(grantable(request))) return onDecision(request, 'allowed by a grant');
        if (options.mayAsk()) return await ask(mine);
      } finally {
        open.delete(mine);
      }
      onDecision(request, 'not asked');
      throw fail('APPROVAL_UNAVAILABLE', `"${request.tool.name}" needs a yes from a person, and asking is off.`, {
        ...{ server: request.tool.server, tool: request.tool.name },
        hint: `It did not run, and calling again does not help. The person can set approvals.mode to "ask", ${orRule}`,
      });
    },
    grants: grants.list,
    revoke(id) {
      const revoked = grants.revoke(id);
      if (revoked) options.onRevoke(revoked);
    },
    callerLeft: grants.callerLeft,
  };
}

const grantable = ({ tool, fingerprint, caller, arguments: args }: ApprovalRequest): Grantable => ({
  server: tool.server,
  tool: tool.name,
  ...{ fingerprint, caller, arguments: args },
});

function wordFor(answer: Exclude<Outcome, { action: 'accept' }>): string {
  if (answer.action === 'decline') return answer.switchOff ? 'denied and switched off' : 'denied';
  if (answer.unanswered === 'nobody') return 'nobody to ask';
  return answer.unanswered === 'crowd' ? 'too many questions' : 'not answered';
}

const orRule = 'or make a rule that lets this tool run unasked ("confirm": "never").';

function refusal({ tool, signal }: ApprovalRequest, answer: Answer & Outcome): GatehouseError {
  const place = { server: tool.server, tool: tool.name };
  if (signal.aborted)
    return fail('CANCELLED', `The call of "${tool.name}" was cancelled before it was approved.`, place);
  if (answer.action === 'decline')
    return fail('APPROVAL_DENIED', `The person denied the call of "${tool.name}".`, place);
  const needs = `"${tool.name}" needs a yes from a person`;
  switch (answer.unanswered) {
    case 'nobody':
      // A client that can ask is not asked instead: its agent might be the one who answers.
      return fail('APPROVAL_UNAVAILABLE', `${needs}, and no Gatehouse window is open to ask in.`, {
        ...place,
        hint: `It did not run. The person can open Gatehouse, ${orRule} Then call again.`,
      });
    case 'crowd':
      return fail('APPROVAL_UNAVAILABLE', `${needs}, who has too many questions waiting already.`, {
        ...place,
        hint: 'Wait until they are answered; do not call in bulk.',
      });
    default:
      return fail('APPROVAL_DENIED', `Nobody approved the call of "${tool.name}", so it did not run.`, place);
  }
}
