/** The options of a client's connection: mode, profile and single server, from its command line or its URL. */
import type { Mode } from '../../../shared/model/call.ts';
import type { Profile } from '../../../shared/model/profile.ts';
import { profileNotFound } from '../policy/scope.ts';
import type { Scope } from '../types.ts';
import type { GatewayServices } from './services.ts';

export interface SessionRequest {
  mode?: Mode;
  readTool?: boolean;
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
  /** Offers `read_tool` beside `execute_tool`. */
  readTool: boolean;
  scope: Scope;
  /** Equal options have equal keys. */
  key: string;
}

type FindProfile = (name: string) => Profile | undefined;

/** The mode is the requested one, else the profile's, else lazy; so is the choice of `read_tool`. */
export function sessionOptions(findProfile: FindProfile, request: SessionRequest): SessionOptions {
  const { server, profile } = request;
  const preset = profile === undefined ? undefined : findProfile(profile);
  const mode = request.mode ?? preset?.mode ?? 'lazy';
  const readTool = request.readTool ?? preset?.readTool ?? false;
  return { mode, readTool, scope: { server, profile }, key: JSON.stringify([mode, readTool, server, profile]) };
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
