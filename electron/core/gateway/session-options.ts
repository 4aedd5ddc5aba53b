/** The options of a client's connection: mode, profile and single server, from its command line or its URL. */
import type { Mode } from '../../../shared/model/call.ts';
import type { Profile } from '../../../shared/model/profile.ts';
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
  bridge?: string;
}

export interface SessionOptions {
  mode: Mode;
  /** Whether the client gets `read_tool` in addition to `execute_tool`. */
  readTool: boolean;
  scope: Scope;
  /** Equal options have equal keys. */
  key: string;
}

type FindProfile = (name: string) => Profile | undefined;

/** Uses the requested mode, else the profile's, else `lazy`. Chooses `read_tool` in the same way; its default is false. */
export function sessionOptions(findProfile: FindProfile, request: SessionRequest): SessionOptions {
  const { server, profile } = request;
  const preset = profile === undefined ? undefined : findProfile(profile);
  const mode = request.mode ?? preset?.mode ?? 'lazy';
  const readTool = request.readTool ?? preset?.readTool ?? false;
  return { mode, readTool, scope: { server, profile }, key: JSON.stringify([mode, readTool, server, profile]) };
}

/** The reason why a client with these options cannot be served; undefined if it can be. */
export function sessionRefusal(
  { findProfile, servers }: Pick<GatewayServices, 'findProfile' | 'servers'>,
  { profile, server }: SessionRequest,
): string | undefined {
  if (profile !== undefined && !findProfile(profile))
    return `There is no profile "${profile}". See \`toolkeep profiles\`.`;
  if (server === undefined || servers.views({}).some(({ id }) => id === server)) return undefined;
  return `There is no server ${JSON.stringify(server)}. See \`toolkeep list\`.`;
}
