/** Decides what a client with a scope may reach: one server, or the servers and tagged tools of a profile. */
import { fail, type GatehouseError } from '../../../shared/failure.ts';
import type { Profile } from '../../../shared/model/profile.ts';
import type { Scope } from '../types.ts';

export interface Scopes {
  hasServer(scope: Scope, server: string): boolean;
  hasTool(scope: Scope, tool: { server: string; tags: readonly string[] }): boolean;
  /** True if tags decide which tools the scope has. */
  hasTags(scope: Scope): boolean;
  /** Throws PROFILE_NOT_FOUND if the scope's profile no longer exists. */
  requireProfile(scope: Scope): void;
  /** Throws SERVER_NOT_FOUND, NOT_IN_PROFILE or PROFILE_NOT_FOUND. */
  requireServer(scope: Scope, server: string): void;
  /**
   * Throws like `requireServer`. `tags` are those of the tool; undefined if the server has no such tool, which gets the
   * same error, because a "did you mean" would reveal tools outside the profile.
   */
  requireTool(scope: Scope, server: string, tool: string, tags: () => readonly string[] | undefined): void;
}

export function createScopes(findProfile: (name: string) => Profile | undefined): Scopes {
  /** Undefined if the scope has no profile, null if its profile no longer exists. */
  const profileOf = ({ profile }: Scope) => (profile === undefined ? undefined : (findProfile(profile) ?? null));

  function hasServer(scope: Scope, server: string): boolean {
    if (scope.server !== undefined && scope.server !== server) return false;
    const profile = profileOf(scope);
    if (profile === undefined) return true;
    return profile !== null && (profile.servers.length === 0 || profile.servers.includes(server));
  }

  function hasTags(scope: Scope, tags: readonly string[]): boolean {
    const profile = profileOf(scope);
    if (profile === undefined) return true;
    return profile !== null && (profile.tags.length === 0 || profile.tags.some((tag) => tags.includes(tag)));
  }

  function outside(scope: Scope, what: string, place: { server: string; tool?: string }): GatehouseError {
    if (profileOf(scope) === null) return profileNotFound(scope.profile);
    return fail('NOT_IN_PROFILE', `${what} is not in the profile "${scope.profile}" of this client.`, place);
  }

  function requireServer(scope: Scope, server: string): void {
    if (hasServer(scope, server)) return;
    if (scope.server !== undefined && scope.server !== server)
      throw fail('SERVER_NOT_FOUND', `This connection reaches only "${scope.server}".`, { server });
    throw outside(scope, `The server "${server}"`, { server });
  }

  return {
    hasServer,
    hasTool: (scope, { server, tags }) => hasServer(scope, server) && hasTags(scope, tags),
    hasTags: (scope) => (profileOf(scope)?.tags.length ?? 0) > 0,
    requireProfile(scope) {
      if (profileOf(scope) === null) throw profileNotFound(scope.profile);
    },
    requireServer,
    requireTool(scope, server, tool, tags) {
      requireServer(scope, server);
      if ((profileOf(scope)?.tags.length ?? 0) === 0) return;
      const known = tags();
      if (!known || !hasTags(scope, known)) throw outside(scope, `The tool "${tool}"`, { server, tool });
    },
  };
}

export function profileNotFound(name: string | undefined): GatehouseError {
  return fail('PROFILE_NOT_FOUND', `There is no profile "${name}".`);
}
