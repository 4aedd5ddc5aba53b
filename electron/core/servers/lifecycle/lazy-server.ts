/** A server that has not been used yet. Most of a thousand configured servers never start, so each must cost almost nothing. */
import type { ServerConfig } from '../../../../shared/model/server.ts';
import type { OutgoingRequest, Params, ServerHandle, ServerState } from '../types.ts';

const initialState: ServerState = { status: 'idle', phases: [], restarts: 0, breaker: 'closed', warnings: [] };

/** Creates the actual handle on first use. */
export class LazyServer implements ServerHandle {
  readonly server: ServerConfig;
  readonly #create: () => ServerHandle;
  #created: ServerHandle | undefined;

  constructor(server: ServerConfig, create: () => ServerHandle) {
    this.server = server;
    this.#create = create;
  }

  get #handle(): ServerHandle {
    this.#created ??= this.#create();
    return this.#created;
  }

  get state(): ServerState {
    return this.#created?.state ?? initialState;
  }

  start(signal?: AbortSignal) {
    return this.#handle.start(signal);
  }

  request(r: OutgoingRequest) {
    return this.#handle.request(r);
  }

  keepRunning() {
    return this.#handle.keepRunning();
  }

  async notify(method: string, params?: Params) {
    await this.#created?.notify(method, params);
  }

  logLevelChanged() {
    this.#created?.logLevelChanged();
  }

  async stop() {
    await this.#created?.stop();
  }
}
