/** The options of a client's connection: mode, profile and single server, from its command line or its URL. */
import type { Mode } from '../../../shared/model/call.ts';
import type { Profile } from '../../../shared/model/profile.ts';
import { profileNotFound } from '../policy/scope.ts';
import type { Scope } from '../types.ts';
import type { GatewayServices } from './services.ts';

export interface SessionRequest {
  mode?: Mode;
  server?: string;
  profile?: string;
}

/** A bridge's description of its client. */
export interface BridgeClient extends SessionRequest {
  client?: string;
  cwd?: string;
}

export interface SessionOptions {
  mode: Mode;
  scope: Scope;
  /** Equal options have equal keys. */
  key: string;
}

type FindProfile = (name: string) => Profile | undefined;

/** The mode is the requested one, else the profile's, else lazy. */
export function sessionOptions(findProfile: FindProfile, { mode, server, profile }: SessionRequest): SessionOptions {
  const chosen = mode ?? (profile === undefined ? undefined : findProfile(profile)?.mode) ?? 'lazy';
  return { mode: chosen, scope: { server, profile }, key: JSON.stringify([chosen, server, profile]) };
}

/** Why a client with these options cannot be served; undefined if it can. */
export function sessionRefusal(
  { findProfile, servers }: Pick<GatewayServices, 'findProfile' | 'servers'>,
  { profile, server }: SessionRequest,
): string | undefined {
  if (profile !== undefined && !findProfile(profile))
    return `${profileNotFound(profile).message} See \`gatehouse profiles\`.`;
  if (server === undefined || servers.views({}).some(({ id }) => id === server)) return undefined;
  return `There is no server ${JSON.stringify(server)}. See \`gatehouse list\`.`;
}
