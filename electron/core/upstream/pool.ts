/**
 * Several instances of one server behind the face of a single one (row E9). The calls of one client go to one instance, as
 * servers keep state between calls; one that fails is left out and comes back; a call is sent twice only where that does no
 * harm.
 */
import { type FailureCode, GatehouseError } from '../../../shared/failure.ts';
import type { ServerConfig } from '../../../shared/model.ts';
import { needsSomeone } from './keeping.ts';
import { createSingle } from './single.ts';
import {
  defaultTuning,
  type InstanceState,
  type RawResult,
  type Upstream,
  type UpstreamOptions,
  type UpstreamRequest,
  type UpstreamState,
} from './types.ts';

/** So many calls that failed in a row through the instance itself put it out of turn for `restMs`. */
const strikesToRest = 2;
/** Sessions that are remembered; the one that was quiet for longest goes first. */
const maxSessions = 1_000;

/** Says that an instance is in trouble, rather than that a call was wrong. */
const troubles = new Set<FailureCode>([
  'SERVER_CRASHED',
  'SERVER_UNREACHABLE',
  'SERVER_TIMEOUT',
  'SERVER_HTTP_ERROR',
  'SERVER_PROTOCOL_ERROR',
]);
/** It went away under the call. */
const losses = new Set<FailureCode>(['SERVER_CRASHED', 'SERVER_UNREACHABLE']);

interface Instance {
  number: number;
  upstream: Upstream;
  /** Calls under way. */
  active: number;
  total: number;
  failed: number;
  /** Troubles in a row. */
  strikes: number;
  restsUntil: number;
  /** It failed and is not back yet. */
  isOut: boolean;
  /** Resources that it was told to be followed. */
  follows: Set<string>;
}

/** The server as each of its instances is reached; itself where there is one only. */
export function instancesOf(server: ServerConfig): ServerConfig[] {
  const { connection } = server;
  if (connection.type === 'stdio') {
    const { instances = 1, ...each } = connection;
    return instances === 1 ? [server] : Array.from({ length: instances }, () => ({ ...server, connection: each }));
  }
  const { replicas = [], ...first } = connection;
  if (replicas.length === 0) return [server];
  return [first.url, ...replicas].map((url) => ({ ...server, connection: { ...first, url } }));
}

export function createPool(server: ServerConfig, configs: ServerConfig[], options: UpstreamOptions): Upstream {
  const { restMs } = { ...defaultTuning, ...options.tuning };
  const sticks = server.lifecycle?.spread !== 'calls';
  const sessions = new Map<string, Instance>();
  const followed = new Set<string>();
  let turn = 0;
  const instances = configs.map((config, index): Instance => {
    const { authorization } = options;
    const upstream = createSingle(config, {
      ...options,
      onState: (state) => changed(instance, state),
      ...(authorization && { authorization: (url) => authorization(url, index) }),
    });
    const counts = { active: 0, total: 0, failed: 0, strikes: 0, restsUntil: 0 };
    const instance = { number: index + 1, upstream, ...counts, isOut: false, follows: new Set<string>() };
    return instance;
  });

  function changed(instance: Instance, { status }: UpstreamState): void {
    if (status === 'failed') instance.isOut = true;
    else if (status !== 'starting') instance.isOut = false;
    if (status === 'ready') for (const uri of followed) void follow(instance, uri).catch(() => undefined);
    options.onState(snapshot());
  }

  const isReady = ({ upstream }: Instance) => upstream.state.status === 'ready';
  const isFit = ({ isOut, restsUntil }: Instance) => !isOut && restsUntil <= Date.now();

  /** The one that speaks for all: a list is read from the same one as long as that runs. */
  function lead(): Instance {
    const first = (status: UpstreamState['status']) =>
      instances.find(({ upstream }) => upstream.state.status === status);
    return first('ready') ?? first('starting') ?? first('idle') ?? (instances[0] as Instance);
  }

  function snapshot(): UpstreamState {
    const states = instances.map(({ upstream }) => upstream.state);
    return {
      ...lead().upstream.state,
      restarts: states.reduce((sum, { restarts }) => sum + restarts, 0),
      warnings: [...new Set(states.flatMap(({ warnings }) => warnings))],
      instances: instances.map(stateOf),
    };
  }

  /** Of those that are well, the one with the fewest calls under way; in turn among equals. All are tried when none is well. */
  function pick(session: string | undefined, without: ReadonlySet<Instance>): Instance {
    const left = instances.filter((one) => !without.has(one));
    for (const one of left) comeBack(one);
    const well = left.filter(isFit);
    const own = session === undefined || !sticks ? undefined : sessions.get(session);
    if (own && well.includes(own)) return remember(session, own);
    const from = well.length > 0 ? well : left;
    const start = turn++ % from.length;
    const inTurn = [...from.slice(start), ...from.slice(0, start)];
    return remember(
      session,
      inTurn.reduce((best, one) => (one.active < best.active ? one : best)),
    );
  }

  function remember(session: string | undefined, instance: Instance): Instance {
    if (session === undefined || !sticks) return instance;
    sessions.delete(session);
    sessions.set(session, instance);
    if (sessions.size > maxSessions) sessions.delete(sessions.keys().next().value as string);
    return instance;
  }

  /** No call waits for one that failed; its own breaker and backoff say when it may be started. */
  function comeBack({ upstream, isOut }: Instance): void {
    const { status, breaker, failure } = upstream.state;
    if (!isOut || status !== 'failed' || breaker === 'open') return;
    if (failure && needsSomeone.includes(failure.code)) return;
    upstream.start().catch(() => undefined);
  }

  /** What cannot be started never got the call, so the next may have it. */
  async function use<T>(
    { session, signal }: Pick<UpstreamRequest, 'session' | 'signal'>,
    tried: Set<Instance>,
    work: (instance: Instance) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const instance = pick(session, tried);
      let isUp = isReady(instance);
      instance.active += 1;
      try {
        if (!isUp) await instance.upstream.start(signal);
        isUp = true;
        return await work(instance);
      } catch (error) {
        tried.add(instance);
        if (isUp || tried.size === instances.length || codeOf(error) === 'CANCELLED') throw error;
      } finally {
        instance.active -= 1;
      }
    }
  }

  async function run(instance: Instance, r: UpstreamRequest): Promise<RawResult> {
    instance.total += 1;
    try {
      const result = await instance.upstream.request(r);
      instance.strikes = 0;
      return result;
    } catch (error) {
      instance.failed += 1;
      const code = codeOf(error);
      if (code === undefined) instance.strikes = 0;
      else if (troubles.has(code)) {
        instance.strikes += 1;
        if (instance.strikes >= strikesToRest) instance.restsUntil = Date.now() + restMs;
      }
      throw losses.has(code as FailureCode) ? naming(error as GatehouseError, instance) : error;
    }
  }

  async function request(r: UpstreamRequest): Promise<RawResult> {
    if (r.method === 'resources/subscribe') return subscribe(r);
    if (r.method === 'resources/unsubscribe') return unsubscribe(r);
    if (r.passive) return lead().upstream.request(r);
    const tried = new Set<Instance>();
    for (;;) {
      try {
        return await use(r, tried, (instance) => run(instance, r));
      } catch (error) {
        const isLost = losses.has(codeOf(error) as FailureCode);
        if (!isLost || !r.mayRepeat || tried.size === instances.length || r.signal?.aborted) throw error;
      }
    }
  }

  /** Any of them may hear of the change first. */
  async function subscribe(r: UpstreamRequest): Promise<RawResult> {
    const uri = String(r.params?.uri);
    const others = instances.filter(isReady);
    const result = await use(r, new Set(), (instance) => follow(instance, uri, r));
    followed.add(uri);
    for (const instance of others) void follow(instance, uri).catch(() => undefined);
    return result;
  }

  /** From then on the instance itself sees to it, over restarts too. */
  async function follow(instance: Instance, uri: string, r?: UpstreamRequest): Promise<RawResult> {
    if (instance.follows.has(uri)) return {};
    instance.follows.add(uri);
    try {
      return await instance.upstream.request(r ?? { method: 'resources/subscribe', params: { uri } });
    } catch (error) {
      instance.follows.delete(uri);
      throw error;
    }
  }

  async function unsubscribe(r: UpstreamRequest): Promise<RawResult> {
    const uri = String(r.params?.uri);
    followed.delete(uri);
    const told = instances.filter(({ follows }) => follows.delete(uri));
    const [answer] = await Promise.all(told.map(({ upstream }) => upstream.request(r)));
    return answer ?? {};
  }

  function naming(error: GatehouseError, { number }: Instance): GatehouseError {
    const { message, hint, ...failure } = error.failure;
    return new GatehouseError(
      {
        ...failure,
        message: `${message} It was instance ${number} of ${instances.length}.`,
        hint: hint ?? 'Whether the call took effect is not known. The next one goes to another instance.',
      },
      { cause: error.cause },
    );
  }

  return {
    server,
    get state() {
      return snapshot();
    },
    async start(signal) {
      if (server.lifecycle?.keepAlive) for (const { upstream } of instances) upstream.start().catch(() => undefined);
      if (isReady(lead())) return lead().upstream.start(signal);
      return use(signal ? { signal } : {}, new Set(), ({ upstream }) => upstream.start(signal));
    },
    request,
    hold() {
      const release = instances.map(({ upstream }) => upstream.hold());
      return () => {
        for (const letGo of release) letGo();
      };
    },
    async notify(method, params) {
      await Promise.all(instances.map(({ upstream }) => upstream.notify(method, params)));
    },
    logLevelChanged() {
      for (const { upstream } of instances) upstream.logLevelChanged();
    },
    async stop() {
      sessions.clear();
      for (const instance of instances) {
        instance.strikes = 0;
        instance.restsUntil = 0;
      }
      await Promise.all(instances.map(({ upstream }) => upstream.stop()));
    },
  };
}

function stateOf({ upstream, active, total, failed, restsUntil }: Instance): InstanceState {
  const { status, pid, startedAt, restarts, breaker, failure } = upstream.state;
  return {
    ...{ status, restarts },
    breaker: restsUntil > Date.now() ? 'open' : breaker,
    ...(pid !== undefined && { pid }),
    ...(startedAt !== undefined && { startedAt }),
    ...(failure && { failure }),
    calls: { active, total, failed },
  };
}

/** Undefined for an error answer of the server itself, which is well then. */
function codeOf(error: unknown): FailureCode | undefined {
  return error instanceof GatehouseError ? error.failure.code : undefined;
}
