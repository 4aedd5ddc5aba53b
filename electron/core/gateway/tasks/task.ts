/** One call that continues without its client's request: its state, its result, and the server's questions meanwhile. */
import { randomUUID } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ClientRequest, JsonObject } from '../../types.ts';

export type Outcome = { result: JsonObject } | { error: unknown };
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

export type Task = ReturnType<typeof createTask>;

interface Question {
  method: string;
  params: JsonObject;
  signal: AbortSignal;
  resolve(answer: JsonObject): void;
  reject(error: unknown): void;
}

export function createTask(owner: string) {
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

  const ask: ClientRequest = (method, params, signal, wanted) =>
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
    });

  return {
    id: randomUUID() as string,
    /** ID of the session that made the call. To all others, the task does not exist. */
    owner,
    createdAt,
    /** Aborted when the task is cancelled or expires. */
    signal: controller.signal,
    /** Resolves when the task has its outcome. */
    ended: ended.promise,
    /** The tool's last message about its progress. */
    message: undefined as string | undefined,
    outcome: (): Outcome | undefined => outcome,
    /** Call when the client has received the task's state, and the outcome if there is one. */
    fetched(): void {
      isFetched = outcome !== undefined;
    },
    /** False if the client has the outcome or has cancelled the task. */
    isUnfetched: (): boolean => !isFetched && !isCancelled,
    status,
    updatedAt: (): number => updatedAt,
    end,
    /** Cancels the task and aborts `signal`, so that the server is notified. */
    cancel(reason: string): void {
      if (outcome) return;
      isCancelled = true;
      end({ error: new ProtocolError(ProtocolErrorCode.InternalError, reason) });
      controller.abort(new Error(reason));
    },
    /** Asks the client as soon as it fetches the task's questions. */
    ask,
    /** The questions without an answer, by key. */
    questions: (): Record<string, Pick<Question, 'method' | 'params'>> =>
      Object.fromEntries([...questions].map(([key, { method, params }]) => [key, { method, params }])),
    /** Takes the client's answers. Ignores answers to questions that are not open. */
    answer(answers: Record<string, unknown>): void {
      for (const [key, answer] of Object.entries(answers))
        if (questions.has(key)) settle(key, ({ resolve }) => resolve(answer as JsonObject));
    },
    /** Sends open and later questions through `request` until `signal` aborts. */
    sendTo(request: ClientRequest, signal: AbortSignal): void {
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
    /** Calls `listener` when the status or the questions may have changed, until the returned function is called. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
