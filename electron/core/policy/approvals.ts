/** Asks the user before a call that needs approval runs, and applies the grants that the user gave. */
import { randomUUID } from 'node:crypto';
import { fail, type ToolkeepError } from '../../../shared/failure.ts';
import type { CallRecord } from '../../../shared/model/call.ts';
import type { Answer, Condition, GrantScope } from '../../../shared/model/question.ts';
import type { ApprovalNeed, ToolView } from '../../../shared/model/tool.ts';
import type { Elicitation, Outcome } from '../elicitation/elicitation.ts';
import type { Events } from '../events.ts';
import type { NewRecord } from '../history/history.ts';
import type { Grant, Store } from '../host.ts';
import { originalText } from '../jsonrpc/raw-json.ts';
import type { Client, JsonObject } from '../types.ts';
import { suggestConditions, withOwners } from './conditions.ts';
import { createGrants, type Grantable } from './grants.ts';
import { keptChoices } from './kept-choices.ts';

export interface ApprovalRequest {
  tool: ToolView;
  fingerprint: string;
  client: Client;
  arguments: JsonObject;
  /** The client's `_meta`, which the server receives as well. */
  meta?: JsonObject;
  callId: string;
  signal: AbortSignal;
  /** `once`: a grant for the server's tools except dangerous ones is sufficient. `each`: this tool needs its own grant. */
  need: Exclude<ApprovalNeed, 'none'>;
  /** Why the user must allow each such call, regardless of grants. */
  alwaysAsk?: string;
}

export interface Approvals {
  /** Resolves if this one call may run. Rejects with APPROVAL_DENIED, APPROVAL_UNAVAILABLE or CANCELLED. */
  require(request: ApprovalRequest): Promise<void>;
  grants(): Grant[];
  revoke(id: string): void;
  /** Revokes the grants of a client that will not return. */
  revokeOf(identity: string): void;
  /** Lets every client use a server's tools, except dangerous ones, until the user revokes the grant. */
  allowActs(server: string): void;
}

export interface ApprovalOptions {
  elicitation: Elicitation;
  events: Events;
  store: Store;
  /** If false, a call that needs approval is refused without a question. */
  mayAsk(): boolean;
  /** How long an approval of this tool stays open. */
  timeoutMs(tool: Pick<ToolView, 'server' | 'name'>): number;
  record(entry: NewRecord): void;
  /** Disables a tool, on the user's request. */
  disable(tool: ToolView): Promise<void>;
  log(message: string): void;
}

type Decision = Extract<CallRecord, { kind: 'approval' }>['outcome'];

/** A request that the user has not yet decided. */
interface OpenRequest {
  request: ApprovalRequest;
  withdraw: AbortController;
  /** Set if a decision on another call of the same tool also decides this one. */
  decidedBy?: 'grant' | 'disable';
}

/** Grants are tied to the tool's fingerprint, so a changed tool needs approval again. */
export function createApprovals(options: ApprovalOptions): Approvals {
  const grants = createGrants(options.store);
  const open = new Set<OpenRequest>();
  options.events.on('client.disconnected', ({ id }) => grants.onClientDisconnected(id));

  function record(request: ApprovalRequest, outcome: Decision, scope?: GrantScope): void {
    const { client, tool, callId } = request;
    const base = { id: randomUUID(), callId, at: Date.now(), client: client.name, server: tool.server };
    const entry = { ...base, tool: tool.name, kind: 'approval' as const, arguments: '', durationMs: 0 };
    options.record({ ...entry, outcome, scope, reasons: reasonsOf(request) });
  }

  /** Applies a decision to the waiting calls that it also covers. */
  async function decideOthers(decided: ApprovalRequest, by: 'grant' | 'disable'): Promise<void> {
    const { server, name } = decided.tool;
    for (const other of [...open]) {
      const { request } = other;
      if (request === decided || request.tool.server !== server) continue;
      if (by === 'disable' && request.tool.name !== name) continue;
      if (by === 'grant' && !(await isGranted(request))) continue;
      other.decidedBy = by;
      other.withdraw.abort();
    }
  }

  const isGranted = async (request: ApprovalRequest) =>
    request.alwaysAsk === undefined && (await grants.cover(grantable(request)));

  function disable(request: ApprovalRequest): void {
    options.disable(request.tool).catch((error) => {
      options.log(`"${request.tool.name}" could not be disabled: ${String(error)}`);
    });
    void decideOthers(request, 'disable');
  }

  function allow(request: ApprovalRequest, answer: Extract<Outcome, { action: 'accept' }>, offered: Condition[]): void {
    const chosen = [...new Set(answer.conditions)].map((index) => offered[index]);
    // An answer that names a condition or scope that was not offered grants nothing beyond this call.
    const isOffered = !chosen.includes(undefined) && scopesOf(request).includes(answer.scope ?? 'once');
    const scope = isOffered ? (answer.scope ?? 'once') : 'once';
    const conditions = chosen.filter((condition) => condition !== undefined);
    grants.add(grantable(request), scope, withOwners(conditions, request.arguments));
    record(request, 'allowed', scope);
    // If this fails, the user is asked about each call separately.
    if (scope !== 'once') decideOthers(request, 'grant').catch(() => undefined);
  }

  async function ask(mine: OpenRequest): Promise<void> {
    const { request } = mine;
    const isNarrowable = request.need === 'each' && request.alwaysAsk === undefined;
    const conditions = isNarrowable ? await suggestConditions(request.arguments) : [];
    const answer = await askUser(options, mine, conditions);
    if (answer.action === 'accept') return allow(request, answer, conditions);
    if (answer.action === 'decline' && answer.disableTool) disable(request);
    // A decision on another call withdrew this question.
    if (answer.action === 'cancel' && mine.decidedBy && !request.signal.aborted) {
      if (mine.decidedBy === 'grant') return record(request, 'allowed-by-grant');
      record(request, 'denied-and-disabled');
      throw denied(request);
    }
    record(request, request.signal.aborted ? 'cancelled' : decisionOf(answer));
    throw refusal(request, answer);
  }

  function revoke(id: string): void {
    const revoked = grants.revoke(id);
    if (!revoked) return;
    const { client, server, tool } = revoked;
    const base = { id, at: Date.now(), client, server, tool, arguments: '', durationMs: 0 };
    options.record({ ...base, kind: 'grant', outcome: 'revoked' });
  }

  return {
    async require(request) {
      const mine: OpenRequest = { request, withdraw: new AbortController() };
      // Add the request before checking the grants: a grant given after the check finds it in `open`.
      open.add(mine);
      try {
        if (await isGranted(request)) return record(request, 'allowed-by-grant');
        if (options.mayAsk()) return await ask(mine);
      } finally {
        open.delete(mine);
      }
      record(request, 'asking-disabled');
      throw fail('APPROVAL_UNAVAILABLE', `"${request.tool.name}" needs the user's approval, but asking is disabled.`, {
        server: request.tool.server,
        tool: request.tool.name,
        hint: `It did not run, and calling again does not help. The user can set approvals.mode to "ask"${orAllow(request)}`,
      });
    },
    allowActs(server) {
      const none = { tool: '', fingerprint: '', arguments: {}, covers: 'acts' as const, choices: [] };
      grants.add({ ...none, server, caller: undefined }, 'always', []);
    },
    grants: grants.list,
    revoke,
    revokeOf(identity) {
      for (const grant of grants.list()) if (grant.identity === identity) revoke(grant.id);
    },
  };
}

function askUser(
  { elicitation, timeoutMs }: ApprovalOptions,
  { request, withdraw }: OpenRequest,
  conditions: Condition[],
): Promise<Outcome> {
  const { tool, client, signal, callId, meta } = request;
  const choices = request.need === 'each' ? keptChoices(tool.inputSchema, request.arguments) : [];
  return elicitation.ask(
    {
      kind: 'approval',
      message: '',
      fields: [],
      from: { client: client.name, server: tool.server, tool: tool.name, callId },
      approval: {
        arguments: originalText(request.arguments),
        ...(meta && { meta }),
        reasons: reasonsOf(request),
        scopes: choices ? scopesOf(request) : ['once'],
        ...(client.identity === undefined && { isUnbound: true }),
        covers: covers(request),
        ...(conditions.length > 0 && { conditions }),
        ...(choices?.length && { choices }),
      },
    },
    { signal: AbortSignal.any([signal, withdraw.signal]), timeoutMs: timeoutMs(tool) },
  );
}

const reasonsOf = ({ alwaysAsk, tool }: ApprovalRequest): string[] => [
  ...(alwaysAsk === undefined ? [] : [alwaysAsk]),
  ...tool.annotations.reasons,
];

const toolScopes: GrantScope[] = ['once', 'session', 'minutes', 'always'];
const actsScopes: GrantScope[] = ['once', 'session', 'day', 'always'];
const scopesOf = ({ need, alwaysAsk, client }: ApprovalRequest): GrantScope[] => {
  if (alwaysAsk !== undefined) return ['once'];
  if (client.identity === undefined) return ['once', 'session'];
  return need === 'once' ? actsScopes : toolScopes;
};
const covers = ({ need }: ApprovalRequest) => (need === 'once' ? 'acts' : 'tool');

const grantable = (request: ApprovalRequest): Grantable => ({
  server: request.tool.server,
  tool: request.tool.name,
  fingerprint: request.fingerprint,
  caller: request.client,
  arguments: request.arguments,
  meta: request.meta,
  covers: covers(request),
  choices: keptChoices(request.tool.inputSchema, request.arguments),
});

function decisionOf(answer: Exclude<Outcome, { action: 'accept' }>): Decision {
  if (answer.action === 'decline') return answer.disableTool ? 'denied-and-disabled' : 'denied';
  if (answer.unanswered === 'no-ui') return 'no-ui';
  return answer.unanswered === 'too-many' ? 'too-many-questions' : 'unanswered';
}

function orAllow({ tool, need, alwaysAsk }: ApprovalRequest): string {
  if (alwaysAsk !== undefined) return `. ${alwaysAsk}`;
  const server = JSON.stringify(tool.server);
  if (need === 'once')
    return `, or allow every tool of ${server} except dangerous ones with \`toolkeep allow ${server} --acts\`.`;
  return `, or allow the tool with \`toolkeep allow ${server} --tool ${JSON.stringify(tool.name)}\`.`;
}

const denied = ({ tool }: ApprovalRequest) =>
  fail('APPROVAL_DENIED', `The user denied the call of "${tool.name}".`, { server: tool.server, tool: tool.name });

function refusal(request: ApprovalRequest, answer: Answer & Outcome): ToolkeepError {
  const { tool, signal } = request;
  const place = { server: tool.server, tool: tool.name };
  if (signal.aborted)
    return fail('CANCELLED', `The call of "${tool.name}" was cancelled before it was approved.`, place);
  if (answer.action === 'decline') return denied(request);
  switch (answer.unanswered) {
    case 'no-ui':
      // Do not ask a client that can ask, because its agent might answer for the user.
      return fail(
        'APPROVAL_UNAVAILABLE',
        `"${tool.name}" needs the user's approval, but no Toolkeep window is open to ask in.`,
        { ...place, hint: `It did not run. The user can open Toolkeep${orAllow(request)} Then call again.` },
      );
    case 'too-many':
      return fail(
        'APPROVAL_UNAVAILABLE',
        `"${tool.name}" needs the user's approval, but too many questions are already open.`,
        { ...place, hint: 'Wait until the user has answered them, and do not call in bulk.' },
      );
    default:
      return fail('APPROVAL_DENIED', `The user did not answer in time, so "${tool.name}" did not run.`, place);
  }
}
