/** Asks the user before a call that needs approval runs, and applies the grants that the user gave. */
import { randomUUID } from 'node:crypto';
import type { Destination, GrantScope, ShownDestinations } from '../../../shared/model/question.ts';
import { type DestinationsPolicy, isDangerous, type ToolView } from '../../../shared/model/tool.ts';
import type { Elicitation, Outcome } from '../elicitation/elicitation.ts';
import type { Events } from '../events.ts';
import type { NewRecord } from '../history/history.ts';
import { originalText } from '../jsonrpc/raw-json.ts';
import type { Store } from '../settings.ts';
import type { Client } from '../types.ts';
import {
  type ApprovalRequest,
  betweenOf,
  coversOf,
  grantable,
  type Offer,
  type OpenRequest,
  offerFor,
  reasonsOf,
  reasonsToAsk,
} from './approval-request.ts';
import type { BatchCall, BatchDecision } from './batch-approval.ts';
import { withOwners } from './conditions.ts';
import { onlyWebAddress } from './destinations/addresses.ts';
import { type FindInResults, judged, ownDomainsOf, remembered } from './destinations/compare.ts';
import { destinationsOf } from './destinations.ts';
import { createGrants } from './grants.ts';
import { keptChoices } from './kept-choices.ts';
import type { KnownDestinations } from './known-destinations.ts';
import { leakIn } from './leaks.ts';
import { askingDisabled, type Decision, decisionOf, denied, refusal } from './refusals.ts';
import { type TitledResult, titlesOf } from './titles.ts';

export type Approvals = ReturnType<typeof createApprovals>;

export interface ApprovalOptions {
  elicitation: Elicitation;
  events: Events;
  store: Store;
  /** The destinations that the config file allows for every client. */
  known: KnownDestinations;
  findInResults: FindInResults;
  resultsOf(connection: string): readonly TitledResult[];
  /** Whether the question offers that the client sends such calls at once. */
  offersBatch(client: Client, tool: ToolView): boolean;
  /** If false, a call that needs approval is refused without a question. */
  mayAsk(): boolean;
  /** How long an approval of this tool stays open. */
  timeoutMs(tool: Pick<ToolView, 'server' | 'name'>): number;
  record(entry: NewRecord): void;
  /** Whether the user has disabled the tool or its server. */
  isDisabled(client: Client, tool: ToolView): boolean;
  /** Disables a tool, on the user's request. */
  disable(tool: ToolView): Promise<void>;
  log(message: string): void;
}

/** Grants are tied to the tool's fingerprint, so a changed tool needs approval again. */
export function createApprovals(options: ApprovalOptions) {
  const grants = createGrants(options.store);
  const { known } = options;
  const open = new Set<OpenRequest>();
  options.events.on('client.disconnected', ({ id }) => {
    grants.onClientDisconnected(id);
    known.onClientDisconnected(id);
  });
  options.events.on('server.forgotten', ({ server }) => {
    grants.onServerForgotten(server);
    known.onServerForgotten(server);
  });
  for (const name of ['rules.changed', 'tools.changed'] as const) options.events.on(name, withdrawDisabled);

  function record(request: ApprovalRequest, outcome: Decision, scope?: GrantScope): void {
    const { client, tool, callId } = request;
    const base = { id: randomUUID(), callId, at: Date.now(), client: client.name, server: tool.server };
    const entry = { ...base, tool: tool.name, kind: 'approval' as const, arguments: '', durationMs: 0 };
    options.record({ ...entry, outcome, scope, reasons: reasonsOf(request) });
  }

  /** Allows the waiting calls that the user's new grant also covers. */
  async function allowOthers({ tool }: ApprovalRequest): Promise<void> {
    const others = [...open].filter(({ request }) => request.tool.server === tool.server);
    for (const other of others) if ((await permissionOf(other)) === 'granted') withdraw(other, 'grant');
  }

  /** The user may have disabled a tool in another question or view. */
  function withdrawDisabled(): void {
    for (const one of open) if (options.isDisabled(one.request.client, one.request.tool)) withdraw(one, 'disable');
  }

  function withdraw(request: OpenRequest, by: 'grant' | 'disable'): void {
    request.decidedBy = by;
    request.withdraw.abort();
  }

  const newOf = ({ request, destinations }: OpenRequest): Destination[] =>
    destinations?.all.filter((destination) => !known.isKnown(betweenOf(request), destination)) ?? [];
  /** Whether the destinations need no approval of their own. */
  const isEachKnown = (mine: OpenRequest) =>
    (mine.request.checks === 'reads' && mine.leak === undefined) ||
    (mine.destinations?.isComplete !== false && newOf(mine).length === 0);

  /** Why an address that the user has not allowed may carry data away. */
  function leakOf({ request, destinations }: OpenRequest): Promise<string | undefined> {
    const allowed = new Set(
      destinations?.all.filter((one) => known.isKnown(betweenOf(request), one)).map(({ value }) => value),
    );
    const isAllowed = (address: string) => allowed.has(onlyWebAddress(address) ?? '');
    return leakIn(request.arguments, options.resultsOf(request.client.id), isAllowed);
  }

  /** Whether the call may run: `limited` if a standing permission covers it, but not its destinations. */
  async function permissionOf(mine: OpenRequest): Promise<'granted' | 'limited' | 'none'> {
    const { request } = mine;
    if (request.checks) mine.destinations ??= destinationsOf(request.tool, request.arguments, request.meta);
    if (request.checks === 'reads') mine.leak ??= await leakOf(mine);
    if (request.alwaysAsk !== undefined) return 'none';
    const covered = request.need === 'none' ? 'known' : await grants.cover(grantable(request));
    if (covered === undefined) return 'none';
    return covered === 'any' || isEachKnown(mine) ? 'granted' : 'limited';
  }

  function disable({ tool }: ApprovalRequest): void {
    options.disable(tool).catch((error) => options.log(`"${tool.name}" could not be disabled: ${String(error)}`));
  }

  function allow(mine: OpenRequest, answer: Extract<Outcome, { action: 'accept' }>, offer: Offer): void {
    const { request, destinations } = mine;
    const chosen = [...new Set(answer.conditions)].map((index) => offer.conditions[index]);
    const cover = answer.destinations ?? offer.destinations[0] ?? (offer.covers === 'acts' ? 'these' : 'any');
    // An answer that names anything that was not offered grants nothing beyond this call.
    const isOffered =
      !chosen.includes(undefined) &&
      offer.scopes.includes(answer.scope ?? 'once') &&
      (answer.destinations === undefined || offer.destinations.includes(cover));
    const scope = isOffered ? (answer.scope ?? 'once') : 'once';
    const conditions = withOwners(
      chosen.filter((condition) => condition !== undefined),
      request.arguments,
    );
    const isLimited = cover !== 'any' && conditions.length === 0;
    if (offer.covers !== 'destinations' || !isLimited)
      grants.add(grantable(request), scope, conditions, isLimited ? 'known' : 'any');
    if (isLimited && destinations) known.add(betweenOf(request), remembered(destinations.all, cover), scope);
    record(request, 'allowed', scope);
    // If this fails, the user is asked about each call separately.
    if (scope !== 'once') allowOthers(request).catch(() => undefined);
  }

  async function destinationsShown(mine: OpenRequest): Promise<ShownDestinations | undefined> {
    if (!mine.destinations) return undefined;
    const { all, isComplete, isRecognized } = mine.destinations;
    const between = betweenOf(mine.request);
    const added = newOf(mine);
    return {
      new: await judged(added, known.of(between), options.findInResults),
      known: all.filter((destination) => !added.includes(destination)),
      isComplete,
      isRecognized,
    };
  }

  async function ask(mine: OpenRequest, isPermitted: boolean): Promise<void> {
    const { request } = mine;
    const offer = await offerFor(mine, isPermitted);
    const shown = await destinationsShown(mine);
    const answer = await askUser(options, mine, offer, shown);
    if (answer.action === 'accept') return allow(mine, answer, offer);
    if (answer.action === 'decline' && answer.disableTool) disable(request);
    // A decision on another call withdrew this question.
    if (answer.action === 'cancel' && mine.decidedBy && !request.signal.aborted) {
      if (mine.decidedBy === 'grant') return record(request, 'allowed-by-grant');
      record(request, 'denied-and-disabled');
      throw denied(request);
    }
    record(request, request.signal.aborted ? 'cancelled' : decisionOf(answer));
    throw refusal(request, answer, { isPermitted, added: newOf(mine) });
  }

  function revoke(id: string): void {
    const revoked = grants.revoke(id);
    if (!revoked) return;
    const { client, server, tool } = revoked;
    const base = { id, at: Date.now(), client, server, tool, arguments: '', durationMs: 0 };
    options.record({ ...base, kind: 'grant', outcome: 'revoked' });
  }

  return {
    /** Resolves if this one call may run. Rejects with APPROVAL_DENIED, APPROVAL_TIMEOUT, APPROVAL_UNAVAILABLE or CANCELLED. */
    async require(request: ApprovalRequest): Promise<void> {
      const mine: OpenRequest = { request, withdraw: new AbortController() };
      // Add the request before checking the grants: a grant given after the check finds it in `open`.
      open.add(mine);
      try {
        const permission = await permissionOf(mine);
        // A rule's permission is not recorded for each call.
        if (permission === 'granted') return request.need === 'none' ? undefined : record(request, 'allowed-by-grant');
        if (options.mayAsk()) return await ask(mine, permission === 'limited');
        record(request, 'asking-disabled');
        throw askingDisabled(request, { isPermitted: permission === 'limited', added: newOf(mine) });
      } finally {
        open.delete(mine);
      }
    },
    /**
     * Asks one question about all requests that no permission covers, and resolves with the user's decision about each.
     * Rejects like `require` if the user denies all.
     */
    async requireEach(requests: ApprovalRequest[], call: BatchCall): Promise<BatchDecision> {
      const { requireEach } = await import('./batch-approval.ts');
      return requireEach({ ...options, permissionOf, destinationsShown, record }, requests, call);
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
  { request, leak, withdraw }: OpenRequest,
  { covers, scopes, conditions, destinations }: Offer,
  shown: ShownDestinations | undefined,
): Promise<Outcome> {
  const { tool, client, signal, callId, meta } = request;
  const choices = covers === 'tool' ? keptChoices(tool.inputSchema, request.arguments) : [];
  const titles = await titlesOf(request.arguments, tool.server, resultsOf(client.id));
  return elicitation.ask(
    {
      kind: 'approval',
      message: beginningOf(tool.description),
      fields: [],
      from: { client: client.name, server: tool.server, tool: tool.name, callId },
      approval: {
        arguments: originalText(request.arguments),
        ...(isDangerous(tool.annotations, request.arguments) && { isDangerous: true }),
        ...(meta && { meta }),
        ...(titles.length > 0 && { titles }),
        reasons: reasonsToAsk(request, leak, covers === 'destinations'),
        scopes: choices ? scopes : ['once'],
        ...(client.identity === undefined && { isUnbound: true }),
        covers,
        ...(offersBatch(client, tool) && { offersBatch: true }),
        ...(shown && {
          destinations: {
            ...shown,
            domains: ownDomainsOf(shown.new),
            offers: destinations,
            anyCovers: coversOf(request.need),
          },
        }),
        ...(conditions.length > 0 && { conditions }),
        ...(choices?.length && { choices }),
      },
    },
    { signal: AbortSignal.any([signal, withdraw.signal]), timeoutMs: timeoutMs(tool), owner: client },
  );
}
