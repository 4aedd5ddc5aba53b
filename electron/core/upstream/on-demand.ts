/** A server that nobody has needed yet: of a thousand configured ones most are never started, and cost next to nothing. */
import type { ServerConfig } from '../../../shared/model.ts';
import type { Params, Upstream, UpstreamRequest, UpstreamState } from './types.ts';

const untouched: UpstreamState = { status: 'idle', phases: [], restarts: 0, breaker: 'closed', warnings: [] };

/** What `make` makes, made when it is first used. */
export class OnDemand implements Upstream {
  readonly server: ServerConfig;
  readonly #make: () => Upstream;
  #made: Upstream | undefined;

  constructor(server: ServerConfig, make: () => Upstream) {
    this.server = server;
    this.#make = make;
  }

  get #upstream(): Upstream {
    this.#made ??= this.#make();
    return this.#made;
  }

  get state(): UpstreamState {
    return this.#made?.state ?? untouched;
  }

  start(signal?: AbortSignal) {
    return this.#upstream.start(signal);
  }

  request(r: UpstreamRequest) {
    return this.#upstream.request(r);
  }

  hold() {
    return this.#upstream.hold();
  }

  async notify(method: string, params?: Params) {
    await this.#made?.notify(method, params);
  }

  logLevelChanged() {
    this.#made?.logLevelChanged();
  }

  async stop() {
    await this.#made?.stop();
  }
}
