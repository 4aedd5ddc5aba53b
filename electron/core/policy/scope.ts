/** Limits a client to the servers and tools of its scope, whether they may run or not. */
import { ToolkeepError } from '../../../shared/failure.ts';
import type { ApprovalNeed } from '../../../shared/model/tool.ts';
import type { Scope } from '../types.ts';
import { wantedOf } from './decide/need.ts';
import { isPartial, reachProfile, reachServer, reachTool } from './decide/reach.ts';
import type { State } from './rows.ts';
import type { Refused } from './verdict.ts';

export type Scopes = ReturnType<typeof createScopes>;

export function createScopes(state: () => State) {
  const hasServer = (scope: Scope, server: string): boolean =>
    (scope.server === undefined && scope.client === undefined && scope.profile === undefined) ||
    reachServer(state(), scope, server) === undefined;

  function require(refused: Refused | undefined): void {
    if (refused) throw new ToolkeepError(refused.failure);
  }

  return {
    hasServer,
    /** Includes tools that only an app may call. */
    hasTool: (scope: Scope, { server, name }: { server: string; name: string }): boolean =>
      hasServer(scope, server) &&
      !reachTool(state(), { scope, server, tool: name, mayBeApp: true }, state().tools.get(server, name)),
    /** Whether calls of this tool by the client need approval; undefined if there is no such tool. */
    needOf(scope: Scope, server: string, tool: string): ApprovalNeed | undefined {
      const row = state().tools.get(server, tool);
      const call = { caller: { id: '', name: '', scope }, server, tool, now: Date.now(), facts: {} };
      return row && wantedOf(state(), call, row).need;
    },
    /** True if the scope has only some of the server's tools or, without `server`, only some of any server's tools. */
    isPartial: (scope: Scope, server?: string): boolean =>
      (scope.client !== undefined || scope.profile !== undefined || scope.provided !== undefined) &&
      isPartial(state(), scope, server),
    /** Throws PROFILE_NOT_FOUND if the scope's profile no longer exists. */
    requireProfile: (scope: Scope): void => require(reachProfile(state(), scope)),
    /** Throws SERVER_NOT_FOUND, PROFILE_NOT_FOUND, NOT_IN_PROFILE or TOOL_DISABLED. */
    requireServer: (scope: Scope, server: string): void => require(reachServer(state(), scope, server)),
    /** Throws like `requireServer`, or the reason why the client cannot reach the tool. */
    requireTool(scope: Scope, server: string, tool: string): void {
      require(reachServer(state(), scope, server));
      const refused = reachTool(state(), { scope, server, tool }, state().tools.get(server, tool));
      // The caller finds similar names.
      if (refused?.because !== 'name') require(refused);
    },
  };
}
