/** The handshake in either protocol era, and which era to try first. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LATEST_PROTOCOL_VERSION,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  type Transport,
} from '@modelcontextprotocol/client';
import { fail, GatehouseError } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import { httpStatus } from './http-transport.ts';
import type { Peer } from './peer.ts';
import { UpstreamRpcError } from './rpc-error.ts';
import type { Era, Params, Tuning, UpstreamInfo } from './types.ts';

const modernVersion = '2026-07-28';
/** JSON-RPC code by which a server says that it does not speak the version asked for. */
export const unsupportedVersion = -32022;

/** What Gatehouse can be asked. Every one of these reaches the caller's `onAsk` or is declined. */
const capabilities = { elicitation: { form: {}, url: {} }, roots: { listChanged: true }, sampling: {} };

export type Wire = 'stdio' | 'streamable' | 'sse';

/**
 * The eras to try, likeliest and cheapest first. A stdio server of which nothing is known gets `initialize` first: one
 * that speaks both answers it, one that speaks only modern refuses it at once, while many legacy ones hang or exit on a
 * request before `initialize`. Over HTTP a wrong guess costs one refused POST, so modern goes first there.
 */
export function erasToTry(wire: Wire, remembered: Era | undefined): Era[] {
  if (wire === 'sse') return ['legacy'];
  const first = remembered ?? (wire === 'stdio' ? 'legacy' : 'modern');
  return first === 'legacy' ? ['legacy', 'modern'] : ['modern', 'legacy'];
}

/** Runs one handshake. Rejects as `Peer.request` does, and with SERVER_PROTOCOL_ERROR for a nonsensical answer. */
export async function shakeHands(
  era: Era,
  { peer, transport, server, version, timeoutMs }: HandshakeOptions,
): Promise<UpstreamInfo> {
  const clientInfo = { name: 'gatehouse', title: 'Gatehouse', version };
  if (era === 'legacy') {
    const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities, clientInfo };
    peer.use('legacy', undefined);
    const result = await peer.request({ method: 'initialize', params, timeoutMs });
    if (typeof result.protocolVersion !== 'string' || !isObject(result.capabilities)) {
      throw nonsense(server, 'initialize', 'protocolVersion and capabilities');
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
    throw nonsense(server, 'server/discover', 'supportedVersions and capabilities');
  }
  if (!versions.includes(modernVersion))
    throw new UpstreamRpcError(unsupportedVersion, 'No common protocol version', { versions });
  transport.setProtocolVersion?.(modernVersion);
  return info('modern', modernVersion, result, isObject(result._meta) ? result._meta[SERVER_INFO_META_KEY] : undefined);
}

export interface HandshakeOptions {
  peer: Peer;
  transport: Transport;
  server: string;
  /** Of Gatehouse. */
  version: string;
  timeoutMs: number;
}

/** How long the handshake of `era` may take; as a mere second guess it gets less. */
export function handshakeTimeout(era: Era, remembered: Era | undefined, isFirst: boolean, tuning: Tuning): number {
  const isGuess = !isFirst || (era === 'modern' && remembered !== 'modern');
  return isGuess && era === 'modern' ? Math.min(tuning.probeTimeoutMs, tuning.startTimeoutMs) : tuning.startTimeoutMs;
}

/** Whether this failure of a handshake may only mean "not in this era". */
export function mayBeOtherEra(error: unknown, tried: Era): boolean {
  if (error instanceof UpstreamRpcError) return true;
  const status = httpStatus(error instanceof Error ? (error.cause ?? error) : error);
  if (status !== undefined) return ![401, 403, 429].includes(status) && !(status >= 300 && status < 400);
  if (!(error instanceof GatehouseError)) return false;
  const { code } = error.failure;
  // Silence, an odd answer or an exit on `server/discover` is how many legacy servers say that they do not know it.
  if (tried === 'modern') return ['SERVER_TIMEOUT', 'SERVER_PROTOCOL_ERROR', 'SERVER_CRASHED'].includes(code);
  return code === 'SERVER_TIMEOUT';
}

function info(era: Era, protocolVersion: string, result: Params, serverInfo: unknown): UpstreamInfo {
  const named = isObject(serverInfo) && typeof serverInfo.name === 'string';
  return {
    era,
    protocolVersion,
    capabilities: result.capabilities as Params,
    ...(named ? { serverInfo: { name: String(serverInfo.name), version: String(serverInfo.version ?? '') } } : {}),
    ...(typeof result.instructions === 'string' ? { instructions: result.instructions } : {}),
  };
}

function nonsense(server: string, method: string, wanted: string): Error {
  return fail('SERVER_PROTOCOL_ERROR', `"${server}" answered ${method} without ${wanted}.`, { server });
}
