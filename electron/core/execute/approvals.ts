/** Asks the person before a dangerous call runs, and remembers what they granted (rows N2, B8). */
import { randomUUID } from 'node:crypto';
import { fail } from '../../../shared/failure.ts';
import type { GrantScope, ToolView } from '../../../shared/model.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { Grant, Store } from '../host.ts';
import type { Caller } from './execute.ts';

const minutesGrantMs = 15 * 60_000;

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
}

/**
 * `onDecision` hears each decision for the history; `onSwitchOff` is told when the person wants the tool off.
 * Grants are bound to the tool's fingerprint: a changed tool asks again.
 */
export function createApprovals(options: {
  elicitation: Elicitation;
  store: Store;
  /** False: what would ask is refused. */
  mayAsk(): boolean;
  timeoutMs(): number;
  onDecision(request: ApprovalRequest, outcome: string): void;
  onSwitchOff(tool: ToolView): void;
}): Approvals {
  const { elicitation, store, onDecision, onSwitchOff } = options;
  const ofSession: Grant[] = [];

  const isLive = (grant: Grant) => grant.expiresAt === undefined || grant.expiresAt > Date.now();
  const all = () => [...ofSession, ...store.get('grants').filter(isLive)];
  const covers = (grant: Grant, { tool, fingerprint, caller }: ApprovalRequest) =>
    grant.server === tool.server &&
    grant.tool === tool.name &&
    grant.fingerprint === fingerprint &&
    (grant.client === undefined || grant.client === caller.id);

  function remember({ tool, fingerprint, caller }: ApprovalRequest, scope: GrantScope): void {
    const grant = { id: randomUUID(), server: tool.server, tool: tool.name, fingerprint, grantedAt: Date.now() };
    switch (scope) {
      case 'once':
        return;
      case 'session':
        ofSession.push({ ...grant, scope, client: caller.id });
        return;
      case 'minutes':
        store.set('grants', [
          ...store.get('grants').filter(isLive),
          { ...grant, scope, expiresAt: Date.now() + minutesGrantMs },
        ]);
        return;
      case 'always':
        store.set('grants', [...store.get('grants').filter(isLive), { ...grant, scope }]);
    }
  }

  return {
    async require(request) {
      const { tool, caller, signal } = request;
      const place = { server: tool.server, tool: tool.name };
      if (all().some((grant) => covers(grant, request))) return;
      if (!options.mayAsk() || !elicitation.canAsk()) {
        onDecision(request, 'nobody to ask');
        throw fail(
          'APPROVAL_UNAVAILABLE',
          `"${tool.name}" needs a yes from a person, and no Gatehouse window is open.`,
          place,
        );
      }
      const answer = await elicitation.ask(
        {
          kind: 'approval',
          message: '',
          fields: [],
          from: { client: caller.name, server: tool.server, tool: tool.name, callId: request.callId },
          approval: {
            arguments: request.arguments,
            reasons: tool.annotations.reasons,
            scopes: ['once', 'session', 'minutes', 'always'],
          },
        },
        { signal, timeoutMs: options.timeoutMs() },
      );
      if (answer.action === 'accept') {
        remember(request, answer.scope ?? 'once');
        onDecision(request, `allowed: ${answer.scope ?? 'once'}`);
        return;
      }
      onDecision(request, answer.action === 'decline' ? 'denied' : 'not answered');
      if (answer.action === 'decline' && answer.switchOff) onSwitchOff(tool);
      if (signal.aborted)
        throw fail('CANCELLED', `The call of "${tool.name}" was cancelled before it was approved.`, place);
      if (answer.action === 'decline')
        throw fail('APPROVAL_DENIED', `The person denied the call of "${tool.name}".`, place);
      throw fail('APPROVAL_DENIED', `Nobody approved the call of "${tool.name}", so it did not run.`, place);
    },
    grants: all,
    revoke(id) {
      const index = ofSession.findIndex((grant) => grant.id === id);
      if (index >= 0) ofSession.splice(index, 1);
      store.set(
        'grants',
        store.get('grants').filter((grant) => grant.id !== id),
      );
    },
  };
}
