/**
 * Several instances of one server behind a single handle. A client's calls go to the same instance, because servers
 * keep state between calls. A failing instance is skipped until it recovers. A call is repeated only if that is
 * harmless.
 */
import { type FailureCode, ToolkeepError } from '../../../../shared/failure.ts';
import type { ServerConfig } from '../../../../shared/model/server.ts';
import {
  defaultTuning,
  type OutgoingRequest,
  type Params,
  type RawResult,
  type ServerHandle,
  type ServerHandleOptions,
  type ServerInfo,
  type ServerState,
} from '../types.ts';
import { type CountedInstance, combinedState, instanceState, keepAllRunning, noCalls } from './instances.ts';
import { needsUser } from './lifecycle.ts';
import { ManagedServer } from './managed-server.ts';

/** Consecutive instance failures after which an instance gets no calls for `cooldownMs`. */
const failuresToCooldown = 2;
/** Maximum number of sessions; the one that has been idle longest is dropped first. */
const maxSessions = 1_000;

/** Failures of an instance rather than of a call. */
const instanceFailures = new Set<FailureCode>([
  'SERVER_CRASHED',
  'SERVER_UNREACHABLE',
  'SERVER_TIMEOUT',
  'SERVER_HTTP_ERROR',
  'SERVER_PROTOCOL_ERROR',
]);
/** Failures that mean that the instance disappeared during the call. */
const instanceLosses = new Set<FailureCode>(['SERVER_CRASHED', 'SERVER_UNREACHABLE']);

interface Instance extends CountedInstance {
  number: number;
  consecutiveFailures: number;
  /** Epoch milliseconds until which the instance gets no calls. */
  coolsDownUntil: number;
  /** True if the instance failed and has not recovered. */
  isDown: boolean;
  /** URIs of subscribed resources. */
  subscriptions: Set<string>;
}

/** The configuration of each instance; the server itself if there is only one. */
export function instancesOf(server: ServerConfig): ServerConfig[] {
  const { connection } = server;
  if (connection.type === 'stdio') {
    const { instances = 1, ...single } = connection;
    return instances === 1 || typeof instances === 'string'
      ? [server]
      : Array.from({ length: instances }, () => ({ ...server, connection: single }));
  }
  const { replicas = [], ...first } = connection;
  if (replicas.length === 0) return [server];
  return [first.url, ...replicas].map((url) => ({ ...server, connection: { ...first, url } }));
}

export class LoadBalancer implements ServerHandle {
  readonly server: ServerConfig;
  readonly #options: ServerHandleOptions;
  readonly #cooldownMs: number;
  readonly #hasAffinity: boolean;
  readonly #instances: Instance[];
  readonly #sessions = new Map<string, Instance>();
  readonly #subscribedUris = new Set<string>();
  #turn = 0;

  constructor(server: ServerConfig, configs: ServerConfig[], options: ServerHandleOptions) {
    this.server = server;
    this.#options = options;
    this.#cooldownMs = { ...defaultTuning, ...options.tuning }.cooldownMs;
    this.#hasAffinity = server.lifecycle?.affinity !== 'none';
    this.#instances = configs.map((config, index) => this.#createInstance(config, index));
  }

  get state(): ServerState {
    return {
      ...combinedState(this.#lead(), this.#instances),
      instances: this.#instances.map((instance) => {
        const isCoolingDown = instance.coolsDownUntil > Date.now();
        return { ...instanceState(instance), ...(isCoolingDown && { breaker: 'open' }) };
      }),
    };
  }

  async start(signal?: AbortSignal): Promise<ServerInfo> {
    if (this.server.lifecycle?.keepAlive)
      for (const { handle } of this.#instances) handle.start().catch(() => undefined);
    const lead = this.#lead();
    if (isReady(lead)) return lead.handle.start(signal);
    return this.#use({ signal }, new Set(), ({ handle }) => handle.start(signal));
  }

  async request(r: OutgoingRequest): Promise<RawResult> {
    if (r.method === 'resources/subscribe') return this.#subscribe(r);
    if (r.method === 'resources/unsubscribe') return this.#unsubscribe(r);
    if (r.passive) return this.#lead().handle.request(r);
    const tried = new Set<Instance>();
    for (;;) {
      try {
        return await this.#use(r, tried, (instance) => this.#run(instance, r));
      } catch (error) {
        const isLost = instanceLosses.has(codeOf(error) as FailureCode);
        if (!isLost || !r.mayRepeat || tried.size === this.#instances.length || r.signal?.aborted) throw error;
      }
    }
  }

  keepRunning(): () => void {
    return keepAllRunning(this.#instances);
  }

  async notify(method: string, params?: Params): Promise<void> {
    await Promise.all(this.#instances.map(({ handle }) => handle.notify(method, params)));
  }

  endSession(session: string): void {
    this.#sessions.delete(session);
  }

  logLevelChanged(): void {
    for (const { handle } of this.#instances) handle.logLevelChanged();
  }

  async stop(): Promise<void> {
    this.#sessions.clear();
    for (const instance of this.#instances) {
      instance.consecutiveFailures = 0;
      instance.coolsDownUntil = 0;
    }
    await Promise.all(this.#instances.map(({ handle }) => handle.stop()));
  }

  #createInstance(config: ServerConfig, index: number): Instance {
    const { authorization } = this.#options;
    const instance: Instance = {
      number: index + 1,
      handle: new ManagedServer(config, {
        ...this.#options,
        onState: (state) => this.#stateChanged(instance, state),
        onServerRequest: (request, signal) =>
          request.method === 'roots/list' ? undefined : this.#options.onServerRequest?.(request, signal),
        authorization: authorization && ((url) => authorization(url, index)),
      }),
      ...noCalls,
      consecutiveFailures: 0,
      coolsDownUntil: 0,
      isDown: false,
      subscriptions: new Set(),
    };
    return instance;
  }

  #stateChanged(instance: Instance, { status }: ServerState): void {
    if (status === 'failed') instance.isDown = true;
    else if (status !== 'starting') instance.isDown = false;
    if (status === 'ready')
      for (const uri of this.#subscribedUris) void this.#subscribeOn(instance, uri).catch(() => undefined);
    this.#options.onState(this.state);
  }

  /** The instance that represents the server. Lists come from the same instance as long as it runs. */
  #lead(): Instance {
    const first = (status: ServerState['status']) =>
      this.#instances.find(({ handle }) => handle.state.status === status);
    return first('ready') ?? first('starting') ?? first('idle') ?? (this.#instances[0] as Instance);
  }

  /** The healthy instance with the fewest active calls; round robin among equals. Any instance if none is healthy. */
  #pick(session: string | undefined, excluded: ReadonlySet<Instance>): Instance {
    const candidates = this.#instances.filter((instance) => !excluded.has(instance));
    for (const instance of candidates) this.#tryRecovery(instance);
    const healthy = candidates.filter((instance) => !instance.isDown && instance.coolsDownUntil <= Date.now());
    const own = session === undefined || !this.#hasAffinity ? undefined : this.#sessions.get(session);
    if (own && healthy.includes(own)) return this.#remember(session, own);
    const pool = healthy.length > 0 ? healthy : candidates;
    const offset = this.#turn % pool.length;
    this.#turn += 1;
    const rotated = [...pool.slice(offset), ...pool.slice(0, offset)];
    const leastBusy = rotated.reduce((best, instance) => (instance.active < best.active ? instance : best));
    return this.#remember(session, leastBusy);
  }

  #remember(session: string | undefined, instance: Instance): Instance {
    if (session === undefined || !this.#hasAffinity) return instance;
    this.#sessions.delete(session);
    this.#sessions.set(session, instance);
    if (this.#sessions.size > maxSessions) this.#sessions.delete(this.#sessions.keys().next().value as string);
    return instance;
  }

  /** Restarts a failed instance in the background, as soon as its own breaker and backoff allow it. */
  #tryRecovery({ handle, isDown }: Instance): void {
    const { status, breaker, failure } = handle.state;
    if (!isDown || status !== 'failed' || breaker === 'open') return;
    if (failure && needsUser.includes(failure.code)) return;
    handle.start().catch(() => undefined);
  }

  /**
   * Runs `work` on a running instance. If an instance cannot be started, it never got the call, so the next one is
   * tried.
   */
  async #use<T>(
    { session, signal }: Pick<OutgoingRequest, 'session' | 'signal'>,
    tried: Set<Instance>,
    work: (instance: Instance) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const instance = this.#pick(session, tried);
      let isUp = isReady(instance);
      instance.active += 1;
      try {
        if (!isUp) await instance.handle.start(signal);
        isUp = true;
        return await work(instance);
      } catch (error) {
        tried.add(instance);
        if (isUp || tried.size === this.#instances.length || codeOf(error) === 'CANCELLED') throw error;
      } finally {
        instance.active -= 1;
      }
    }
  }

  async #run(instance: Instance, r: OutgoingRequest): Promise<RawResult> {
    instance.total += 1;
    try {
      const result = await instance.handle.request(withoutRoots(r));
      instance.consecutiveFailures = 0;
      return result;
    } catch (error) {
      instance.failed += 1;
      const code = codeOf(error);
      if (code === undefined) instance.consecutiveFailures = 0;
      else if (instanceFailures.has(code)) {
        instance.consecutiveFailures += 1;
        if (instance.consecutiveFailures >= failuresToCooldown) instance.coolsDownUntil = Date.now() + this.#cooldownMs;
      }
      throw instanceLosses.has(code as FailureCode) ? this.#withInstance(error as ToolkeepError, instance) : error;
    }
  }

  /** Subscribes on every running instance, because any of them may notice the change first. */
  async #subscribe(r: OutgoingRequest): Promise<RawResult> {
    const uri = String(r.params?.uri);
    const running = this.#instances.filter(isReady);
    const result = await this.#use(r, new Set(), (instance) => this.#subscribeOn(instance, uri, r));
    this.#subscribedUris.add(uri);
    for (const instance of running) void this.#subscribeOn(instance, uri).catch(() => undefined);
    return result;
  }

  /** The instance keeps the subscription across its restarts. */
  async #subscribeOn(instance: Instance, uri: string, r?: OutgoingRequest): Promise<RawResult> {
    if (instance.subscriptions.has(uri)) return {};
    instance.subscriptions.add(uri);
    try {
      return await instance.handle.request(r ?? { method: 'resources/subscribe', params: { uri } });
    } catch (error) {
      instance.subscriptions.delete(uri);
      throw error;
    }
  }

  async #unsubscribe(r: OutgoingRequest): Promise<RawResult> {
    const uri = String(r.params?.uri);
    this.#subscribedUris.delete(uri);
    const subscribed = this.#instances.filter(({ subscriptions }) => subscriptions.delete(uri));
    const [result] = await Promise.all(subscribed.map(({ handle }) => handle.request(r)));
    return result ?? {};
  }

  #withInstance(error: ToolkeepError, { number }: Instance): ToolkeepError {
    const { message, hint, ...failure } = error.failure;
    return new ToolkeepError(
      {
        ...failure,
        message: `${message} It was instance ${number} of ${this.#instances.length}.`,
        hint: hint ?? 'The call may have taken effect. The next one goes to another instance.',
      },
      { cause: error.cause },
    );
  }
}

/** All clients share the instances, so a legacy server, which would keep the roots, receives an empty list. */
function withoutRoots(r: OutgoingRequest): OutgoingRequest {
  const { onServerRequest } = r;
  if (!onServerRequest) return r;
  return {
    ...r,
    onServerRequest: async (request, signal) => {
      const isKept = request.method === 'roots/list' && request.key === undefined;
      return isKept ? { roots: [] } : onServerRequest(request, signal);
    },
  };
}

const isReady = ({ handle }: Instance) => handle.state.status === 'ready';

/** Undefined if the server itself sent an error response, which means that the instance is healthy. */
function codeOf(error: unknown): FailureCode | undefined {
  return error instanceof ToolkeepError ? error.failure.code : undefined;
}
