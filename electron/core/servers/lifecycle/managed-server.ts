/** One instance of an MCP server: started on first use, shared by all callers, stopped when idle, restarted with backoff. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fail, ToolkeepError } from '../../../../shared/failure.ts';
import type { Phase, ServerConfig } from '../../../../shared/model/server.ts';
import { abortable } from '../../async/abort.ts';
import { toolTimeoutMs } from '../../config/schema.ts';
import { createRedactor } from '../../secrets/redact-values.ts';
import type { ResolvedConnection } from '../../secrets/resolve.ts';
import { type Connection, type ConnectOptions, connect, stopped } from '../connection/connection.ts';
import { isConnectionLost, mayHaveRun, sessionAfter } from '../connection/failure-kind.ts';
import { completeInputRequired, withLogLevel } from '../connection/input-required.ts';
import { createLogLevelSync } from '../connection/log-level.ts';
import { resubscribe, SubscriptionStream } from '../connection/subscriptions.ts';
import { callAsTask, supportsTasks } from '../connection/task-call.ts';
import { environmentOf } from '../process/environment.ts';
import { limitsOf } from '../sandbox/limits.ts';
import { openedFolders } from '../sandbox/open-folders.ts';
import type { ConnectionLog } from '../server-log.ts';
import {
  defaultTuning,
  type OutgoingRequest,
  type Params,
  type RawResult,
  type ServerHandle,
  type ServerHandleOptions,
  type ServerInfo,
  type ServerState,
  type Tuning,
} from '../types.ts';
import { argumentsWarning, authorizationFor, suspectFailure } from './before-start.ts';
import { enoughStarts, erasOf } from './eras.ts';
import { initialState } from './instances.ts';
import { Lifecycle, needsUser } from './lifecycle.ts';
import { redactedError, redactedFailure } from './redact-failure.ts';
import { StartBreaker } from './start-breaker.ts';
import { startPhases } from './start-phases.ts';

/** The part of the state that ends with the process or connection. */
const ofProcess = ['pid', 'era', 'startedAt', 'isConfined'] as const;
const mayHaveRunHint = 'It may have run. Check its effect before you call it again.';

export class ManagedServer implements ServerHandle {
  readonly server: ServerConfig;
  readonly keepRunning: ServerHandle['keepRunning'];
  readonly #options: ServerHandleOptions;
  readonly #tuning: Tuning;
  readonly #breaker: StartBreaker;
  readonly #lifecycle: Lifecycle;
  readonly #syncLogLevel: ReturnType<typeof createLogLevelSync>;
  readonly #subscribedUris = new Set<string>();
  readonly #warnings = new Map<string, string>();
  #state = initialState;
  #connection: Connection | undefined;
  #subscriptions: SubscriptionStream | undefined;
  #starting: { promise: Promise<ServerInfo>; abort: AbortController } | undefined;
  #stopping: Promise<void> | undefined;
  #starts = 0;
  /** Requests that failed in a row because of their session. */
  #refusals = 0;
  #redact = (text: string) => text;

  /** Neither starts the server nor validates its configuration; the first start reports errors. */
  constructor(server: ServerConfig, options: ServerHandleOptions) {
    this.server = server;
    this.#options = options;
    this.#tuning = { ...defaultTuning, ...options.tuning };
    this.#breaker = new StartBreaker(server.name, this.#tuning);
    this.#syncLogLevel = createLogLevelSync(() => options.logLevel?.(), this.#tuning.startTimeoutMs);
    this.#lifecycle = new Lifecycle({
      server,
      idleTimeoutMs: options.idleTimeoutMs,
      tuning: this.#tuning,
      start: () => this.start(),
      onIdle: () => void this.#end(),
      onUnresponsive: (connection, reason) => this.#lost(connection, reason),
      mayRestart: () => this.#breaker.crashLoop() === undefined,
    });
    this.keepRunning = () => this.#lifecycle.keepRunning();
  }

  get state(): ServerState {
    const { state: breaker } = this.#breaker;
    // Every call reads the state, so copy it only when the breaker changed.
    if (this.#state.breaker !== breaker) this.#state = { ...this.#state, breaker };
    return this.#state;
  }

  async start(signal?: AbortSignal): Promise<ServerInfo> {
    while (this.#stopping) await abortable(this.#stopping, signal, this.#waitCancelled);
    if (this.#connection) return this.#connection.info;
    const crashLoop = this.#breaker.crashLoop();
    if (crashLoop) throw new ToolkeepError(crashLoop);
    this.#options.marks.check(this.server.name);
    if (this.#options.marks.isSuspect(this.server.name)) throw this.#refuseSuspect();
    if (!this.#starting) {
      const abort = new AbortController();
      const promise = this.#breaker.run(() => this.#begin(abort.signal)).catch((error) => this.#startFailed(error));
      this.#starting = { promise, abort };
      promise
        .catch(() => {})
        .finally(() => {
          if (this.#starting?.promise === promise) this.#starting = undefined;
        });
    }
    return abortable(this.#starting.promise, signal, this.#waitCancelled);
  }

  async request(r: OutgoingRequest): Promise<RawResult> {
    if (r.method === 'resources/unsubscribe' && !this.#connection) {
      this.#subscribedUris.delete(String(r.params?.uri));
      return {};
    }
    this.#lifecycle.requestStarted();
    try {
      if (!this.#connection || this.#stopping) await this.start(r.signal);
      return await this.#send(r);
    } catch (error) {
      throw redactedError(error, this.server.name, this.#redact);
    } finally {
      this.#lifecycle.requestEnded(r.passive === true);
    }
  }

  async notify(method: string, params?: Params): Promise<void> {
    await this.#connection?.peer.notify(method, params);
  }

  logLevelChanged(): void {
    this.#syncLogLevel(this.#connection);
  }

  async stop(): Promise<void> {
    await this.#end();
    this.#breaker.reset();
  }

  // State

  #change(next: Partial<ServerState>, remove: (keyof ServerState)[] = []): void {
    if (next.status !== undefined && next.status !== this.#state.status) this.#logState({ ...this.#state, ...next });
    this.#state = { ...this.#state, ...next };
    for (const key of remove) delete this.#state[key];
    this.#options.onState(this.state);
  }

  #logState({ status, pid, failure }: ServerState): void {
    const texts = {
      idle: 'Stopped.',
      starting: 'Starting.',
      ready: pid === undefined ? 'Connected.' : `Connected to process ${pid}.`,
      failed: failure?.message ?? 'Failed.',
    };
    this.#log.add({ kind: 'state', text: texts[status], isError: status === 'failed' });
  }

  readonly #log: ConnectionLog = {
    add: (entry) => this.#options.log?.add(entry, this.#redact),
    message: (kind, message) => this.#options.log?.message(kind, message, this.#redact),
  };

  /** Keeps the latest warning of each kind. */
  #warn(kind: string, message: string): void {
    this.#warnings.delete(kind);
    this.#warnings.set(kind, this.#redact(message));
    this.#change({ warnings: [...this.#warnings.values()] });
  }

  readonly #waitCancelled = () => {
    const { name } = this.server;
    return fail('CANCELLED', `The caller stopped waiting for "${name}".`, { server: name });
  };

  // Starting

  #refuseSuspect(): ToolkeepError {
    const failure = suspectFailure(this.server.name);
    this.#change({ status: 'failed', failure });
    return new ToolkeepError(failure);
  }

  async #begin(signal: AbortSignal): Promise<ServerInfo> {
    const phases = startPhases();
    const enter = (next: Phase | undefined, pid?: number) => {
      const done = phases.enter(next);
      this.#change({ phase: phases.current, phases: done, ...(pid !== undefined && { pid }) });
    };
    this.#starts += 1;
    this.#warnings.clear();
    this.#change({ status: 'starting', phase: phases.current, phases: [], warnings: [], restarts: this.#starts - 1 }, [
      'failure',
      'restartsOnUse',
      ...ofProcess,
    ]);
    try {
      const resolved = await this.#resolve(signal);
      const authorization = authorizationFor(this.server.name, resolved, this.#options);
      const warning = argumentsWarning(resolved);
      if (warning) this.#warn('arguments', warning);
      enter('transport');
      await sleep(this.#breaker.delayMs(), undefined, { signal }).catch(() => {
        throw stopped(this.server.name);
      });
      const unmark = this.#options.marks.begin(this.server.name);
      const connecting = this.#connect(resolved, { authorization, signal, onPhase: enter });
      const connection = await connecting.finally(unmark);
      enter(undefined);
      return this.#adopt(connection);
    } catch (error) {
      enter(undefined);
      throw error;
    }
  }

  async #resolve(signal: AbortSignal): Promise<ResolvedConnection> {
    const { host, resolve } = this.#options;
    const resolving = Promise.resolve(resolve(this.server.connection));
    const resolved = await abortable(resolving, signal, () => stopped(this.server.name));
    this.#redact = createRedactor(resolved, host.env);
    return resolved;
  }

  async #connect(
    resolved: ResolvedConnection,
    start: Pick<ConnectOptions, 'authorization' | 'signal' | 'onPhase'>,
  ): Promise<Connection> {
    const { host, onServerRequest, onNotification } = this.#options;
    const { name } = this.server;
    const connection: Connection = await connect({
      host,
      server: name,
      connection: resolved,
      environment: environmentOf(this.server),
      limits: limitsOf(this.server, resolved, this.#options),
      tuning: this.#tuning,
      lastEra: erasOf(host.store).get(name)?.era,
      ...start,
      onServerRequest,
      onWarning: (kind, message) => this.#warn(kind, message),
      redact: this.#redact,
      log: this.#log,
      onNotification: (method, params) => {
        if (method !== 'notifications/subscriptions/acknowledged') onNotification(method, params);
      },
      onLost: (reason) => this.#lost(connection, reason),
    });
    return connection;
  }

  #adopt(connection: Connection): ServerInfo {
    this.#connection = connection;
    const { era } = connection.info;
    const eras = erasOf(this.#options.host.store);
    const known = eras.get(this.server.name);
    eras.learn(this.server.name, { ...known, era, starts: Math.min((known?.starts ?? 0) + 1, enoughStarts) });
    if (era === 'modern')
      this.#subscriptions = new SubscriptionStream(
        connection,
        (kind, message) => this.#warn(kind, message),
        this.#subscribedUris,
      );
    this.#syncLogLevel(connection);
    resubscribe(connection, this.#subscribedUris, this.#options.onNotification);
    const { isConfined } = connection;
    this.#change({ status: 'ready', era, startedAt: Date.now(), ...(isConfined && { isConfined }) }, [
      'phase',
      'failure',
    ]);
    this.#lifecycle.connected(connection);
    return connection.info;
  }

  #startFailed(error: unknown): never {
    const failure = redactedFailure(error, this.server.name, this.#redact);
    // The caller's error is the open breaker; the state keeps showing the original failure.
    if (failure.code === 'SERVER_BREAKER_OPEN') this.#change({});
    else if (failure.code === 'CANCELLED') this.#change({ status: 'idle' }, ['phase', ...ofProcess, 'failure']);
    else {
      this.#change({ status: 'failed', failure }, [...ofProcess]);
      this.#lifecycle.failed();
    }
    throw error instanceof ToolkeepError ? new ToolkeepError(failure, { cause: error.cause }) : error;
  }

  // Ending

  /** Handles the unexpected end of a connection. The next use, or the lifecycle of a keep-alive server, starts it again. */
  #lost(connection: Connection, reason: Error): void {
    if (this.#connection !== connection) return;
    const failure = redactedFailure(reason, this.server.name, this.#redact);
    this.#closeBeforeNextStart(connection);
    if (this.server.connection.type === 'stdio') this.#breaker.crashed(failure);
    this.#options.host.log('warn', failure.message.split('\n')[0] ?? '');
    const crashLoop = this.#breaker.crashLoop();
    this.#change(
      {
        status: 'failed',
        failure: crashLoop ?? failure,
        restartsOnUse: !crashLoop && !needsUser.includes(failure.code),
      },
      ['phase', ...ofProcess],
    );
    this.#lifecycle.failed();
  }

  /** The next start waits until the previous process has exited, because it may hold a lock or a port. */
  #closeBeforeNextStart(connection: Connection): void {
    this.#release();
    const work = Promise.all([this.#stopping, connection.close()]).then(() => {
      if (this.#stopping === work) this.#stopping = undefined;
    });
    this.#stopping = work;
  }

  #release(): void {
    this.#connection = undefined;
    this.#subscriptions?.close();
    this.#subscriptions = undefined;
    this.#lifecycle.disconnected();
  }

  async #end(): Promise<void> {
    const connection = this.#connection;
    this.#lifecycle.cancelRestart();
    this.#starting?.abort.abort();
    const aborted = this.#starting?.promise.catch(() => {});
    this.#release();
    const work = Promise.all([this.#stopping, connection?.close(), aborted]).then(() => {
      if (this.#stopping === work) this.#stopping = undefined;
      this.#change({ status: 'idle' }, ['phase', ...ofProcess, 'failure', 'restartsOnUse']);
    });
    this.#stopping = work;
    await work;
  }

  // Requests

  /** A confined server sees the folders that the user opens for a call after a restart, which would end other calls. */
  async #openFolders(r: OutgoingRequest, connection: Connection): Promise<void> {
    const opened = await openedFolders(r, this.#options);
    if (opened.length === 0 || this.#connection !== connection) return;
    if (!this.#lifecycle.hasOneRequest)
      return this.#warn('folders', `Other calls were running, so it sees ${opened.join(', ')} after its next start.`);
    this.#closeBeforeNextStart(connection);
    await this.start(r.signal);
  }

  async #send(r: OutgoingRequest, mayReconnect = true): Promise<RawResult> {
    if (this.#connection?.isConfined) await this.#openFolders(r, this.#connection);
    const connection = this.#connection;
    if (!connection) throw this.#state.failure ? new ToolkeepError(this.#state.failure) : stopped(this.server.name);
    if (r.method.startsWith('resources/') && this.#isHandledByStream(r)) return {};
    try {
      const result = await this.#exchange(r, connection);
      this.#refusals = 0;
      if (r.method === 'resources/subscribe' && connection.info.era === 'legacy')
        this.#subscribedUris.add(String(r.params?.uri));
      return result;
    } catch (error) {
      const isWrite = r.method === 'tools/call' && !r.mayRepeat;
      const session = connection.hasSession ? sessionAfter(error, !isWrite) : 'kept';
      if (session !== 'kept' && this.#connection === connection) this.#sessionRefused(connection, error, mayReconnect);
      if (session === 'lost' && mayReconnect) {
        await this.start(r.signal);
        return await this.#send(r, false);
      }
      if (this.#connection === connection && connection.wire !== 'stdio' && isConnectionLost(error))
        this.#lost(connection, error);
      if (!isWrite || r.signal?.aborted || !mayHaveRun(error)) throw error;
      throw new ToolkeepError({ ...error.failure, hint: mayHaveRunHint }, { cause: error.cause });
    } finally {
      if (this.#connection !== connection && connection.peer.isIdle) void connection.close();
    }
  }

  /** The next use starts a new session. Calls that still run in this one may finish. */
  #sessionRefused(connection: Connection, error: unknown, isFirst: boolean): void {
    this.#refusals += 1;
    if (!isFirst || this.#refusals > 1) this.#lost(connection, error as Error);
    else {
      this.#release();
      this.#change({ status: 'idle' }, [...ofProcess]);
    }
  }

  /** In the modern era, resources are subscribed through the `subscriptions/listen` stream. */
  #isHandledByStream({ method, params }: OutgoingRequest): boolean {
    const uri = String(params?.uri);
    if (method === 'resources/unsubscribe' && !this.#subscriptions) this.#subscribedUris.delete(uri);
    if (!this.#subscriptions) return false;
    if (method === 'resources/subscribe') this.#subscriptions.subscribe(uri);
    else if (method === 'resources/unsubscribe') this.#subscriptions.unsubscribe(uri);
    else return false;
    return true;
  }

  #exchange(r: OutgoingRequest, connection: Connection): Promise<RawResult> {
    const timeoutMs = r.timeoutMs ?? this.server.lifecycle?.timeoutMs ?? toolTimeoutMs(this.#options.host.env);
    const send = ({ peer, info }: Connection, params: Params | undefined) => {
      const { method, signal, onProgress, onServerRequest, origin, onLog } = r;
      const request = { method, params, signal, timeoutMs, onProgress, onServerRequest, origin, onLog };
      return r.isTaskOnly && supportsTasks(info) ? callAsTask(peer, this.server.name, request) : peer.request(request);
    };
    if (connection.info.era === 'legacy') return send(connection, r.params);
    let attempts = 0;
    const params = r.logLevel ? withLogLevel(r.params, r.logLevel) : r.params;
    return completeInputRequired(this.server.name, params, {
      send: async (params) => {
        attempts += 1;
        // A modern server may end between two attempts. Its request state lets another process continue.
        if (attempts > 1) await this.start(r.signal);
        return send(this.#connection ?? connection, params);
      },
      onServerRequest: r.onServerRequest,
      signal: r.signal ?? new AbortController().signal,
    });
  }
}
