/** One live connection to a server, from its resolved configuration to the finished handshake. */
import { SseError, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { fail, GatehouseError } from '../../../shared/failure.ts';
import type { Phase } from '../../../shared/model.ts';
import type { Host } from '../host.ts';
import type { ResolvedConnection } from '../secrets/secrets.ts';
import { createHttpTransport, explainHttp, httpStatus } from './http-transport.ts';
import { createPeer, type Peer } from './peer.ts';
import { UpstreamRpcError } from './rpc-error.ts';
import { erasToTry, handshakeTimeout, mayBeOtherEra, shakeHands, unsupportedVersion, type Wire } from './session.ts';
import { createStdioTransport, type StdioTransport } from './stdio-transport.ts';
import type { Era, HttpAuthorization, Params, Tuning, UpstreamInfo, UpstreamOptions } from './types.ts';

export interface Connection {
  readonly info: UpstreamInfo;
  readonly wire: Wire;
  readonly pid: number | undefined;
  readonly peer: Peer;
  /** Ends it for good; resolves when no process is left. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  host: Host;
  server: string;
  connection: ResolvedConnection;
  tuning: Tuning;
  remembered: Era | undefined;
  authorization: HttpAuthorization | undefined;
  onAsk: UpstreamOptions['onAsk'];
  onPhase(phase: Phase, pid?: number): void;
  onWarning(kind: string, message: string): void;
  /** Takes the secrets of the connection out of what the server says. */
  conceal(text: string): string;
  onNotification(method: string, params: Params): void;
  /** The connection ended by itself, after it was handed out. */
  onLost(reason: Error): void;
  /** Aborted by stop(): the start is given up and nothing is left behind. */
  signal: AbortSignal;
}

/** Tries wire kinds and eras in turn. Whatever fails is closed before the next is tried, and before this rejects. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { connection } = options;
  if (connection.type === 'stdio') return connectOver('stdio', options);
  if (connection.type === 'sse') return connectOver('sse', options);
  try {
    return await connectOver('streamable', options);
  } catch (error) {
    // Servers older than 2025-03-26 know no POST at this address and want the SSE transport.
    const status = httpStatus(error instanceof Error ? error.cause : error);
    if (status !== 404 && status !== 405) throw error;
    try {
      return await connectOver('sse', options);
    } catch {
      throw error;
    }
  }
}

async function connectOver(wire: Wire, options: ConnectOptions): Promise<Connection> {
  const { host, server, tuning, remembered, signal } = options;
  const eras = erasToTry(wire, remembered);
  let attempt: Attempt | undefined;
  const errors = new Map<Era, unknown>();
  for (const [index, era] of eras.entries()) {
    try {
      // After a refusal the same process or session serves the other era too, unless it ended.
      if (attempt?.closed !== undefined) attempt = undefined;
      attempt ??= await open(wire, options);
      options.onPhase('session', attempt.pid());
      const timeoutMs = handshakeTimeout(era, remembered, index === 0, tuning);
      const { peer, transport } = attempt;
      const info = await shakeHands(era, { peer, transport, server, version: host.version, timeoutMs });
      return handOut(attempt, wire, info, options);
    } catch (error) {
      const reason = attempt?.closed ?? error;
      errors.set(era, reason);
      const isLast = index === eras.length - 1;
      if (isLast || signal.aborted || !mayBeOtherEra(reason, era)) {
        await attempt?.close();
        throw signal.aborted ? stopped(server) : clarify(isLast ? tellingOf(errors) : reason, server);
      }
    }
  }
  throw new Error('unreachable: there is always an era to try');
}

interface Attempt {
  transport: Transport;
  peer: Peer;
  pid(): number | undefined;
  /** Why it ended, once it has. */
  closed: Error | undefined;
  handedOut: boolean;
  /** Replaced once the connection is handed out. */
  onLost: (reason: Error) => void;
  close(): Promise<void>;
}

async function open(wire: Wire, options: ConnectOptions): Promise<Attempt> {
  const { host, server, connection, tuning, signal } = options;
  const stdio =
    connection.type === 'stdio'
      ? createStdioTransport({
          ...{ host, server, connection, tuning },
          conceal: options.conceal,
          onWarning: options.onWarning,
        })
      : undefined;
  const transport: Transport =
    stdio ??
    createHttpTransport(
      { server, connection: connection as HttpConnection, authorization: options.authorization },
      wire === 'sse' ? 'sse' : 'streamable',
    );
  const explain = explainer(stdio, options);
  const peer = createPeer(transport, {
    server,
    onNotification: options.onNotification,
    onAsk: options.onAsk,
    explain,
    onError(error) {
      host.log('debug', options.conceal(explain(error).message));
      // The stream would open again by itself, but as a new session that has not been initialized.
      if (error instanceof SseError && attempt.handedOut) peer.close(explain(error));
    },
    onClose(reason) {
      attempt.closed ??= reason;
      attempt.onLost(attempt.closed);
    },
    closeReason: () => stdio?.failure,
  });
  const attempt: Attempt = {
    transport,
    peer,
    pid: () => stdio?.pid,
    closed: undefined,
    handedOut: false,
    onLost: () => {},
    async close() {
      signal.removeEventListener('abort', onAbort);
      const wasClosed = attempt.closed !== undefined;
      peer.close(attempt.closed ?? stopped(server));
      if (!wasClosed && transport instanceof StreamableHTTPClientTransport) await sayGoodbye(transport);
      await transport.close();
    },
  };
  const onAbort = () => void attempt.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) throw stopped(server);
    await withTimeout(transport.start(), tuning.startTimeoutMs, server);
    return attempt;
  } catch (error) {
    await attempt.close();
    throw explain(error);
  }
}

/** Ends the session on the server, which otherwise keeps it in memory; a server that does not answer is not waited for. */
async function sayGoodbye(transport: StreamableHTTPClientTransport): Promise<void> {
  const moment = new Promise<void>((resolve) => setTimeout(resolve, 1_000).unref());
  await Promise.race([transport.terminateSession().catch(() => {}), moment]);
}

function handOut(attempt: Attempt, wire: Wire, info: UpstreamInfo, options: ConnectOptions): Connection {
  if (attempt.closed) throw attempt.closed;
  let closing = false;
  attempt.handedOut = true;
  attempt.onLost = (reason) => {
    if (!closing) options.onLost(reason);
  };
  return {
    info,
    wire,
    pid: attempt.pid(),
    peer: attempt.peer,
    async close() {
      closing = true;
      await attempt.close();
    },
  };
}

type HttpConnection = Extract<ResolvedConnection, { type: 'http' | 'sse' }>;

function explainer(
  stdio: StdioTransport | undefined,
  { server, connection }: ConnectOptions,
): (error: unknown) => Error {
  return (error) => {
    if (error instanceof GatehouseError || error instanceof UpstreamRpcError) return error;
    if (connection.type !== 'stdio') return explainHttp(error, server, connection.url);
    if (stdio?.failure) return stdio.failure;
    const message = `"${server}": ${error instanceof Error ? error.message : String(error)}`;
    return fail('SERVER_CRASHED', message, { server });
  };
}

async function withTimeout(work: Promise<void>, timeoutMs: number, server: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(fail('SERVER_TIMEOUT', `"${server}" could not be connected within ${timeoutMs} ms.`, { server })),
      timeoutMs,
    );
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Most servers are legacy, so what `initialize` met says more, unless the server said that it is too new for it. */
function tellingOf(errors: Map<Era, unknown>): unknown {
  const legacy = errors.get('legacy');
  const isTooNew = legacy instanceof UpstreamRpcError && legacy.code === unsupportedVersion;
  return isTooNew ? (errors.get('modern') ?? legacy) : (legacy ?? errors.get('modern'));
}

/** A JSON-RPC error as answer to the handshake is a failure of the server, not a result for a caller. */
function clarify(error: unknown, server: string): unknown {
  if (!(error instanceof UpstreamRpcError)) return error;
  const message = `"${server}" refused the handshake: ${error.message} (JSON-RPC ${error.code}).`;
  return fail('SERVER_PROTOCOL_ERROR', message, {
    server,
    hint: 'It may speak a protocol version unknown to Gatehouse.',
  });
}

export function stopped(server: string): GatehouseError {
  return fail('CANCELLED', `"${server}" was stopped.`, { server });
}
