/** One instance of an MCP server: started on first need, shared by all callers, stopped when idle, restarted with care. Rows D1 to D3. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fail, GatehouseError } from '../../../shared/failure.ts';
import type { Phase, ServerConfig } from '../../../shared/model.ts';
import { concealer, type ResolvedConnection } from '../secrets/secrets.ts';
import { orAborted } from './abort.ts';
import { createStartGate } from './breaker.ts';
import { toolTimeoutMs } from './clock.ts';
import { concealedError, concealedFailure } from './concealed.ts';
import { type Connection, connect, stopped } from './connection.ts';
import { checkHttp, httpStatus, meansLost } from './http-transport.ts';
import { createKeeping } from './keeping.ts';
import { createLogLevelTold } from './log-level.ts';
import { startPhases } from './phases.ts';
import { runRounds, withLog } from './rounds.ts';
import { followAgain, openSubscriptions, type Subscriptions } from './subscriptions.ts';
import {
  defaultTuning,
  type HttpAuthorization,
  type Params,
  type RawResult,
  type Upstream,
  type UpstreamInfo,
  type UpstreamOptions,
  type UpstreamRequest,
  type UpstreamState,
} from './types.ts';

/** Nothing is started or checked yet; what is wrong with the configuration is told by the first start. */
export function createSingle(server: ServerConfig, options: UpstreamOptions): Upstream {
  const { host, idleTimeoutMs } = options;
  const tuning = { ...defaultTuning, ...options.tuning };
  const gate = createStartGate(server.name, tuning);
  let state: UpstreamState = { status: 'idle', phases: [], restarts: 0, breaker: 'closed', warnings: [] };
  let connection: Connection | undefined;
  let subscriptions: Subscriptions | undefined;
  let starting: { promise: Promise<UpstreamInfo>; abort: AbortController } | undefined;
  let stopping: Promise<void> | undefined;
  let starts = 0;
  let conceal = (text: string) => text;
  const followed = new Set<string>();
  const logLevel = createLogLevelTold(() => options.logLevel?.(), tuning.startTimeoutMs);
  const warnings = new Map<string, string>();
  const keeping = createKeeping({
    server,
    idleTimeoutMs,
    tuning,
    start: () => start(),
    onIdle: () => void end('idle'),
    onDeaf: (made, reason) => lost(made, reason),
    mayRevive: () => gate.loop() === undefined,
  });

  function change(next: Partial<UpstreamState>, drop: (keyof UpstreamState)[] = []): void {
    state = { ...state, ...next };
    for (const key of drop) delete state[key];
    options.onState(snapshot());
  }

  function snapshot(): UpstreamState {
    return { ...state, breaker: gate.breaker };
  }

  /** Keeps the last warning of each kind. */
  function warn(kind: string, message: string): void {
    warnings.delete(kind);
    warnings.set(kind, conceal(message));
    change({ warnings: [...warnings.values()] });
  }

  async function start(signal?: AbortSignal): Promise<UpstreamInfo> {
    while (stopping) await orAborted(stopping, signal, letGo);
    if (connection) return connection.info;
    const loop = gate.loop();
    if (loop) throw new GatehouseError(loop);
    if (!starting) {
      const abort = new AbortController();
      const promise = gate.run(() => begin(abort.signal)).catch(failed);
      starting = { promise, abort };
      promise
        .catch(() => {})
        .finally(() => {
          if (starting?.promise === promise) starting = undefined;
        });
    }
    return orAborted(starting.promise, signal, letGo);
  }

  function failed(error: unknown): never {
    const failure = concealedFailure(error, server.name, conceal);
    // An open breaker is told to the caller; what is worth showing is still the cause.
    if (failure.code === 'SERVER_BREAKER_OPEN') change({});
    else if (failure.code === 'CANCELLED') change({ status: 'idle' }, ['phase', 'pid', 'era', 'startedAt', 'failure']);
    else {
      change({ status: 'failed', failure }, ['pid', 'era', 'startedAt']);
      keeping.failed();
    }
    throw error instanceof GatehouseError ? new GatehouseError(failure, { cause: error.cause }) : error;
  }

  async function begin(signal: AbortSignal): Promise<UpstreamInfo> {
    const phases = startPhases();
    const enter = (next: Phase | undefined, pid?: number) => {
      const done = phases.enter(next);
      change({ phase: phases.current, phases: done, ...(pid === undefined ? {} : { pid }) });
    };
    starts += 1;
    warnings.clear();
    change({ status: 'starting', phase: phases.current, phases: [], warnings: [], restarts: starts - 1 }, [
      'failure',
      'pid',
      'era',
      'startedAt',
    ]);
    try {
      const resolved = await orAborted(Promise.resolve(options.resolve(server.connection)), signal, () =>
        stopped(server.name),
      );
      conceal = concealer(resolved, host.env);
      const authorization = authorizationFor(resolved);
      enter('transport');
      await sleep(gate.delayMs(), undefined, { signal }).catch(() => {
        throw stopped(server.name);
      });
      const made = await connect({
        ...{ host, server: server.name, tuning, authorization, signal, conceal },
        connection: resolved,
        remembered: host.store.get('eras')[server.name]?.era,
        onAsk: options.onAsk,
        onPhase: enter,
        onWarning: warn,
        onNotification: (method, params) => {
          if (method !== 'notifications/subscriptions/acknowledged') options.onNotification(method, params);
        },
        onLost: (reason) => lost(made, reason),
      });
      enter(undefined);
      return adopt(made);
    } catch (error) {
      enter(undefined);
      throw error;
    }
  }

  function authorizationFor(connection: ResolvedConnection): HttpAuthorization | undefined {
    if (connection.type === 'stdio') return undefined;
    checkHttp({ server: server.name, connection });
    const bringsItsOwn = Object.keys(connection.headers).some((name) => name.toLowerCase() === 'authorization');
    return bringsItsOwn ? undefined : options.authorization?.(connection.url);
  }

  function adopt(made: Connection): UpstreamInfo {
    connection = made;
    const { era } = made.info;
    const eras = host.store.get('eras');
    if (eras[server.name]?.era !== era) host.store.set('eras', { ...eras, [server.name]: { era } });
    if (era === 'modern') subscriptions = openSubscriptions(made, warn, followed);
    logLevel.tell(made);
    followAgain(made, followed, options.onNotification);
    change({ status: 'ready', era, startedAt: Date.now() }, ['phase', 'failure']);
    keeping.connected(made);
    return made.info;
  }

  /** It ended by itself: leave nothing of it behind, and let the next use (or, for keep-alive, we ourselves) start it. */
  function lost(made: Connection, reason: Error): void {
    if (connection !== made) return;
    const failure = concealedFailure(reason, server.name, conceal);
    release();
    leave(made);
    if (server.connection.type === 'stdio') gate.crashed(failure);
    host.log('warn', failure.message.split('\n')[0] ?? '');
    change({ status: 'failed', failure: gate.loop() ?? failure }, ['phase', 'pid', 'era', 'startedAt']);
    keeping.failed();
  }

  /** The next start waits for the end of the last one, which may hold a lock or a port. */
  function leave(made: Connection): void {
    const work = Promise.all([stopping, made.close()]).then(() => {
      if (stopping === work) stopping = undefined;
    });
    stopping = work;
  }

  function release(): void {
    connection = undefined;
    subscriptions?.close();
    subscriptions = undefined;
    keeping.disconnected();
  }

  async function end(status: 'idle'): Promise<void> {
    const ending = connection;
    keeping.giveUp();
    starting?.abort.abort();
    const givenUp = starting?.promise.catch(() => {});
    release();
    const work = Promise.all([stopping, ending?.close(), givenUp]).then(() => {
      if (stopping === work) stopping = undefined;
      change({ status, phases: state.phases }, ['phase', 'pid', 'era', 'startedAt', 'failure']);
    });
    stopping = work;
    await work;
  }

  async function request(r: UpstreamRequest): Promise<RawResult> {
    if (r.method === 'resources/unsubscribe' && !connection) {
      followed.delete(String(r.params?.uri));
      return {};
    }
    const done = keeping.busy(r.passive === true);
    try {
      if (!connection || stopping) await start(r.signal);
      return await send(r, true);
    } catch (error) {
      throw concealedError(error, server.name, conceal);
    } finally {
      done();
    }
  }

  async function send(r: UpstreamRequest, mayRenew: boolean): Promise<RawResult> {
    const current = connection;
    if (!current) throw state.failure ? new GatehouseError(state.failure) : stopped(server.name);
    const uri = String(r.params?.uri);
    const follows = { 'resources/subscribe': true, 'resources/unsubscribe': false }[r.method];
    if (follows !== undefined && subscriptions) {
      subscriptions[follows ? 'subscribe' : 'unsubscribe'](uri);
      return {};
    }
    if (follows === false) followed.delete(uri);
    let legs = 0;
    const leg = async (params: Params | undefined) => {
      // A modern server may end between two rounds: whatever runs next goes on from the state that it gave us.
      if (legs++ > 0) await start(r.signal);
      return (connection ?? current).peer.request({
        ...r,
        params,
        timeoutMs: r.timeoutMs ?? server.lifecycle?.timeoutMs ?? toolTimeoutMs(host.env),
      });
    };
    try {
      if (current.info.era === 'legacy') {
        const result = await leg(r.params);
        if (follows) followed.add(uri);
        return result;
      }
      return await runRounds(server.name, r.logLevel ? withLog(r.params, r.logLevel) : r.params, {
        send: leg,
        onAsk: r.onAsk,
        signal: r.signal ?? new AbortController().signal,
      });
    } catch (error) {
      if (connection !== current || server.connection.type === 'stdio') throw error;
      const status = current.info.era === 'legacy' ? httpStatus((error as Error).cause) : undefined;
      // The server forgot our session (restart, expiry) and therefore did not run the request: a new session may.
      if (status === 404 && current.wire === 'streamable' && mayRenew) {
        release();
        leave(current);
        await start(r.signal);
        return send(r, false);
      }
      if (meansLost(error)) lost(current, error);
      throw error;
    }
  }

  const letGo = () => fail('CANCELLED', `The wait for "${server.name}" was given up.`, { server: server.name });

  return {
    server,
    get state() {
      return snapshot();
    },
    start,
    request,
    hold: keeping.hold,
    async notify(method, params) {
      await connection?.peer.notify(method, params);
    },
    logLevelChanged: () => logLevel.tell(connection),
    async stop() {
      await end('idle');
      gate.reset();
    },
  };
}
