/**
 * A client's MCP session, which outlives the Core that serves it. Passes lines in both directions and restores the
 * session in a new Core. Every client request is answered exactly once: by the Core that received it, or here with
 * CORE_RESTARTED. A request that may have had an effect is never sent to a second Core. Knows nothing of sockets or
 * processes.
 */
import { parseJson } from '../../shared/parse-json.ts';
import { createClientState } from './client-state.ts';
import { createCoreRequests } from './core-requests.ts';
import type { FirstAnswers } from './first-answers.ts';
import { type Id, keyOf, type Message, modernKey, readClientLine, readCoreLine } from './messages.ts';

export type BridgeSession = ReturnType<typeof createBridgeSession>;

export interface BridgeFailure {
  message: string;
  /** One of Toolkeep's failure codes. */
  code: string;
}

export interface SessionEnds {
  toClient(line: Buffer | string): void;
  toCore(line: Buffer | string): void;
  /** Called when a line has to wait because no Core is connected. */
  onWaiting(): void;
  /** The answers to a client's first requests while no Core has been connected. */
  first: FirstAnswers;
}

interface Pending {
  id: Id;
  method: string;
  line: Buffer | string;
  isModern: boolean;
}

/** Requests that are safe to repeat: if a Core ends before it answers, the next Core answers instead. */
const repeatable: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'server/discover',
  'subscriptions/listen',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/subscribe',
  'resources/unsubscribe',
  'logging/setLevel',
]);

const restarted =
  'Toolkeep restarted while this call was in progress, so it may have run. Check its effect before you call again.';

export function createBridgeSession({ toClient, toCore, onWaiting, first }: SessionEnds) {
  const inFlight = new Map<string, Pending>();
  /** Lines to send once a Core is connected, in order. */
  let waiting: { line: Buffer | string; messages: Message[] }[] = [];
  let state: 'none' | 'restoring' | 'open' = 'none';
  /** True while the first Core starts. */
  let isStarting = false;
  const client = createClientState();
  const coreRequests = createCoreRequests();
  const ownRequests = createOwnRequests(toCore);

  function fromClient(line: Buffer): void {
    const messages = readClientLine(line);
    const answers = messages.filter(isResponse);
    if (answers.length === 0) pass(line, messages);
    else if (messages.length === 1) answerCore(answers[0] as Message, line);
    else {
      // A batch: pass each response on separately, and the remaining messages as a batch.
      for (const message of answers) answerCore(message);
      const rest = messages.filter((message) => !isResponse(message));
      if (rest.length > 0) pass(JSON.stringify(rest), rest);
    }
  }

  function pass(line: Buffer | string, messages: Message[]): void {
    const cancelled = messages.length === 1 ? cancelledBy(messages[0]) : undefined;
    if (state === 'open') send(line, messages);
    else if (isStarting && isAnsweredHere(messages, line)) return;
    else if (cancelled !== undefined) {
      // The request was never sent, so drop both the request and its cancellation.
      waiting = waiting.filter((one) => one.messages.length !== 1 || keyOf(one.messages[0]?.id) !== cancelled);
    } else {
      waiting.push({ line, messages });
      if (state === 'none') onWaiting();
    }
  }

  /** Answers a first request with what the last Core answered. */
  function isAnsweredHere([message, ...others]: Message[], line: Buffer | string): boolean {
    if (!message || others.length > 0) return false;
    const { id, method } = message;
    if (method === 'notifications/initialized' && first.isRepeating()) {
      client.record(message, line);
      return true;
    }
    if (id === undefined || id === null || isModern(message.params)) return false;
    const result = first.resultFor(message);
    if (result === undefined) return false;
    const response = JSON.stringify({ jsonrpc: '2.0', id, result });
    client.record(message, line);
    client.recordResponse(keyOf(id), Buffer.from(response));
    toClient(response);
    return true;
  }

  function send(line: Buffer | string, messages: Message[]): void {
    for (const message of messages) remember(message, messages.length === 1 ? line : JSON.stringify(message));
    toCore(line);
  }

  function remember(message: Message, line: Buffer | string): void {
    const { id, method, params } = message;
    if (method === undefined) return;
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) inFlight.delete(cancelled);
    client.record(message, line);
    if (id === undefined || id === null) return;
    inFlight.set(keyOf(id), { id, method, line, isModern: isModern(params) });
  }

  /** Passes a client response to the Core that asked; drops responses to earlier Cores. */
  function answerCore(message: Message, line?: Buffer): void {
    const response = coreRequests.responseForCore(message, line);
    if (response !== undefined) toCore(response);
  }

  function fromCore(line: Buffer): void {
    const read = readCoreLine(line);
    if (read.kind === 'response') answerClient(keyOf(read.id), line);
    else if (read.kind === 'message') {
      if (read.message.method === 'notifications/tools/list_changed') {
        first.forget();
        // Not every client lists the tools again.
        ownRequests.send('tools/list', {}, ({ result }) => first.keepTools(result));
      }
      toClient(coreRequests.forClient(read.message, line));
    } else toClient(line);
  }

  function answerClient(key: string, line: Buffer): void {
    if (ownRequests.takeResponse(key, line)) return;
    const request = inFlight.get(key);
    inFlight.delete(key);
    if (request && !request.isModern && firstMethods.has(request.method))
      for (const message of readClientLine(Buffer.from(request.line))) first.record(message, line);
    client.recordResponse(key, line);
    toClient(line);
  }

  /** Call when the first search finds no Core, so that one has to start. */
  function starting(): void {
    if (isStarting) return;
    isStarting = true;
    waiting = waiting.filter(({ line, messages }) => !isAnsweredHere(messages, line));
  }

  /** Call when a Core connects. Restores the session, then sends the waiting lines. */
  function connected(): void {
    const isFirst = isStarting && first.isRepeating();
    isStarting = false;
    coreRequests.startCore();
    if (!client.isInitialized()) {
      open();
      return;
    }
    state = 'restoring';
    client.restore({ send: toCore, request: ownRequests.send }, (isDifferent, initialize) => {
      open();
      if (isFirst)
        ownRequests.send('tools/list', {}, ({ result }) => {
          if (first.replace(initialize, result) && !isDifferent) toClient(listChanged('tools'));
        });
      if (!isDifferent) return;
      // The Core is another version or has other servers, so the client's lists may be out of date.
      for (const what of ['tools', 'prompts', 'resources']) toClient(listChanged(what));
    });
  }

  function open(): void {
    state = 'open';
    for (const { line, messages } of waiting.splice(0)) send(line, messages);
  }

  /** Call when the connection to Core is lost. Incomplete lines from Core are discarded. */
  function lost(): void {
    state = 'none';
    ownRequests.clear();
    for (const notification of coreRequests.cancelAll()) toClient(notification);
    const again: typeof waiting = [];
    for (const { id, method, line, isModern: modern } of inFlight.values()) {
      if (repeatable.has(method)) again.push({ line, messages: readClientLine(Buffer.from(line)) });
      else toClient(JSON.stringify(restartAnswer(id, method, modern)));
    }
    inFlight.clear();
    waiting = [...again, ...waiting];
    if (waiting.length > 0) onWaiting();
  }

  /** Call if no Core can be reached: answers every waiting request with this error. Returns the number of answers. */
  function unreachable({ message, code }: BridgeFailure): number {
    const requests = waiting
      .splice(0)
      .flatMap(({ messages }) => messages)
      .filter(({ id, method }) => id !== undefined && id !== null && method !== undefined);
    for (const { id } of requests)
      toClient(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message, data: { code } } }));
    return requests.length;
  }

  return {
    fromClient,
    fromCore,
    starting,
    connected,
    lost,
    unreachable,
    /** True while lines are waiting for a Core. */
    isWaiting: (): boolean => waiting.length > 0,
  };
}

/** The requests whose answers `first` keeps. */
const firstMethods: ReadonlySet<string> = new Set(['initialize', 'tools/list']);

const listChanged = (what: string) => JSON.stringify({ jsonrpc: '2.0', method: `notifications/${what}/list_changed` });

const isResponse = ({ id, method }: Message) => method === undefined && id !== undefined && id !== null;

/** The key of the request that this message cancels, if it is a cancellation. */
function cancelledBy(message: Message | undefined): string | undefined {
  return message?.method === 'notifications/cancelled' ? keyOf(message.params?.requestId) : undefined;
}

function isModern(params: Message['params']): boolean {
  const meta = params?._meta;
  return typeof meta === 'object' && meta !== null && modernKey in meta;
}

/**
 * A tool call gets an error result that the agent can read, in the form of every Toolkeep failure; other requests get
 * a JSON-RPC error.
 */
function restartAnswer(id: Id, method: string, modern: boolean): object {
  if (method !== 'tools/call')
    return { jsonrpc: '2.0', id, error: { code: -32000, message: restarted, data: { code: 'CORE_RESTARTED' } } };
  const text = JSON.stringify({ success: false, error: { code: 'CORE_RESTARTED', message: restarted } });
  const result = { content: [{ type: 'text', text }], isError: true };
  return { jsonrpc: '2.0', id, result: modern ? { resultType: 'complete', ...result } : result };
}

function createOwnRequests(toCore: (line: string) => void) {
  const open = new Map<string, (response: Message) => void>();
  let last = 0;

  return {
    send(method: string, params: unknown, onResponse: (response: Message) => void): void {
      last += 1;
      const id = `toolkeep-bridge-${last}`;
      open.set(keyOf(id), onResponse);
      toCore(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    },
    /** Consumes the response to one of these requests; returns false for any other response. */
    takeResponse(key: string, line: Buffer): boolean {
      const onResponse = open.get(key);
      if (!onResponse) return false;
      open.delete(key);
      onResponse((parseJson(line.toString()) ?? {}) as Message);
      return true;
    },
    /** Call when the connection to Core is lost. */
    clear: (): void => open.clear(),
  };
}
