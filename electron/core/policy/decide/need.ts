/** Finds what a call needs before it may run, from its level, rules and arguments: line 19 of `decide`. */
import { type Confirm, needsApproval } from '../../../../shared/model/tool.ts';
import { type Arguments, hasSimilarKeys } from '../argument-values.ts';
import { namesAddress } from '../leaks.ts';
import type { State, ToolRow } from '../rows.ts';
import type { Call, Wanted } from '../verdict.ts';
import { confirmOfClient } from './reach.ts';

/** Without `facts.ownFiles`, the arguments name none of Toolkeep's own files. */
export function wantedOf(state: State, call: Call, tool: ToolRow): Wanted {
  const { arguments: args = {}, facts } = call;
  const { annotations } = tool;
  const alwaysAsk = facts.ownFiles ?? undefined;
  // A server may read either of two keys that differ only in case, so such arguments choose nothing.
  const clear = hasSimilarKeys(args) ? {} : args;
  const confirm = confirmFor(state, call, tool);
  const need = alwaysAsk === undefined ? needsApproval({ annotations, confirm }, state.policy.ask, clear) : 'each';
  return { need, alwaysAsk, checks: checksOf(state, call, tool, clear) };
}

/** A rule for the client never lifts an approval that another rule requires. */
function confirmFor(state: State, { caller }: Call, tool: ToolRow): Confirm {
  const own = caller.scope.client === undefined ? undefined : confirmOfClient(state, caller, tool);
  return own === 'always' || (own === 'never' && tool.confirm === 'auto') ? own : tool.confirm;
}

/** Unlike an agent, the user knows where a call goes that the user makes. */
function checksOf(
  { policy }: State,
  { caller, arguments: args }: Call,
  tool: ToolRow,
  clear: Arguments,
): Wanted['checks'] {
  if (caller.isUser || policy.destinations !== 'known' || tool.destinations === 'any') return undefined;
  const { annotations } = tool;
  if (needsApproval({ annotations, confirm: 'auto' }, 'acts', clear) !== 'none') return 'acts';
  return args && policy.reads === 'leaks' && annotations.openWorldHint && namesAddress(args) ? 'reads' : undefined;
}
