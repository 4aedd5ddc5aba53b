/** The shared context of HTTP clients of both eras: their services, and the options that belong to one token. */
import { identityOfToken, nameOfToken } from '../client-names.ts';
import type { TokenAccess } from '../request-guard.ts';
import type { ClientSession, GatewayServices } from '../services.ts';
import type { SessionOptions } from '../session-options.ts';
import type { ConnectionCount } from '../sessions/connection-count.ts';
import type { InputRequiredCalls } from '../sessions/input-required.ts';
import type { ClientInfo } from '../sessions/session.ts';

export interface HttpContext {
  services: GatewayServices;
  inputRequired: InputRequiredCalls;
  connections: ConnectionCount;
  version: string;
  onError(error: Error): void;
}

/** The options of one token's sessions. Different tokens never share a session or handler. */
export interface TokenSessionOptions extends SessionOptions {
  access: TokenAccess;
}

export function withToken(options: SessionOptions, access: TokenAccess): TokenSessionOptions {
  return { ...options, access, key: JSON.stringify([access.id, options.key]) };
}

export function toHttpSession(
  { name, version = '', ...rest }: ClientInfo,
  id: string,
  { mode, readTool, scope, access }: TokenSessionOptions,
): ClientSession {
  const identity = identityOfToken(access.id);
  const about = { name: nameOfToken(access.name, name), stated: name, version, identity };
  const token = access.name;
  return { ...rest, ...about, id, transport: 'http', token, mode, readTool, scope: { ...scope, client: token } };
}

/** Milliseconds without requests after which a client without an open event stream counts as disconnected. */
export const silentMs = 10 * 60_000;

/** The answer to requests in progress when the user revokes or rotates their token. */
export const tokenRevoked = { code: -32001, message: 'The user revoked the token of this client.' };
