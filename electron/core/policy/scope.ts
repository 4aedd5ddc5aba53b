/**
 * Decides what a client with a scope may reach: one server, the servers and tools of a profile, what the rules for the client
 * leave, and the tools that plug-ins list.
 */
import { fail, ToolkeepError } from '../../../shared/failure.ts';
import type { Profile } from '../../../shared/model/profile.ts';
import type { Tool } from '../../../shared/model/tool.ts';
import { didYouMean } from '../search/similar-names.ts';
import type { Provided, Scope } from '../types.ts';

/** The part of a tool that scopes depend on. */
export interface ScopedTool extends Pick<Tool, 'server' | 'name' | 'category'> {
  tags: readonly string[];
  annotations: Pick<Tool['annotations'], 'safetyLevel'>;
}

export type Scopes = ReturnType<typeof createScopes>;

/** The limits that rules set for one client. */
interface ClientLimits {
  deniesServer(server: string): boolean;
  denies(tool: Pick<Tool, 'server' | 'name' | 'category'> & { safety: Tool['annotations']['safetyLevel'] }): boolean;
}

export function createScopes(
  findProfile: (name: string) => Profile | undefined,
  limitsOf: (client: string) => ClientLimits | undefined = () => undefined,
) {
  /** Undefined if the scope has no profile, null if its profile no longer exists. */
  const profileOf = ({ profile }: Scope) => (profile === undefined ? undefined : (findProfile(profile) ?? null));

  const rulesOf = ({ client }: Scope) => (client === undefined ? undefined : limitsOf(client));
  const isDenied = (scope: Scope, { server, name, annotations, category }: ScopedTool) =>
    rulesOf(scope)?.denies({ server, name, safety: annotations.safetyLevel, category }) ?? false;

  function hasServer(scope: Scope, server: string): boolean {
    if (scope.server !== undefined && scope.server !== server) return false;
    if (scope.client !== undefined && rulesOf(scope)?.deniesServer(server)) return false;
    const profile = profileOf(scope);
    if (profile === undefined) return true;
    return profile !== null && (profile.servers.length === 0 || profile.servers.includes(server));
  }

  function isSelected(scope: Scope, tool: ScopedTool): boolean {
    if (isDenied(scope, tool)) return false;
    const { tags, annotations, category } = tool;
    const profile = profileOf(scope);
    if (!profile) return profile === undefined;
    const isTagged = profile.tags.length === 0 || profile.tags.some((tag) => tags.includes(tag));
    const isOfLevel = profile.safety?.includes(annotations.safetyLevel) ?? true;
    return isTagged && isOfLevel && (profile.category?.includes(category) ?? true);
  }

  const selectsTools = (scope: Scope) => {
    const { tags = [], safety, category } = profileOf(scope) ?? {};
    const byProfile = tags.length > 0 || safety !== undefined || category !== undefined;
    return byProfile || (scope.client !== undefined && rulesOf(scope) !== undefined);
  };

  const isProvided = ({ provided }: Scope, server: string, tool: string) =>
    provided?.get(server)?.tools.has(tool) ?? true;

  function outside(
    scope: Scope,
    what: string,
    place: { server: string; tool?: string },
    isByRule: boolean | undefined,
  ): ToolkeepError {
    if (profileOf(scope) === null) return profileNotFound(scope.profile);
    if (isByRule) return fail('TOOL_DISABLED', `${what} is disabled for this client by the user's rules.`, place);
    return fail('NOT_IN_PROFILE', `${what} is not in the profile "${scope.profile}" of this client.`, place);
  }

  /** Throws SERVER_NOT_FOUND, NOT_IN_PROFILE or PROFILE_NOT_FOUND. */
  function requireServer(scope: Scope, server: string): void {
    if (hasServer(scope, server)) return;
    if (scope.server !== undefined && scope.server !== server)
      throw fail('SERVER_NOT_FOUND', `This connection reaches only "${scope.server}".`, { server });
    throw outside(scope, `The server "${server}"`, { server }, rulesOf(scope)?.deniesServer(server));
  }

  return {
    hasServer,
    hasTool: (scope: Scope, tool: ScopedTool): boolean =>
      hasServer(scope, tool.server) && isSelected(scope, tool) && isProvided(scope, tool.server, tool.name),
    /** True if the scope has only some of the server's tools or, without `server`, only some of any server's tools. */
    isPartial: (scope: Scope, server?: string): boolean =>
      selectsTools(scope) ||
      (server === undefined ? (scope.provided?.size ?? 0) > 0 : scope.provided?.has(server) === true),
    /** Throws PROFILE_NOT_FOUND if the scope's profile no longer exists. */
    requireProfile(scope: Scope): void {
      if (profileOf(scope) === null) throw profileNotFound(scope.profile);
    },
    requireServer,
    /**
     * Throws like `requireServer`, or TOOL_DISABLED for what the rules for the client disable. A tool that does not exist
     * (`find` returns undefined) gets the same error as one outside the profile, because a "did you mean" would reveal
     * tools outside the profile. Throws TOOL_NOT_FOUND, or the plug-in's failure, for a tool that a plug-in does not list
     * for this request.
     */
    requireTool(scope: Scope, server: string, tool: string, find: () => ScopedTool | undefined): void {
      requireServer(scope, server);
      if (!isProvided(scope, server, tool)) throw notProvided(scope.provided?.get(server), server, tool);
      if (!selectsTools(scope)) return;
      const known = find();
      if (!known || !isSelected(scope, known))
        throw outside(scope, `The tool "${tool}"`, { server, tool }, known && isDenied(scope, known));
    },
  };
}

export function profileNotFound(name: string | undefined): ToolkeepError {
  return fail('PROFILE_NOT_FOUND', `There is no profile "${name}".`);
}

/** The hint suggests only names that the plug-in lists for the same request. */
function notProvided(provided: Provided | undefined, server: string, tool: string): ToolkeepError {
  if (provided?.failure) return new ToolkeepError(provided.failure);
  if (provided?.isLate)
    return fail('TOOL_NOT_FOUND', `"${server}" has not listed its tools yet.`, {
      server,
      tool,
      hint: 'Try again in a moment.',
    });
  const hint = didYouMean(tool, provided?.tools ?? []);
  const message = `The server "${server}" has no tool "${tool}" for this client.`;
  return fail('TOOL_NOT_FOUND', message, { server, tool, hint });
}
