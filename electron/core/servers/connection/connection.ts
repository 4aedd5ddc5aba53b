/** One live connection to a server, from its resolved configuration to the completed handshake. */
import { delimiter } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SseError, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { fail, ToolkeepError } from '../../../../shared/failure.ts';
import type { Phase } from '../../../../shared/model/server.ts';
import { messageOf } from '../../../../shared/text-from.ts';
import { withDeadline } from '../../async/deadline.ts';
import { RpcError } from '../../jsonrpc/rpc-error.ts';
import type { ResolvedConnection } from '../../secrets/resolve.ts';
import type { ConnectionLog } from '../server-log.ts';
import type { Era, HttpAuthorization, Params, ServerHandleOptions, ServerInfo } from '../types.ts';
import { mayBeOtherEra } from './failure-kind.ts';
import { erasToTry, handshakeTimeout, shakeHands, unsupportedVersion, type Wire } from './handshake.ts';
import { createHttpTransport, explainHttp, httpStatus } from './http-transport.ts';
import { JsonRpcPeer } from './json-rpc-peer.ts';
import { differsIn } from './program-that-ran.ts';
import { createStdioTransport, type StdioOptions, type StdioTransport } from './stdio-transport.ts';

export interface Connection {
  readonly info: ServerInfo;
  readonly wire: Wire;
  readonly pid: number | undefined;
  /** Whether its process was started confined. */
  readonly isConfined: boolean;
  /** Whether the server keeps a session, which it may lose. */
  readonly hasSession: boolean;
  readonly peer: JsonRpcPeer;
  /** Resolves when every process has exited. */
  close(): Promise<void>;
}

export interface ConnectOptions extends Omit<StdioOptions, 'connection' | 'log'> {
  connection: ResolvedConnection;
  /** The era of the last successful handshake. */
  lastEra: Era | undefined;
  authorization: HttpAuthorization | undefined;
  onServerRequest: ServerHandleOptions['onServerRequest'];
  onPhase(phase: Phase, pid?: number): void;
  log: ConnectionLog;
  onNotification(method: string, params: Params): void;
  /** Called if the connection ends unexpectedly after `connect` has resolved. */
  onLost(reason: Error): void;
  /** Aborted by `stop()`: abandons the start and cleans up. */
  signal: AbortSignal;
}

/** Milliseconds for a server to answer the request that ends its session. */
const sessionEndTimeoutMs = 1_000;

/** How often a handshake is repeated for a server that limits the number of requests. */
const maxPauses = 2;

/** Tries wires and eras in turn. Closes each failed attempt before it starts the next one or rejects. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { connection } = options;
  if (connection.type === 'stdio')
    return connectOver('stdio', options).catch((error) => withTerminalPath(error, options, connection));
  if (connection.type === 'sse') return connectOver('sse', options);
  try {
    return await connectOver('streamable', options);
  } catch (error) {
    // Servers older than 2025-03-26 reject a POST to this URL and need the SSE transport.
    const status = httpStatus(error instanceof Error ? error.cause : error);
    if (status !== 404 && status !== 405) throw error;
    try {
      return await connectOver('sse', options);
    } catch {
      throw error;
    }
  }
}

/** Tries a crashed program as the terminal finds it in which Core was started, if that is another one. */
async function withTerminalPath(
  error: unknown,
  options: ConnectOptions,
  connection: Extract<ResolvedConnection, { type: 'stdio' }>,
): Promise<Connection> {
  const { host, limits, signal } = options;
  const { terminalPath, env } = host;
  const isCrash = error instanceof ToolkeepError && error.failure.code === 'SERVER_CRASHED';
  if (!isCrash || limits || signal.aborted || !terminalPath || connection.env.PATH !== undefined) throw error;
  const path = [...new Set([terminalPath, env.PATH ?? ''].flatMap((one) => one.split(delimiter)))].join(delimiter);
  if (!(await differsIn(connection.command, env.PATH ?? '', path))) throw error;
  options.log.add({
    kind: 'state',
    text: 'It crashed with the PATH of the login shell; trying the PATH of the terminal.',
  });
  const other = { ...connection, env: { ...connection.env, PATH: path } };
  return connectOver('stdio', { ...options, connection: other }).catch(() => {
    throw error;
  });
}

async function connectOver(wire: Wire, options: ConnectOptions): Promise<Connection> {
  const { connection, host, server, tuning, lastEra, signal } = options;
  const eras = erasToTry(wire, lastEra);
  let attempt: Attempt | undefined;
  const errors = new Map<Era, unknown>();
  for (const [index, era] of eras.entries()) {
    try {
      // After a refusal, the same process or session can be used for the other era, unless it has ended.
      if (attempt?.closedReason) attempt = undefined;
      attempt ??= await Attempt.open(wire, options);
      options.onPhase('session', attempt.pid);
      const timeoutMs = handshakeTimeout(era, lastEra, index === 0, tuning);
      const { peer, transport } = attempt;
      const shake = () => shakeHands(era, { peer, transport, server, version: host.version, timeoutMs });
      return attempt.finish(await attempt.patiently(shake));
    } catch (error) {
      const reason = attempt?.closedReason ?? error;
      errors.set(era, reason);
      const isLast = index === eras.length - 1;
      if (isLast || signal.aborted || !mayBeOtherEra(reason, { tried: era, lastEra, connection })) {
        await attempt?.close();
        throw signal.aborted ? stopped(server) : handshakeFailure(isLast ? mostInformative(errors) : reason, server);
      }
    }
  }
  throw new Error('unreachable: there is always an era to try');
}

/** An open transport on which handshakes are tried. */
class Attempt {
  readonly transport: Transport;
  readonly peer: JsonRpcPeer;
  readonly #wire: Wire;
  readonly #options: ConnectOptions;
  readonly #stdio: StdioTransport | undefined;
  readonly #onAbort = () => void this.close();
  #closedReason: Error | undefined;
  #isFinished = false;
  #isClosing = false;
  /** How long the server wants to be left alone, in milliseconds. */
  #pauseMs: number | undefined;

  /** Rejects with a failure if the transport cannot be started. */
  static async open(wire: Wire, options: ConnectOptions): Promise<Attempt> {
    const { signal, tuning, server } = options;
    const attempt = new Attempt(wire, options);
    const timeoutError = () =>
      fail('SERVER_TIMEOUT', `Connecting to "${server}" timed out after ${tuning.startTimeoutMs} ms.`, { server });
    try {
      if (signal.aborted) throw stopped(server);
      await withDeadline(tuning.startTimeoutMs, undefined, timeoutError, () => attempt.transport.start());
      return attempt;
    } catch (error) {
      await attempt.close();
      throw attempt.#explain(error);
    }
  }

  private constructor(wire: Wire, options: ConnectOptions) {
    this.#wire = wire;
    this.#options = options;
    const { server, connection } = options;
    if (connection.type === 'stdio') {
      this.#stdio = createStdioTransport({ ...options, connection });
      this.transport = this.#stdio;
    } else {
      const { authorization, tuning } = options;
      this.transport = createHttpTransport(
        {
          server,
          connection,
          authorization,
          maxMessageBytes: tuning.maxLineBytes,
          readTimeoutMs: tuning.readTimeoutMs,
          onRateLimit: (pauseMs) => {
            this.#pauseMs = pauseMs;
          },
        },
        wire === 'sse' ? 'sse' : 'streamable',
      );
    }
    this.peer = new JsonRpcPeer(this.transport, {
      server,
      onNotification: options.onNotification,
      onServerRequest: options.onServerRequest,
      explain: (error) => this.#explain(error),
      onError: (error) => this.#transportFailed(error),
      onClose: (reason) => {
        this.#closedReason ??= reason;
        if (this.#isFinished && !this.#isClosing) options.onLost(this.#closedReason);
      },
      closeReason: () => this.#stdio?.failure,
    });
    this.#receiveMessages();
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Whatever a server sends, it can end only its own connection: a throw in a stream's listener would end Core. */
  #receiveMessages(): void {
    const { onmessage } = this.transport;
    const { log } = this.#options;
    const send = this.transport.send.bind(this.transport);
    this.transport.send = (message, options) => {
      log.message('sent', message as Params);
      return send(message, options);
    };
    this.transport.onmessage = (message, extra) => {
      try {
        log.message('received', message as Params);
        onmessage?.(message, extra);
      } catch (cause) {
        const { server, host } = this.#options;
        host.log('error', `A message of "${server}" failed: ${cause instanceof Error ? cause.stack : 'no reason'}`);
        const text = `"${server}" sent a message that Toolkeep could not process, so it closed the connection.`;
        this.peer.close(fail('SERVER_PROTOCOL_ERROR', text, { server }));
        this.transport.close().catch(() => undefined);
      }
    };
  }

  /** Why the transport closed, once it has. */
  get closedReason(): Error | undefined {
    return this.#closedReason;
  }

  get pid(): number | undefined {
    return this.#stdio?.pid;
  }

  /** Repeats a handshake that the server refused because it limits the number of requests. */
  async patiently(shake: () => Promise<ServerInfo>): Promise<ServerInfo> {
    const { tuning, signal } = this.#options;
    for (let pauses = 0; ; pauses += 1) {
      try {
        return await shake();
      } catch (error) {
        const pauseMs = this.#pauseMs ?? 1_000 * 2 ** pauses;
        const isLimited = httpStatus(error instanceof Error ? error.cause : error) === 429;
        if (!isLimited || pauses === maxPauses || pauseMs > tuning.startTimeoutMs) throw error;
        await sleep(pauseMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** Turns the attempt into a connection after a successful handshake. */
  finish(info: ServerInfo): Connection {
    if (this.#closedReason) throw this.#closedReason;
    this.#isFinished = true;
    const isConfined = this.#stdio?.isConfined === true;
    const [wire, { peer, pid }] = [this.#wire, this];
    const hasSession = info.era === 'legacy' && (wire === 'sse' || this.transport.sessionId !== undefined);
    return { info, wire, pid, isConfined, hasSession, peer, close: () => this.close() };
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    const wasClosed = this.#closedReason !== undefined;
    this.peer.close(this.#closedReason ?? stopped(this.#options.server));
    if (!wasClosed && this.transport instanceof StreamableHTTPClientTransport) await endSession(this.transport);
    await this.transport.close();
  }

  #transportFailed(error: Error): void {
    const { host, redact } = this.#options;
    const failure = this.#explain(error);
    host.log('debug', redact(failure.message));
    // The SDK would reopen the stream, but as a new session without a handshake.
    if (error instanceof SseError && this.#isFinished) this.peer.close(failure);
  }

  #explain(error: unknown): Error {
    const { server, connection } = this.#options;
    if (error instanceof ToolkeepError || error instanceof RpcError) return error;
    if (connection.type !== 'stdio') return explainHttp(error, server, connection.url);
    if (this.#stdio?.failure) return this.#stdio.failure;
    const message = `"${server}": ${messageOf(error)}`;
    return fail('SERVER_CRASHED', message, { server });
  }
}

/** Ends the session on the server, which otherwise keeps it in memory. */
async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  const timeoutError = () => new Error('The server did not end the session in time.');
  await withDeadline(sessionEndTimeoutMs, undefined, timeoutError, () => transport.terminateSession()).catch(() => {});
}

/**
 * Most servers are legacy, so the error from `initialize` is more informative, unless the server reported an
 * unsupported version.
 */
function mostInformative(errors: Map<Era, unknown>): unknown {
  const legacy = errors.get('legacy');
  const isUnsupportedVersion = legacy instanceof RpcError && legacy.code === unsupportedVersion;
  return isUnsupportedVersion ? (errors.get('modern') ?? legacy) : (legacy ?? errors.get('modern'));
}

/** A JSON-RPC error in the handshake is the server's failure, not a result for a caller. */
function handshakeFailure(error: unknown, server: string): unknown {
  if (!(error instanceof RpcError)) return error;
  const message = `"${server}" refused the handshake: ${error.message} (JSON-RPC ${error.code}).`;
  return fail('SERVER_PROTOCOL_ERROR', message, {
    server,
    hint: 'The server may only support a protocol version that Toolkeep does not know.',
  });
}

export function stopped(server: string): ToolkeepError {
  return fail('CANCELLED', `"${server}" was stopped.`, { server });
}
