/**
 * Decides about every call of every client, and about every tool in a list: `run`, `ask`, or `refuse` with the reason. Pure: the
 * same state and call have the same answer. Some facts only the disk, the definition or earlier results can tell; `decide` asks
 * for them (`look`) when no earlier line decides.
 *
 * The first line that applies decides. Reasons that the user cannot lift with one answer come first, so that no question is
 * asked in vain.
 *
 *  REACH    1 another server than the connection's → SERVER_NOT_FOUND
 *           2 the client's profile no longer exists → PROFILE_NOT_FOUND
 *           3 the rules for the client exclude the server → TOOL_DISABLED
 *           4 its profile excludes the server → NOT_IN_PROFILE
 *           5 no such server → SERVER_NOT_FOUND
 *           6 its tools are not known yet: paused, disabled → PAUSED, SERVER_DISABLED, look: tools
 *  TOOL     7 a plug-in does not list it for this request → its failure, TOOL_NOT_FOUND
 *           8 the rules for the client exclude it → TOOL_DISABLED
 *           9 its profile excludes it, or would if it existed → NOT_IN_PROFILE
 *          10 no such tool → TOOL_NOT_FOUND
 *          11 only an app may call it → TOOL_NOT_FOUND
 *  LIFT    12 Toolkeep is paused → PAUSED
 *          13 its server is disabled → SERVER_DISABLED
 *          14 the user has not accepted its definition → TOOL_HELD_BACK
 *          15 an override, then a rule, disables it → TOOL_DISABLED
 *  CALL    16 its arguments do not fit → look: arguments, ARGUMENTS_INVALID
 *          17 it changed since the user was asked → TOOL_HELD_BACK
 *  NEED    18 it names Toolkeep's own files or address: `each`, and no permission helps → look: ownFiles
 *          19 otherwise `always` of a rule for the client; `confirm` of an override, then of a rule; where that is `auto`,
 *             `never` of a rule for the client, then its level, or that of the choice among the arguments:
 *             `none`, `once` (the server's acts), `each` (this tool)
 *          20 read_tool runs it, and it is not safe or needs any → TOOL_NOT_READ_ONLY
 *          21 `none`, and no destination to check → run
 *          22 the user calls it, and it needs `once` → run
 *          23 the user allowed exactly this → run
 *  PERMIT  24 a grant fits: server, tool and definition, client, choices, names, conditions → look: choices, holds
 *          25 and is for any destination, or each is known, or a reading call carries nothing away
 *             → look: destinations, leak, run
 *  ASK     26 read_tool runs it → TOOL_NOT_READ_ONLY
 *          27 the user wants no questions → APPROVAL_UNAVAILABLE
 *          28 ask: the reasons, and what a lasting answer may offer → look: suggestions
 */

import type { State, ToolRow } from '../rows.ts';
import { type Call, refuse, type Verdict, type Wanted } from '../verdict.ts';
import { wantedOf } from './need.ts';
import { notRead, permit } from './permit.ts';
import { lifted, reachServer, reachTool, switchedOff } from './reach.ts';

export function decide(state: State, call: Call): Verdict {
  const { caller, server, tool: name } = call;
  const outside = reachServer(state, caller.scope, server);
  const row = state.servers.get(server);
  if (outside || !row) return outside ?? refuse('SERVER_NOT_FOUND', `There is no server "${server}".`, { server });
  if (!row.isDiscovered) return switchedOff(state, row, name) ?? { kind: 'look', at: 'tools' };
  const tool = state.tools.get(server, name);
  const mayBeApp = call.mayBeApp || caller.isUser;
  const away =
    reachTool(state, { scope: caller.scope, server, tool: name, mayBeApp }, tool) ??
    (state.isPaused || !row.isEnabled ? switchedOff(state, row, name) : undefined);
  if (away || !tool) return away ?? refuse('TOOL_NOT_FOUND', `There is no tool "${name}".`, { server, tool: name });
  return (tool.held || tool.disabledBy ? lifted(tool) : undefined) ?? decideTool(state, call, tool);
}

/** Lines 16 to 28. */
function decideTool(state: State, call: Call, tool: ToolRow): Verdict {
  const { facts, caller, planned, mustRead } = call;
  const { server, name, fingerprint } = tool;
  const place = { server, tool: name };
  if (call.arguments) {
    if (!facts.arguments) return { kind: 'look', at: 'arguments' };
    if (facts.arguments.length > 0) {
      const message = `Invalid arguments for "${name}": ${facts.arguments.join('; ')}`;
      return refuse('ARGUMENTS_INVALID', message, place);
    }
    if (planned && planned.fingerprint !== fingerprint) {
      const message = `"${name}" changed while the user was deciding, so it did not run.`;
      return refuse('TOOL_HELD_BACK', message, place);
    }
    if (facts.ownFiles === undefined) return { kind: 'look', at: 'ownFiles' };
  }
  const wanted = wantedOf(state, call, tool);
  const { need } = wanted;
  const isSafe = tool.annotations.safetyLevel === 'safe';
  if (mustRead && !(isSafe && need === 'none'))
    return notRead(tool, isSafe ? 'needs approval' : 'may change something');
  if (need === 'none' && !wanted.checks) return { kind: 'run', by: 'level' };
  if (need === 'once' && caller.isUser) return { kind: 'run', by: 'user' };
  if (planned?.allowed && isSame(wanted, planned.allowed)) return { kind: 'run', by: 'answer', wanted };
  return permit(state, call, tool, wanted);
}

/** Files and settings may have changed since the user was asked, so that the call needs more than that. */
const isSame = (one: Wanted, other: Wanted) =>
  one.need === other.need && one.alwaysAsk === other.alwaysAsk && one.checks === other.checks;
