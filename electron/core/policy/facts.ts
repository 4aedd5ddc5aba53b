/** Looks up what `decide` asks for, until it has decided. Only this file reads the disk and the results of earlier calls. */
import type { JsonSchema } from '../../../shared/model/tool.ts';
import { holds, suggestConditions } from './conditions.ts';
import { decide } from './decide/decide.ts';
import { wantedOf } from './decide/need.ts';
import { grantsToExamine, isKnown, suggestsOnly } from './decide/permit.ts';
import { onlyWebAddress } from './destinations/addresses.ts';
import { destinationsOf } from './destinations.ts';
import { everyValue } from './grants.ts';
import { keptChoices } from './kept-choices.ts';
import { leakIn } from './leaks.ts';
import type { ReceivedResult } from './received-text.ts';
import type { State, ToolRow } from './rows.ts';
import type { Call, Fact, Facts, Final } from './verdict.ts';

/** How one call looks up facts. */
export interface Sight {
  /** Starts and discovers the server. Rejects with the failure of its start. */
  discover(): Promise<void>;
  /** The input schema of the tool. */
  schema(): JsonSchema;
  /** Why the arguments do not fit the schema; empty if they do. */
  problems(): readonly string[];
  /** Why the user must allow each such call. */
  ownFiles(): Promise<string | undefined>;
  resultsOf(client: Call['caller']): readonly ReceivedResult[];
}

/**
 * Decides about the call with facts that are looked up as needed. `state` is read again after each look, because a grant or a
 * rule may have changed meanwhile. Facts of another definition of the tool are forgotten.
 */
export async function verdictOf(state: () => State, given: Call, sight: Sight): Promise<Final> {
  let call = given;
  for (;;) {
    const now = state();
    const tool = now.tools.get(call.server, call.tool);
    if (tool && call.facts.fingerprint !== tool.fingerprint)
      call = { ...call, facts: { fingerprint: tool.fingerprint } };
    const verdict = decide(now, call);
    if (verdict.kind !== 'look') return verdict;
    if (verdict.at === 'tools') await sight.discover();
    else if (tool)
      call = { ...call, facts: { ...call.facts, ...(await lookUp(verdict.at, { state: now, call, tool, sight })) } };
  }
}

async function lookUp(
  at: Fact,
  { state, call, tool, sight }: { state: State; call: Call; tool: ToolRow; sight: Sight },
): Promise<Facts> {
  const { arguments: args = {}, meta, caller, facts } = call;
  switch (at) {
    case 'arguments':
      return { arguments: sight.problems() };
    case 'ownFiles':
      return { ownFiles: (await sight.ownFiles()) ?? null };
    case 'choices':
      return { choices: keptChoices(sight.schema(), args) ?? null };
    case 'destinations': {
      const about = { name: tool.name, annotations: tool.annotations, inputSchema: sight.schema() };
      return { destinations: destinationsOf(about, args, meta, wantedOf(state, call, tool).checks) };
    }
    case 'leak': {
      const known = facts.destinations?.all.filter((one) => isKnown(state, call, one)) ?? [];
      const allowed = new Set(known.map(({ value }) => value));
      const isAllowed = (address: string) => allowed.has(onlyWebAddress(address) ?? '');
      return { leak: { known: state.known, reason: await leakIn(args, sight.resultsOf(caller), isAllowed) } };
    }
    case 'holds': {
      const { about, grants } = grantsToExamine(state, call, tool);
      const ids = new Set<string>();
      for (const { id, conditions } of grants) if (await holds(conditions, everyValue(about))) ids.add(id);
      return { holds: { grants: state.grants, ids } };
    }
    case 'suggestions':
      return { suggestions: await suggestConditions(args, suggestsOnly(tool, args, facts.destinations !== undefined)) };
  }
}
