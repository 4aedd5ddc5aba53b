/** The queue of questions to the person: identity, expiry, first answer wins, and the typed calls (rows B9 to B11). */
import { randomUUID } from 'node:crypto';
import { fail } from '../../../shared/failure.ts';
import { defaultAnswers, validateAnswers } from '../../../shared/form.ts';
import type { Answer, Field, Question } from '../../../shared/model.ts';
import type { Host } from '../host.ts';
import type { QuestionDraft } from './mcp.ts';
import { type TypedCalls, typedCalls } from './typed-calls.ts';

export { answerToMcp, type QuestionDraft, questionFromMcp } from './mcp.ts';

export interface AskOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  /** At expiry: `timeout` cancels, `default` accepts the fields' defaults, `error` rejects with ELICITATION_TIMEOUT. */
  fallback?: 'timeout' | 'default' | 'error' | undefined;
}

/** Row B10. */
export type ElicitationEvent =
  | { kind: 'requested'; question: Question }
  | { kind: 'responded'; question: Question; action: Answer['action'] }
  | { kind: 'timeout'; question: Question }
  | { kind: 'error'; question: Question; message: string };

export interface Elicitation extends TypedCalls {
  /** Resolves with the person's answer; cancels at once when nobody can be asked or too much is waiting already. */
  ask(draft: QuestionDraft, options?: AskOptions): Promise<Answer>;
  pending(): Question[];
  /** First answer wins. `problems` by field name when the answer does not fit the question. */
  answer(id: string, answer: Answer): { accepted: boolean; problems?: Record<string, string> };
  /** Somebody is there to ask. */
  canAsk(): boolean;
  /** A face that shows questions was attached; call the result when it goes. */
  faceOpened(): () => void;
  close(): void;
}

const defaultTimeoutMs = 120_000;
const maxPending = 200;
const maxPendingPerServer = 50;

interface Waiting {
  question: Question;
  settle(answer: Answer): void;
}

/** Creates the queue. `onEvent` hears everything; `onChange` the number of open questions. */
export function createElicitation(options: {
  host: Pick<Host, 'ask' | 'log'>;
  onChange(pending: number): void;
  onEvent?(event: ElicitationEvent): void;
}): Elicitation {
  const { host, onChange, onEvent } = options;
  const waiting = new Map<string, Waiting>();
  let faces = 0;
  const canAsk = () => faces > 0 || host.ask !== undefined;

  function tooMany(server: string | undefined): boolean {
    if (waiting.size >= maxPending) return true;
    const ofServer = [...waiting.values()].filter(({ question }) => question.from.server === server);
    return ofServer.length >= maxPendingPerServer;
  }

  async function ask(draft: QuestionDraft, askOptions: AskOptions = {}): Promise<Answer> {
    if (!canAsk() || tooMany(draft.from.server) || askOptions.signal?.aborted) return { action: 'cancel' };
    const timeoutMs = askOptions.timeoutMs ?? defaultTimeoutMs;
    const createdAt = Date.now();
    const question: Question = { ...draft, id: randomUUID(), createdAt, expiresAt: createdAt + timeoutMs };
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const withdrawn = new AbortController();
    const cancel = () => settle({ action: 'cancel' });
    const timer = setTimeout(expire, timeoutMs);
    askOptions.signal?.addEventListener('abort', cancel, { once: true });

    function leave(): boolean {
      if (!waiting.delete(question.id)) return false;
      clearTimeout(timer);
      askOptions.signal?.removeEventListener('abort', cancel);
      withdrawn.abort();
      onChange(waiting.size);
      return true;
    }
    function settle(answer: Answer): void {
      if (!leave()) return;
      onEvent?.({ kind: 'responded', question, action: answer.action });
      resolve(answer);
    }
    function expire(): void {
      if (!leave()) return;
      onEvent?.({ kind: 'timeout', question });
      if (askOptions.fallback === 'error')
        reject(fail('ELICITATION_TIMEOUT', `Nobody answered "${question.message}" in time.`));
      else resolve(askOptions.fallback === 'default' ? defaultAnswer(question) : { action: 'cancel' });
    }

    waiting.set(question.id, { question, settle });
    onEvent?.({ kind: 'requested', question });
    onChange(waiting.size);
    host.ask?.(question, withdrawn.signal).then(
      (given) => given && answer(question.id, given),
      (error: unknown) => {
        host.log('warn', `The question window failed: ${String(error)}`);
        onEvent?.({ kind: 'error', question, message: String(error) });
        if (faces === 0) settle({ action: 'cancel' });
      },
    );
    return promise;
  }

  function answer(id: string, given: Answer): { accepted: boolean; problems?: Record<string, string> } {
    const entry = waiting.get(id);
    if (!entry) return { accepted: false };
    const problems = given.action === 'accept' ? problemsOf(entry.question, given.value) : {};
    if (Object.keys(problems).length > 0) return { accepted: false, problems };
    entry.settle(given);
    return { accepted: true };
  }

  return {
    ask,
    answer,
    canAsk,
    pending: () => [...waiting.values()].map(({ question }) => question),
    faceOpened() {
      let attached = true;
      faces += 1;
      return () => {
        if (!attached) return;
        attached = false;
        faces -= 1;
        // The last face is gone: nobody will answer, and no answer means no.
        if (!canAsk()) for (const { settle } of [...waiting.values()]) settle({ action: 'cancel' });
      };
    },
    close() {
      for (const { settle } of [...waiting.values()]) settle({ action: 'cancel' });
    },
    ...typedCalls(ask),
  };
}

/** The faces check as the person types; this is the check that counts. */
function problemsOf(question: Question, value: unknown): Record<string, string> {
  if (question.kind === 'approval' || question.kind === 'url' || question.fields.length === 0) return {};
  if (question.kind === 'form') {
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isRecord
      ? validateAnswers(question.fields, value as Record<string, unknown>)
      : { '': 'Please fill in the form.' };
  }
  const [only] = question.fields as [Field];
  return validateAnswers([only], value === undefined ? {} : { [only.name]: value });
}

function defaultAnswer(question: Question): Answer {
  const defaults = defaultAnswers(question.fields);
  const [only] = question.fields;
  const value = question.kind === 'form' || !only ? defaults : defaults[only.name];
  return value === undefined || Object.keys(problemsOf(question, value)).length > 0
    ? { action: 'cancel' }
    : { action: 'accept', value };
}
