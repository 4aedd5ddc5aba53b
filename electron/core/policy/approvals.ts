/** Asks the user before a call that needs approval runs, and applies the grants that the user gave. */
import { randomUUID } from 'node:crypto';
import { ToolkeepError } from '../../../shared/failure.ts';
import type { GrantScope, ShownDestinations } from '../../../shared/model/question.ts';
import type { DestinationsPolicy, ToolView } from '../../../shared/model/tool.ts';
import type { Elicitation, Outcome } from '../elicitation/elicitation.ts';
import type { Events } from '../events.ts';
import type { NewRecord } from '../history/history.ts';
import { originalText } from '../jsonrpc/raw-json.ts';
import type { Client } from '../types.ts';
import { type ApprovalRequest, betweenOf, grantable } from './approval-request.ts';
import type { BatchCall, BatchDecision } from './batch-approval.ts';
import { withOwners } from './conditions.ts';
import { coversOf } from './decide/permit.ts';
import { type FindInResults, judged, ownDomainsOf, remembered, sitesOf } from './destinations/compare.ts';
import type { Grants } from './grants.ts';
import type { KnownDestinations } from './known-destinations.ts';
import { askingDisabled, type Decision, decisionOf, refusal } from './refusals.ts';
import { type TitledResult, titlesOf } from './titles.ts';
import type { Asked, Refused, Unasked, Wanted } from './verdict.ts';

export type Approvals = ReturnType<typeof createApprovals>;

export interface ApprovalOptions {
  elicitation: Elicitation;
  events: Events;
  grants: Grants;
  /** The destinations that the config file allows for every client. */
  known: KnownDestinations;
  findInResults: FindInResults;
  resultsOf(client: Client): readonly TitledResult[];
  /** Whether the question offers that the client sends such calls at once. */
  offersBatch(client: Client, tool: ToolView): boolean;
  /** How long an approval of this tool stays open. */
  timeoutMs(tool: Pick<ToolView, 'server' | 'name'>): number;
  record(entry: NewRecord): void;
  /** Disables a tool, on the user's request. */
  disable(tool: ToolView): Promise<void>;
  log(message: string): void;
}

/** The parts of a call that the history shows. */
type Recorded = Pick<ApprovalRequest, 'client' | 'tool' | 'callId'> & { asked?: Asked };

/** A question that is open. */
interface OpenRequest {
  request: ApprovalRequest;
  withdraw: AbortController;
  /** Why the question was withdrawn: another answer allows the call, or nothing can allow it any more. */
  decided?: 'granted' | Refused | Unasked;
}

/** Grants are tied to the tool's fingerprint, so a changed tool needs approval again. */
export function createApprovals(options: ApprovalOptions) {
  const { known, grants, events } = options;
  const open = new Set<OpenRequest>();
  let isReviewDue = false;
  events.on('client.disconnected', ({ id }) => {
    grants.onClientDisconnected(id);
    known.onClientDisconnected(id);
  });
  events.on('server.forgotten', ({ server }) => {
    grants.onServerForgotten(server);
    known.onServerForgotten(server);
  });
  events.on('state.changed', () => {
    if (open.size === 0 || isReviewDue) return;
    isReviewDue = true;
    queueMicrotask(() => void review());
  });

  /** Decides about the waiting calls again: the user may have allowed or disabled the tool in another question or view. */
  async function review(): Promise<void> {
    isReviewDue = false;
    for (const one of open) {
      // Nothing can be said about the call while its server must be discovered again.
      const verdict = await one.request.decide().catch(() => undefined);
      if (!verdict || verdict.kind === 'ask') continue;
      one.decided = verdict.kind === 'run' ? 'granted' : verdict;
      one.withdraw.abort();
    }
  }

  function record(request: Recorded, outcome: Decision, scope?: GrantScope): void {
    const { client, tool, callId, asked } = request;
    const reasons = [asked?.alwaysAsk ?? [], tool.annotations.reasons].flat();
    const base = { id: randomUUID(), callId, at: Date.now(), client: client.name, server: tool.server };
    const entry = { ...base, tool: tool.name, kind: 'approval' as const, arguments: '', durationMs: 0 };
    options.record({ ...entry, outcome, scope, reasons });
  }

  function disable({ tool }: ApprovalRequest): void {
    options.disable(tool).catch((error) => options.log(`"${tool.name}" could not be disabled: ${String(error)}`));
  }

  function allow(request: ApprovalRequest, asked: Asked, answer: Extract<Outcome, { action: 'accept' }>): void {
    const { destinations, offers } = asked;
    const chosen = [...new Set(answer.conditions)].map((index) => asked.conditions[index]);
    const cover = answer.destinations ?? offers[0] ?? (asked.covers === 'acts' ? 'these' : 'any');
    // An answer that names anything that was not offered grants nothing beyond this call.
    const isOffered =
      !chosen.includes(undefined) &&
      asked.scopes.includes(answer.scope ?? 'once') &&
      (answer.destinations === undefined || offers.includes(cover));
    const scope = isOffered ? (answer.scope ?? 'once') : 'once';
    const conditions = withOwners(
      chosen.filter((condition) => condition !== undefined),
      request.arguments,
    );
    const isLimited = cover !== 'any' && conditions.length === 0;
    if (asked.covers !== 'destinations' || !isLimited)
      grants.add(grantable(request, asked), scope, conditions, isLimited ? 'known' : 'any');
    if (isLimited && destinations) known.add(betweenOf(request), remembered(destinations.all, cover), scope);
    record(request, 'allowed', scope);
  }

  async function destinationsShown(request: ApprovalRequest, asked: Asked): Promise<ShownDestinations | undefined> {
    const { destinations, added } = asked;
    if (!destinations) return undefined;
    const { all, isComplete, isRecognized } = destinations;
    return {
      new: await judged(added, known.of(betweenOf(request)), options.findInResults),
      known: all.filter((destination) => !added.includes(destination)),
      isComplete,
      isRecognized,
    };
  }

  /** Ends the call because nothing can allow it, whatever the user answers. */
  function end(request: ApprovalRequest, { failure, because, asked }: Refused | Unasked): never {
    if (asked) {
      record(request, 'asking-disabled');
      throw askingDisabled(asked);
    }
    record(request, because === 'override' ? 'denied-and-disabled' : 'cancelled');
    throw new ToolkeepError(failure);
  }

  async function ask(mine: OpenRequest, asked: Asked): Promise<Wanted | undefined> {
    const { request, withdraw } = mine;
    const shown = await destinationsShown(request, asked);
    const answer = await askUser(options, { request, asked, shown, withdraw: withdraw.signal });
    if (answer.action === 'accept') {
      // A call that the user has forbidden meanwhile gets no lasting permission.
      const verdict = await request.decide().catch(() => undefined);
      if (verdict?.kind === 'refuse') end(request, verdict);
      allow(request, asked, answer);
      return asked;
    }
    if (answer.action === 'decline' && answer.disableTool) disable(request);
    if (answer.action === 'cancel' && mine.decided && !request.signal.aborted) {
      if (mine.decided !== 'granted') end(request, mine.decided);
      return undefined;
    }
    record(request, request.signal.aborted ? 'cancelled' : decisionOf(answer));
    throw refusal(request, asked, answer);
  }

  function revoke(id: string): void {
    const revoked = grants.revoke(id);
    if (!revoked) return;
    const { client, server, tool } = revoked;
    const base = { id, at: Date.now(), client, server, tool, arguments: '', durationMs: 0 };
    options.record({ ...base, kind: 'grant', outcome: 'revoked' });
  }

  return {
    /**
     * Asks the user about this one call unless it needs no answer any more. Resolves with what the user allowed; undefined if
     * something else allows the call. Rejects with APPROVAL_DENIED, APPROVAL_TIMEOUT, APPROVAL_UNAVAILABLE or CANCELLED, or
     * with the reason why the call may not run any more.
     */
    async require(request: ApprovalRequest): Promise<Wanted | undefined> {
      const mine: OpenRequest = { request, withdraw: new AbortController() };
      // A change after this decision finds the request in `open`.
      open.add(mine);
      try {
        const verdict = await request.decide();
        if (verdict.kind === 'refuse') end(request, verdict);
        return verdict.kind === 'ask' ? await ask(mine, verdict.asked) : undefined;
      } finally {
        open.delete(mine);
      }
    },
    /** Records a call that a permission covers. */
    granted: (request: Recorded): void => record(request, 'allowed-by-grant'),
    end,
    /**
     * Asks one question about all calls, and resolves with the user's decision about each. Rejects like `require` if the user
     * denies all.
     */
    async requireEach(requests: ApprovalRequest[], call: BatchCall): Promise<BatchDecision> {
      const { requireEach } = await import('./batch-approval.ts');
      return requireEach({ ...options, destinationsShown, record }, requests, call);
    },
    /** Lets every client use a server's tools, except dangerous ones, until the user revokes the grant. */
    allowActs(server: string, destinations: DestinationsPolicy): void {
      const none = { tool: '', fingerprint: '', arguments: {}, covers: 'acts' as const, choices: [] };
      grants.add({ ...none, server, caller: undefined }, 'always', [], destinations);
    },
    grants: grants.list,
    revoke,
    /** Limits a grant for any destination to known ones. */
    limit: grants.limit,
    /** The destinations that the user has allowed. */
    known,
    /** Revokes the grants of a client that will not return. */
    revokeOf(identity: string): void {
      for (const grant of grants.list()) if (grant.identity === identity) revoke(grant.id);
      for (const destination of known.list()) if (destination.identity === identity) known.forget(destination.id);
    },
  };
}

const maxDescription = 600;
const beginningOf = (text: string) =>
  text.length <= maxDescription ? text : `${text.slice(0, maxDescription).toWellFormed()}…`;

async function askUser(
  { elicitation, offersBatch, timeoutMs, resultsOf }: ApprovalOptions,
  question: { request: ApprovalRequest; asked: Asked; shown: ShownDestinations | undefined; withdraw: AbortSignal },
): Promise<Outcome> {
  const { request, asked, shown, withdraw } = question;
  const { tool, client, signal, callId, meta } = request;
  const { covers, scopes, conditions, choices, offers, reasons, isDangerous } = asked;
  const titles = await titlesOf(request.arguments, tool.server, resultsOf(client));
  return elicitation.ask(
    {
      kind: 'approval',
      message: beginningOf(tool.description),
      fields: [],
      from: { client: client.name, server: tool.server, tool: tool.name, callId },
      approval: {
        arguments: originalText(request.arguments),
        ...(isDangerous && { isDangerous: true }),
        ...(meta && { meta }),
        ...(titles.length > 0 && { titles }),
        reasons,
        scopes,
        ...(client.identity === undefined && { isUnbound: true }),
        covers,
        ...(offersBatch(client, tool) && { offersBatch: true }),
        ...(shown && {
          destinations: {
            ...{ ...shown, domains: ownDomainsOf(shown.new), sites: sitesOf(shown.new) },
            ...{ offers, anyCovers: coversOf(asked.need) },
          },
        }),
        ...(conditions.length > 0 && { conditions: [...conditions] }),
        ...(choices?.length && { choices: [...choices] }),
      },
    },
    { signal: AbortSignal.any([signal, withdraw]), timeoutMs: timeoutMs(tool), owner: client },
  );
}
