/** The client's session state that a new Core needs: its `initialize` request, log level and subscriptions. */
import { parseJson } from '../../shared/parse-json.ts';
import { type Id, keyOf, type Message } from './messages.ts';

export interface NewCore {
  send(line: Buffer): void;
  request(method: string, params: unknown, onResponse: (response: Message) => void): void;
}

export function createClientState() {
  let initialize: { id: Id; params: unknown; result?: string } | undefined;
  let initialized: Buffer | undefined;
  let logLevel: unknown;
  const subscriptions = new Map<string, unknown>();

  return {
    /** Records any session state that a client message sets. */
    record({ id, method, params }: Message, line: Buffer | string): void {
      if (method === 'notifications/initialized') initialized = Buffer.from(line);
      if (id === undefined || id === null) return;
      if (method === 'initialize') initialize = { id, params };
      if (method === 'logging/setLevel') logLevel = params;
      if (method === 'resources/subscribe') subscriptions.set(String(params?.uri), params);
      if (method === 'resources/unsubscribe') subscriptions.delete(String(params?.uri));
    },
    /** Records the response to the client's `initialize`; ignores every other response. */
    recordResponse(key: string, line: Buffer): void {
      if (initialize && initialize.result === undefined && key === keyOf(initialize.id))
        initialize.result = resultOf((parseJson(line.toString()) ?? {}) as Message);
    },
    /** True once a Core has answered the client's `initialize`. */
    isInitialized: (): boolean => initialize?.result !== undefined,
    /**
     * Restores the session in a new Core. `onRestored` receives whether its `initialize` response differs from the
     * previous one, and its result.
     */
    restore(core: NewCore, onRestored: (isDifferent: boolean, result: unknown) => void): void {
      const before = initialize;
      if (!before) return;
      core.request('initialize', before.params, (response) => {
        if (initialized) core.send(initialized);
        if (logLevel !== undefined) core.request('logging/setLevel', logLevel, () => undefined);
        for (const params of subscriptions.values()) core.request('resources/subscribe', params, () => undefined);
        const result = resultOf(response);
        const isDifferent = result !== before.result;
        before.result = result;
        onRestored(isDifferent, response.result);
      });
    },
  };
}

/** The content of an `initialize` response, without its id. */
const resultOf = ({ result, error }: Message): string => JSON.stringify([result, error]);
