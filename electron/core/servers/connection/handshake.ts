/** The handshake in both protocol eras, and the order in which to try them. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LATEST_PROTOCOL_VERSION,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  type Transport,
} from '@modelcontextprotocol/client';
import { fail } from '../../../../shared/failure.ts';
import { isObject } from '../../../../shared/is-object.ts';
import { textFrom } from '../../../../shared/text-from.ts';
import { RpcError } from '../../jsonrpc/rpc-error.ts';
import { declaredExtensions } from '../../tools/apps.ts';
import { declaredIcons } from '../../tools/declared-icons.ts';
import type { Era, Params, ServerInfo, Tuning } from '../types.ts';
import type { JsonRpcPeer } from './json-rpc-peer.ts';

const modernVersion = '2026-07-28';
/** The JSON-RPC code for an unsupported protocol version. */
export const unsupportedVersion = -32022;

/** Client capabilities. Each of these requests reaches the caller's `onServerRequest` or is declined. */
const capabilities = {
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  sampling: {},
  extensions: declaredExtensions,
};

export type Wire = 'stdio' | 'streamable' | 'sse';

/**
 * The eras to try, most likely and cheapest first. An unknown stdio server gets `initialize` first: a server that
 * supports both eras answers it, and a modern one refuses it immediately, whereas many legacy servers hang or exit on
 * any request before `initialize`. Over HTTP, a wrong guess costs only one refused POST, so modern is tried first.
 */
export function erasToTry(wire: Wire, lastEra: Era | undefined): Era[] {
  if (wire === 'sse') return ['legacy'];
  const first = lastEra ?? (wire === 'stdio' ? 'legacy' : 'modern');
  return first === 'legacy' ? ['legacy', 'modern'] : ['modern', 'legacy'];
}

/** Runs one handshake. Rejects like `JsonRpcPeer.request`, and with SERVER_PROTOCOL_ERROR for an invalid response. */
export async function shakeHands(
  era: Era,
  { peer, transport, server, version, timeoutMs }: HandshakeOptions,
): Promise<ServerInfo> {
  const clientInfo = { name: 'toolkeep', title: 'Toolkeep', version };
  if (era === 'legacy') {
    const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities, clientInfo };
    peer.use('legacy', undefined);
    const result = await peer.request({ method: 'initialize', params, timeoutMs });
    if (typeof result.protocolVersion !== 'string' || !isObject(result.capabilities)) {
      throw invalidResponse(server, 'initialize', 'protocolVersion and capabilities');
    }
    transport.setProtocolVersion?.(result.protocolVersion);
    await peer.notify('notifications/initialized');
    return info('legacy', result.protocolVersion, result, result.serverInfo);
  }
  peer.use('modern', {
    [PROTOCOL_VERSION_META_KEY]: modernVersion,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  });
  const result = await peer.request({ method: 'server/discover', params: {}, timeoutMs });
  const versions = result.supportedVersions;
  if (!Array.isArray(versions) || !isObject(result.capabilities)) {
    throw invalidResponse(server, 'server/discover', 'supportedVersions and capabilities');
  }
  if (!versions.includes(modernVersion))
    throw new RpcError(unsupportedVersion, 'No common protocol version', { versions });
  transport.setProtocolVersion?.(modernVersion);
  return info('modern', modernVersion, result, isObject(result._meta) ? result._meta[SERVER_INFO_META_KEY] : undefined);
}

export interface HandshakeOptions {
  peer: JsonRpcPeer;
  transport: Transport;
  server: string;
  /** Toolkeep's version. */
  version: string;
  timeoutMs: number;
}

/** Timeout of the handshake for `era`; probing a second era gets less time. */
export function handshakeTimeout(era: Era, lastEra: Era | undefined, isFirst: boolean, tuning: Tuning): number {
  const isGuess = !isFirst || (era === 'modern' && lastEra !== 'modern');
  return isGuess && era === 'modern' ? Math.min(tuning.probeTimeoutMs, tuning.startTimeoutMs) : tuning.startTimeoutMs;
}

function info(era: Era, protocolVersion: string, result: Params, serverInfo: unknown): ServerInfo {
  const named = isObject(serverInfo) && typeof serverInfo.name === 'string';
  return {
    era,
    protocolVersion,
    capabilities: result.capabilities as Params,
    serverInfo: named
      ? {
          name: String(serverInfo.name),
          version: textFrom(serverInfo.version ?? ''),
          icons: declaredIcons(serverInfo.icons),
        }
      : undefined,
    instructions: typeof result.instructions === 'string' ? result.instructions : undefined,
  };
}

function invalidResponse(server: string, method: string, wanted: string): Error {
  return fail('SERVER_PROTOCOL_ERROR', `The response of "${server}" to ${method} must have ${wanted}.`, { server });
}
