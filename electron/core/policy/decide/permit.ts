/** Whether a permission covers a call, and otherwise what the user is asked: lines 24 to 28 of `decide`. */
import type { Condition, Destination, DestinationCover, GrantScope } from '../../../../shared/model/question.ts';
import { type ApprovalNeed, isDangerous } from '../../../../shared/model/tool.ts';
import type { Grant } from '../../settings.ts';
import { type Arguments, carriesProgram, hasSimilarKeys } from '../argument-values.ts';
import { ownDomainsOf, sitesOf } from '../destinations/compare.ts';
import { coversNames, fitsGrant, type Grantable } from '../grants.ts';
import { isFor, namesOf } from '../known-destinations.ts';
import type { State, ToolRow } from '../rows.ts';
import { type Asked, type Call, type Offer, refuse, type Verdict, type Wanted } from '../verdict.ts';
import { wantedOf } from './need.ts';

export const coversOf = (need: ApprovalNeed): 'acts' | 'tool' => (need === 'once' ? 'acts' : 'tool');

export function permit(state: State, call: Call, tool: ToolRow, wanted: Wanted): Verdict {
  if (!call.arguments) return permitAny(state, call, tool, wanted);
  const { facts } = call;
  const { need, alwaysAsk, checks } = wanted;
  if (checks && !facts.destinations) return { kind: 'look', at: 'destinations' };
  const destinations = checks && facts.destinations;
  const added = destinations?.all.filter((one) => !isKnown(state, call, one)) ?? [];
  // A destination may have become known, or a grant added, since these were examined.
  if (checks === 'reads' && facts.leak?.known !== state.known) return { kind: 'look', at: 'leak' };
  if (facts.choices === undefined) return { kind: 'look', at: 'choices' };
  let covered: 'any' | 'known' | undefined;
  if (alwaysAsk === undefined) {
    if (need !== 'none' && facts.holds?.grants !== state.grants) return { kind: 'look', at: 'holds' };
    covered = need === 'none' ? 'known' : coverOf(state, facts.holds?.ids);
    const isEachKnown =
      (checks === 'reads' && facts.leak?.reason === undefined) ||
      (destinations?.isComplete !== false && added.length === 0);
    if (covered === 'any' || (covered === 'known' && isEachKnown)) return { kind: 'run', by: 'grant', wanted };
  }
  const isPermitted = covered !== undefined;
  if (alwaysAsk === undefined && !isPermitted && need === 'each' && !facts.suggestions)
    return { kind: 'look', at: 'suggestions' };
  const choices = facts.choices ?? undefined;
  const offer = offerOf(call, { wanted, destinations, isPermitted, choices });
  return ask(state, call, {
    ...{ ...wanted, ...offer, tool, destinations, added, isPermitted },
    reasons: isPermitted
      ? [facts.leak?.reason ?? notAllowed]
      : [...(alwaysAsk === undefined ? [] : [alwaysAsk]), ...tool.annotations.reasons],
    choices: offer.covers === 'tool' ? choices : [],
    isDangerous: isDangerous(tool.annotations, call.arguments),
  });
}

const notAllowed = 'You allowed such calls, but not to each of these destinations.';

/** Lines 26 to 28. */
function ask(state: State, { mustRead }: Call, asked: Asked): Verdict {
  const { server, name } = asked.tool;
  if (mustRead) return notRead(asked.tool, 'needs approval');
  if (state.policy.mode === 'ask') return { kind: 'ask', asked };
  const message = `"${name}" needs the user's approval, but asking is disabled.`;
  const { failure } = refuse('APPROVAL_UNAVAILABLE', message, { server, tool: name });
  return { kind: 'refuse', failure, asked };
}

export const notRead = ({ server, name }: ToolRow, why: 'needs approval' | 'may change something') =>
  refuse('TOOL_NOT_READ_ONLY', `"${name}" ${why}, so read_tool did not run it.`, {
    ...{ server, tool: name },
    hint: 'Run it with execute_tool.',
  });

/** Before the arguments are known: a grant for the server's acts counts, one that depends on arguments does not. */
function permitAny(state: State, call: Call, tool: ToolRow, wanted: Wanted): Verdict {
  const { need } = wanted;
  if (need === 'none') return { kind: 'run', by: 'level' };
  const about = grantableOf({ ...call, arguments: {} }, tool, need, []);
  const isGranted = fittingGrants(state.grants, about, call.now).some(({ covers }) => covers === 'acts');
  if (isGranted) return { kind: 'run', by: 'grant', wanted };
  const offer = { covers: coversOf(need), scopes: [], conditions: [], offers: [] };
  return ask(state, call, {
    ...{ ...wanted, ...offer, tool, destinations: undefined, added: [], isPermitted: false },
    ...{ reasons: tool.annotations.reasons, choices: [], isDangerous: isDangerous(tool.annotations, {}) },
  });
}

export const isKnown = ({ known }: State, { caller, server, now }: Call, destination: Destination): boolean =>
  namesOf(destination).some((name) =>
    known
      .get(name)
      ?.some((one) => isFor({ server, caller }, one) && (one.expiresAt === undefined || one.expiresAt > now)),
  );

export const grantableOf = (
  { caller, arguments: args = {}, meta }: Pick<Call, 'caller' | 'arguments' | 'meta'>,
  { server, name, fingerprint }: ToolRow,
  need: ApprovalNeed,
  choices: readonly Condition[] | undefined,
): Grantable => ({
  ...{ server, tool: name, fingerprint, caller, arguments: args, covers: coversOf(need) },
  ...(meta && { meta }),
  choices: choices && [...choices],
});

const isLive = ({ client, identity, connection, expiresAt }: Grant, now: number) =>
  (client === '' || identity !== undefined || connection !== undefined) && (expiresAt === undefined || expiresAt > now);

/** The grants that fit the call, apart from their conditions. `now`: epoch milliseconds. */
export function fittingGrants(grants: readonly Grant[], about: Grantable, now: number): Grant[] {
  // A server may read either of two keys that differ only in case, so the user must see the call.
  if (about.covers === 'tool' && hasSimilarKeys(about.arguments)) return [];
  return grants.filter((grant) => isLive(grant, now) && fitsGrant(grant, about) && coversNames(grant, about));
}

/** The grants whose conditions must be examined, and the call that they cover. */
export function grantsToExamine(state: State, call: Call, tool: ToolRow): { about: Grantable; grants: Grant[] } {
  const about = grantableOf(call, tool, wantedOf(state, call, tool).need, call.facts.choices ?? undefined);
  return { about, grants: fittingGrants(state.grants, about, call.now) };
}

function coverOf({ grants }: State, holds: ReadonlySet<string> = new Set()): 'any' | 'known' | undefined {
  const all = grants.filter(({ id }) => holds.has(id));
  if (all.length === 0) return undefined;
  return all.some(({ destinations }) => destinations === undefined) ? 'any' : 'known';
}

const ofTool: GrantScope[] = ['once', 'session', 'minutes', 'always'];
const ofActs: GrantScope[] = ['once', 'session', 'day', 'always'];

interface Offering extends Pick<Asked, 'destinations' | 'isPermitted' | 'choices'> {
  wanted: Wanted;
}

function offerOf({ caller, facts }: Call, { wanted, destinations, isPermitted, choices }: Offering): Offer {
  const { need, alwaysAsk } = wanted;
  const covers = coversOf(need);
  if (alwaysAsk !== undefined) return { covers, scopes: ['once'], conditions: [], offers: [] };
  const bound = need === 'once' ? ofActs : ofTool;
  const scopes: GrantScope[] = caller.identity === undefined ? ['once', 'session'] : bound;
  const wide: DestinationCover[] = need === 'none' ? [] : ['any'];
  const narrow: DestinationCover[] = ['these'];
  if (ownDomainsOf(destinations?.all ?? []).length > 0) narrow.push('domain');
  if (sitesOf(destinations?.all ?? []).length > 0) narrow.push('site');
  // A permission for the server's acts covers other tools, too, whose destinations Toolkeep may recognize.
  const offers = destinations?.isRecognized || covers === 'acts' ? [...narrow, ...wide] : wide;
  if (isPermitted) return { covers: 'destinations', scopes, conditions: [], offers };
  const conditions = facts.suggestions ?? [];
  // An approval of a dangerous tool without any limit must not last.
  const isLimitable = conditions.length > 0 || offers[0] !== 'any' || (choices?.length ?? 0) > 0;
  const lasting = need !== 'each' || isLimitable ? scopes : scopes.filter((scope) => scope !== 'always');
  return { covers, scopes: covers === 'tool' && !choices ? ['once'] : lasting, conditions, offers };
}

/** Which conditions to suggest: destinations are left to the known ones, unless the call destroys or carries a program. */
export const suggestsOnly = (tool: ToolRow, args: Arguments, isChecked: boolean): 'folders' | undefined =>
  isChecked && !tool.annotations.destructiveHint && !carriesProgram(args) ? 'folders' : undefined;
