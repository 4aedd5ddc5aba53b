/** One call that continues without its client's request: its state, its result, and the server's questions meanwhile. */
import { randomUUID } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ClientRequest, JsonObject } from '../../types.ts';

export type Outcome = { result: JsonObject } | { error: unknown };
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export interface Task {
  readonly id: string;
  /** ID of the session that made the call. To all others, the task does not exist. */
  readonly owner: string;
  readonly createdAt: number;
  /** Aborted when the task is cancelled or expires. */
  readonly signal: AbortSignal;
  /** Resolves when the task has its outcome. */
  readonly ended: Promise<Outcome>;
  outcome(): Outcome | undefined;
  status(): TaskStatus;
  updatedAt(): number;
  /** Call when the client has received the task's state, and the outcome if there is one. */
  fetched(): void;
  /** False if the client has the outcome or has cancelled the task. */
  isUnfetched(): boolean;
  /** The tool's last message about its progress. */
  message: string | undefined;
  end(outcome: Outcome): void;
  /** Cancels the task and aborts `signal`, so that the server is notified. */
  cancel(reason: string): void;
  /** Asks the client as soon as it fetches the task's questions. */
  readonly ask: ClientRequest;
  /** The questions without an answer, by key. */
  questions(): Record<string, { method: string; params: JsonObject }>;
  /** Takes the client's answers. Ignores answers to questions that are not open. */
  answer(answers: Record<string, unknown>): void;
  /** Sends open and later questions through `request` until `signal` aborts. */
  sendTo(request: ClientRequest, signal: AbortSignal): void;
  /** Calls `listener` when the status or the questions may have changed, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

interface Question {
  method: string;
  params: JsonObject;
  signal: AbortSignal;
  resolve(answer: JsonObject): void;
  reject(error: unknown): void;
}

export function createTask(owner: string): Task {
  const controller = new AbortController();
  const ended = Promise.withResolvers<Outcome>();
  const questions = new Map<string, Question>();
  /** A key names one question for the lifetime of the task. */
  const usedKeys = new Set<string>();
  const listeners = new Set<() => void>();
  const createdAt = Date.now();
  let updatedAt = createdAt;
  let outcome: Outcome | undefined;
  let isCancelled = false;
  let isFetched = false;
  let send: ((key: string) => void) | undefined;

  function changed(): void {
    for (const listener of listeners) listener();
  }

  function end(given: Outcome): void {
    if (outcome) return;
    outcome = given;
    updatedAt = Date.now();
    ended.resolve(given);
    changed();
  }

  function settle(key: string, by: (question: Question) => void): void {
    const question = questions.get(key);
    questions.delete(key);
    updatedAt = Date.now();
    if (question) by(question);
    changed();
  }

  function status(): TaskStatus {
    if (isCancelled) return 'cancelled';
    if (outcome) return 'result' in outcome ? 'completed' : 'failed';
    return questions.size > 0 ? 'input_required' : 'working';
  }

  return {
    id: randomUUID(),
    owner,
    createdAt,
    signal: controller.signal,
    ended: ended.promise,
    message: undefined,
    outcome: () => outcome,
    fetched() {
      isFetched = outcome !== undefined;
    },
    isUnfetched: () => !isFetched && !isCancelled,
    status,
    updatedAt: () => updatedAt,
    end,
    cancel(reason) {
      if (outcome) return;
      isCancelled = true;
      end({ error: new ProtocolError(ProtocolErrorCode.InternalError, reason) });
      controller.abort(new Error(reason));
    },
    ask: (method, params, signal, wanted) =>
      new Promise<JsonObject>((resolve, reject) => {
        const key = wanted === undefined || usedKeys.has(wanted) ? randomUUID() : wanted;
        usedKeys.add(key);
        const until = AbortSignal.any([signal, controller.signal]);
        if (until.aborted) return reject(until.reason);
        until.addEventListener('abort', () => settle(key, () => reject(until.reason)), { once: true });
        questions.set(key, { method, params, signal: until, resolve, reject });
        updatedAt = Date.now();
        send?.(key);
        changed();
      }),
    questions: () => Object.fromEntries([...questions].map(([key, { method, params }]) => [key, { method, params }])),
    answer(answers) {
      for (const [key, answer] of Object.entries(answers))
        if (questions.has(key)) settle(key, ({ resolve }) => resolve(answer as JsonObject));
    },
    sendTo(request, signal) {
      const deliver = (key: string) => {
        const { method, params, signal: until } = questions.get(key) as Question;
        request(method, params, AbortSignal.any([until, signal])).then(
          (answer) => settle(key, ({ resolve }) => resolve(answer)),
          // If only this client request ended, the next one may still ask the question.
          (error) => !signal.aborted && settle(key, ({ reject }) => reject(error)),
        );
      };
      send = deliver;
      const stop = () => {
        if (send === deliver) send = undefined;
      };
      signal.addEventListener('abort', stop, { once: true });
      for (const key of questions.keys()) deliver(key);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
