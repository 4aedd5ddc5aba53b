/** Decides which servers and tools a caller may reach, and refuses what the user has disabled: lines 1 to 15 of `decide`. */
import { heldBecause } from '../../../../shared/held-reason.ts';
import { standstill } from '../../../../shared/server-facts.ts';
import { hintForServer } from '../../servers/unknown-server.ts';
import { hintForTool } from '../../tools/unknown-tool.ts';
import type { Provided, Scope } from '../../types.ts';
import type { Caller, ClientRow, RuleTarget, ServerRow, State, ToolRow } from '../rows.ts';
import { type Refused, refuse } from '../verdict.ts';

/** Lines 1 to 5. */
export function reachServer(state: State, scope: Scope, server: string): Refused | undefined {
  const { client, profile } = scope;
  if (scope.server !== undefined && scope.server !== server)
    return refuse('SERVER_NOT_FOUND', `This connection reaches only "${scope.server}".`, { server });
  if (profile !== undefined && !state.profiles.has(profile)) return reachProfile(state, scope);
  if (client !== undefined && state.clients.get(client)?.deniesServer(server)) {
    const message = `The server "${server}" is disabled for this client by the user's rules.`;
    return refuse('TOOL_DISABLED', message, { server }, 'client');
  }
  const servers = profile === undefined ? undefined : state.profiles.get(profile)?.servers;
  if (servers && servers.length > 0 && !servers.includes(server)) {
    const message = `The server "${server}" is not in the profile "${profile}" of this client.`;
    return refuse('NOT_IN_PROFILE', message, { server }, 'profile');
  }
  if (state.servers.has(server)) return undefined;
  const names = [...state.servers.keys()].filter((name) => !reachServer(state, scope, name));
  const hint = hintForServer(server, names);
  return refuse('SERVER_NOT_FOUND', `There is no server "${server}".`, { server, ...(hint && { hint }) }, 'name');
}

/** Line 2. */
export function reachProfile({ profiles }: State, { profile }: Scope): Refused | undefined {
  if (profile === undefined || profiles.has(profile)) return undefined;
  return refuse('PROFILE_NOT_FOUND', `There is no profile "${profile}".`, {}, 'profile');
}

/** Lines 7 to 11. `row`: undefined if the server has no such tool. */
export function reachTool(
  state: State,
  { scope, server, tool, mayBeApp }: { scope: Scope; server: string; tool: string; mayBeApp?: boolean | undefined },
  row: ToolRow | undefined,
): Refused | undefined {
  const place = { server, tool };
  const provided = scope.provided?.get(server);
  if (provided && !provided.tools.has(tool)) return notProvided(provided, server, tool);
  if (row && scope.client !== undefined && state.clients.get(scope.client)?.denies(targetOf(row))) {
    const message = `The tool "${tool}" is disabled for this client by the user's rules.`;
    return refuse('TOOL_DISABLED', message, place, 'client');
  }
  if (scope.profile !== undefined && !isInProfile(state, scope, row)) {
    const message = `The tool "${tool}" is not in the profile "${scope.profile}" of this client.`;
    return refuse('NOT_IN_PROFILE', message, place, 'profile');
  }
  if (!row) return refuse('TOOL_NOT_FOUND', `The server "${server}" has no tool "${tool}".`, place, 'name');
  if (row.app === 'only' && !mayBeApp)
    return refuse('TOOL_NOT_FOUND', `Only the app of "${server}" can call "${tool}".`, place);
  return undefined;
}

/** Lines 12 and 13. */
export function switchedOff({ isPaused }: State, server: ServerRow, tool: string): Refused | undefined {
  const place = { server: server.name, tool };
  if (isPaused) return refuse('PAUSED', standstill.paused, place, 'paused');
  if (server.isEnabled) return undefined;
  return refuse('SERVER_DISABLED', `The server "${server.name}" is disabled.`, place, 'server');
}

/** Lines 14 and 15. */
export function lifted({ server, name, held, disabledBy }: ToolRow): Refused | undefined {
  const place = { server, tool: name };
  if (held) {
    const message = `"${name}" is held until the user accepts it: ${heldBecause[held]}.`;
    return refuse('TOOL_HELD_BACK', message, place, held);
  }
  if (disabledBy === 'override') return refuse('TOOL_DISABLED', `The user disabled "${name}".`, place, 'override');
  return disabledBy && refuse('TOOL_DISABLED', `"${name}" is disabled by the user's rules.`, place, 'rule');
}

/** The approval that the rules for the caller alone require. */
export const confirmOfClient = (state: State, { scope }: Caller, tool: ToolRow) =>
  clientRow(state, scope)?.confirm(targetOf(tool));

/** True if the caller may have only some of the server's tools or, without `server`, only some of any server's tools. */
export function isPartial(state: State, scope: Scope, server?: string): boolean {
  const isProvided = server === undefined ? (scope.provided?.size ?? 0) > 0 : scope.provided?.has(server) === true;
  return isProvided || clientRow(state, scope) !== undefined || selectsTools(profileOf(state, scope));
}

const clientRow = ({ clients }: State, { client }: Scope): ClientRow | undefined =>
  client === undefined ? undefined : clients.get(client);
const profileOf = ({ profiles }: State, { profile }: Scope) =>
  profile === undefined ? undefined : profiles.get(profile);
const selectsTools = (profile: ReturnType<typeof profileOf>) =>
  profile !== undefined && (profile.tags.length > 0 || profile.safety !== undefined || profile.category !== undefined);

const targetOf = ({ server, name, annotations, category }: ToolRow): RuleTarget => ({
  server,
  name,
  safety: annotations.safetyLevel,
  category,
});

/** A tool that does not exist gets the same answer as one outside the profile, because another would reveal which exist. */
function isInProfile(state: State, scope: Scope, row: ToolRow | undefined): boolean {
  const profile = profileOf(state, scope);
  if (!profile || !selectsTools(profile)) return true;
  if (!row) return false;
  const { tags, safety, category } = profile;
  return (
    (tags.length === 0 || tags.some((tag) => row.tags.includes(tag))) &&
    (safety?.includes(row.annotations.safetyLevel) ?? true) &&
    (category?.includes(row.category) ?? true)
  );
}

/** The hint suggests only names that the plug-in lists for the same request. */
function notProvided({ failure, isLate, tools }: Provided, server: string, tool: string): Refused {
  if (failure) return { kind: 'refuse', failure, because: 'plug-in' };
  const place = { server, tool };
  if (isLate) {
    const hint = 'Try again in a moment.';
    return refuse('TOOL_NOT_FOUND', `"${server}" has not listed its tools yet.`, { ...place, hint }, 'plug-in');
  }
  const hint = hintForTool(tool, [...tools]);
  const message = `The server "${server}" has no tool "${tool}" for this client.`;
  return refuse('TOOL_NOT_FOUND', message, { ...place, ...(hint && { hint }) }, 'plug-in');
}
