/**
 * One server for clients that must not share a process. A server that asks for roots keeps the answer, so one client's
 * roots must never reach an instance that another client uses. Each set of roots gets its own instance, and clients
 * without roots share one that receives no roots. With `instances: per-folder`, each instance also starts in its
 * folder. A server that keeps a page or a terminal open for its client has an instance for each client.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../../../shared/failure.ts';
import { limits } from '../../../../shared/limits.ts';
import type { ServerConfig } from '../../../../shared/model/server.ts';
import type { Store } from '../../settings.ts';
import { isKnownToKeepState } from '../keeps-state.ts';
import { firstFolder, type Root, rootsKey } from '../roots.ts';
import type {
  OutgoingRequest,
  Params,
  RawResult,
  ServerHandle,
  ServerHandleOptions,
  ServerInfo,
  ServerState,
} from '../types.ts';
import { erasOf } from './eras.ts';
import {
  type CountedInstance,
  combinedState,
  initialState,
  instanceState,
  keepAllRunning,
  noCalls,
} from './instances.ts';
import { ManagedServer } from './managed-server.ts';

interface Instance extends CountedInstance {
  /** The roots that the process has received; undefined if it has received none. */
  roots: readonly Root[] | undefined;
  /** The client that alone uses the instance. */
  session: string | undefined;
  /** Whether the process has had the time to take its roots. */
  hasTakenRoots: boolean;
  /** Resolved when the process asks for its roots outside of calls. */
  rootsAsked: PromiseWithResolvers<void>;
}

/** Milliseconds that the first call waits for a server to ask for roots, and to use them. */
const rootsWaitMs = 1_000;

export class ClientInstances implements ServerHandle {
  readonly server: ServerConfig;
  readonly #options: ServerHandleOptions;
  readonly #isPerFolder: boolean;
  #isPerClient: boolean;
  /** By the key of client and roots, least recently used first. The instance that clients share without roots has the key ''. */
  readonly #instances = new Map<string, Instance>();
  readonly #subscriptions = new Map<string, Set<Instance>>();

  constructor(server: ServerConfig, options: ServerHandleOptions) {
    this.server = server;
    this.#options = options;
    this.#isPerFolder = isPerFolder(server);
    this.#isPerClient = isPerClient(server, options.host.store);
  }

  get state(): ServerState {
    const [first] = this.#instances.values();
    // Most of a thousand configured servers never start, so a server that has not been used yet has no instance.
    if (!first) return initialState;
    if (this.#instances.size === 1) return first.handle.state;
    const started = [...this.#instances.values()].filter(({ handle }) => handle.state.status !== 'idle');
    return {
      ...combinedState(this.#lead(), this.#instances.values()),
      ...(started.length > 1 && { instances: started.map(instanceState) }),
    };
  }

  start(signal?: AbortSignal): Promise<ServerInfo> {
    return this.#lead().handle.start(signal);
  }

  async request(r: OutgoingRequest): Promise<RawResult> {
    if (r.method === 'resources/unsubscribe') return this.#unsubscribe(r);
    if (r.passive) return this.#lead().handle.request(r);
    // Treats a caller that does not list its roots like one without roots.
    const roots = r.roots && this.#usesRoots() ? await r.roots().catch(() => undefined) : undefined;
    const instance = this.#instanceFor(roots, this.#isPerClient ? r.session : undefined);
    instance.active += 1;
    instance.total += 1;
    try {
      if (roots && !instance.hasTakenRoots) await this.#untilRoots(instance, r.signal);
      const result = await instance.handle.request(this.#withOwnRoots(r, instance));
      if (r.method === 'resources/subscribe') this.#subscribers(String(r.params?.uri)).add(instance);
      return result;
    } catch (error) {
      instance.failed += 1;
      throw error;
    } finally {
      instance.active -= 1;
    }
  }

  keepRunning(): () => void {
    return keepAllRunning(this.#instances.values());
  }

  async notify(method: string, params?: Params): Promise<void> {
    // An instance's roots never change: after a change, the client's next call goes to another instance.
    const concerned = [...this.#instances.values()].filter(
      ({ roots }) => method !== 'notifications/roots/list_changed' || roots === undefined,
    );
    await Promise.all(concerned.map(({ handle }) => handle.notify(method, params)));
  }

  logLevelChanged(): void {
    for (const { handle } of this.#instances.values()) handle.logLevelChanged();
  }

  toolsChanged(): void {
    this.#isPerClient = isPerClient(this.server, this.#options.host.store);
  }

  endSession(session: string): void {
    for (const [key, instance] of this.#instances) {
      if (instance.session !== session) continue;
      this.#instances.delete(key);
      void instance.handle.stop().catch(() => undefined);
    }
  }

  async stop(): Promise<void> {
    const instances = [...this.#instances.values()];
    await Promise.all(instances.map(({ handle }) => handle.stop()));
    for (const instance of instances) instance.roots = undefined;
  }

  /** The instance that represents the server. Lists come from the same instance as long as it runs. */
  #lead(): Instance {
    const shared = this.#instanceFor(undefined);
    const all = [shared, ...this.#instances.values()];
    return all.find(({ handle }) => handle.state.status === 'ready') ?? shared;
  }

  #usesRoots(): boolean {
    return usesRoots(this.server, this.#options.host.store);
  }

  #instanceFor(roots: readonly Root[] | undefined, session?: string): Instance {
    const key = roots || session !== undefined ? keyOf(roots, session) : '';
    let instance = this.#instances.get(key);
    if (!instance) {
      if (key !== '') this.#makeRoom(session);
      instance = (session && !roots && this.#takeUnused(session)) || this.#createInstance(roots, session);
    }
    this.#instances.delete(key);
    this.#instances.set(key, instance);
    return instance;
  }

  /** The instance that was started for the lists, if no call has used it yet. */
  #takeUnused(session: string): Instance | undefined {
    const shared = this.#instances.get('');
    if (!shared || shared.total > 0 || shared.roots) return undefined;
    this.#instances.delete('');
    shared.session = session;
    return shared;
  }

  #createInstance(roots: readonly Root[] | undefined, session: string | undefined): Instance {
    const folder = this.#isPerFolder ? firstFolder(roots) : undefined;
    const instance: Instance = {
      roots,
      session,
      hasTakenRoots: false,
      rootsAsked: Promise.withResolvers(),
      ...noCalls,
      handle: new ManagedServer(this.server, {
        ...this.#options,
        resolve: (connection) => this.#options.resolve(connection, folder),
        onState: (state) => {
          // A new process has no roots yet. A process with its own roots only ever receives those.
          if (state.status === 'starting') {
            instance.hasTakenRoots = false;
            instance.rootsAsked = Promise.withResolvers();
            if (!roots) instance.roots = undefined;
          }
          this.#options.onState(this.state);
        },
        onServerRequest: (request, signal) => {
          if (request.method !== 'roots/list') return this.#options.onServerRequest?.(request, signal);
          return this.#answerOutsideCalls(instance, signal);
        },
      }),
    };
    return instance;
  }

  /**
   * Removes an instance if there are too many: one that has stopped, or else the least recently used one of this client or
   * of no client. Another client's instance keeps its page or terminal.
   */
  #makeRoom(session: string | undefined): void {
    const own = [...this.#instances].filter(([key]) => key !== '');
    if (own.length < limits.server.processes) return;
    const unused = own.filter(([, { active }]) => active === 0);
    const found =
      unused.find(([, { handle }]) => handle.state.status === 'idle') ??
      unused.find(([, one]) => one.session === undefined || one.session === session);
    if (!found) throw tooMany(this.server.name);
    this.#instances.delete(found[0]);
    void found[1].handle.stop().catch(() => undefined);
  }

  /** Outside calls, roots are certain only if no other client shares the instance. */
  async #answerOutsideCalls(instance: Instance, signal: AbortSignal): Promise<RawResult> {
    this.#rememberUse();
    if (!instance.roots) {
      const answer = this.#options.onServerRequest?.({ method: 'roots/list', params: {} }, signal);
      this.#bind(instance, await answer?.catch(() => undefined));
    }
    instance.rootsAsked.resolve();
    return { roots: instance.roots ?? [] };
  }

  /** Starts the process, and waits briefly until it uses the roots for which it asks: a call before that meets none. */
  async #untilRoots(instance: Instance, signal?: AbortSignal): Promise<void> {
    const { handle } = instance;
    const startedAt = performance.now();
    await handle.start(signal);
    const startMs = performance.now() - startedAt;
    if (handle.state.era !== 'modern' && asksForRoots(this.server, this.#options.host.store)) {
      const used = instance.rootsAsked.promise.then(() => this.#fewTurns(handle, startMs / 4)).catch(() => undefined);
      await Promise.race([used, sleep(rootsWaitMs, undefined, { ref: false })]);
    }
    instance.hasTakenRoots = true;
  }

  /**
   * Servers check folders on the disk before they use them. Each answer to a ping shows that they had a turn for it, and a
   * machine on which they started slowly also checks slowly.
   */
  async #fewTurns(handle: ServerHandle, leastMs: number): Promise<void> {
    const until = performance.now() + leastMs;
    for (let turns = 0; turns < 5 || performance.now() < until; turns += 1)
      await handle.request({ method: 'ping', timeoutMs: rootsWaitMs, passive: true });
  }

  /** Answers a legacy server's `roots/list`. In the modern era, a server keeps no state, so it may ask the caller. */
  #withOwnRoots(r: OutgoingRequest, instance: Instance): OutgoingRequest {
    const { onServerRequest } = r;
    if (!onServerRequest) return r;
    return {
      ...r,
      onServerRequest: async (request, signal) => {
        if (request.method !== 'roots/list' || request.key !== undefined) return onServerRequest(request, signal);
        this.#rememberUse();
        // With several calls in progress, we cannot know whose roots the server wants.
        if (!instance.roots) {
          const result = request.origins ? { roots: [] } : await onServerRequest(request, signal);
          this.#bind(instance, result);
        }
        return { roots: instance.roots ?? [] };
      },
    };
  }

  /** Reserves the instance for clients with these roots. */
  #bind(instance: Instance, answer: RawResult | undefined): void {
    if (instance.roots) return;
    instance.roots = Array.isArray(answer?.roots) ? (answer.roots as Root[]) : [];
    const { session } = instance;
    const [before, key] = [keyOf(undefined, session), keyOf(instance.roots, session)];
    if (key === before || this.#instances.has(key)) return;
    if (this.#instances.get(before) === instance) this.#instances.delete(before);
    this.#instances.set(key, instance);
  }

  /** Stores that the server uses roots, because Toolkeep must know this before the first call of its next run. */
  #rememberUse(): void {
    const eras = erasOf(this.#options.host.store);
    eras.learn(this.server.name, { era: 'legacy', ...eras.get(this.server.name), usesRoots: true });
  }

  #subscribers(uri: string): Set<Instance> {
    const subscribers = this.#subscriptions.get(uri) ?? new Set();
    this.#subscriptions.set(uri, subscribers);
    return subscribers;
  }

  async #unsubscribe(r: OutgoingRequest): Promise<RawResult> {
    const subscribers = [...this.#subscribers(String(r.params?.uri))];
    this.#subscriptions.delete(String(r.params?.uri));
    const [result] = await Promise.all(subscribers.map(({ handle }) => handle.request(r)));
    return result ?? {};
  }
}

const tooMany = (server: string) =>
  fail('SERVER_FULL', `"${server}" already has ${limits.server.processes} processes, which other clients use.`, {
    server,
    hint: 'Disconnect a client, or wait until its process has been idle. `instances: 1` makes all clients share one.',
  });

const keyOf = (roots: readonly Root[] | undefined, session = '') =>
  session === '' ? rootsKey(roots) : JSON.stringify([session, rootsKey(roots)]);

/** Whether each client has an instance of its own. */
export function isPerClient(server: ServerConfig, store: Store): boolean {
  return configuredPerClient(server) ?? erasOf(store).get(server.name)?.keepsState === true;
}

function configuredPerClient({ connection }: ServerConfig): boolean | undefined {
  if (connection.type !== 'stdio') return false;
  if (connection.instances !== undefined) return connection.instances === 'per-client';
  return isKnownToKeepState(connection) || undefined;
}

/** Whether the server's behavior depends on the roots of the caller. */
export function usesRoots(server: ServerConfig, store: Store): boolean {
  return isPerFolder(server) || asksForRoots(server, store);
}

const asksForRoots = ({ name }: ServerConfig, store: Store) => erasOf(store).get(name)?.usesRoots === true;

export function isPerFolder({ connection }: ServerConfig): boolean {
  return connection.type === 'stdio' && connection.instances === 'per-folder';
}
