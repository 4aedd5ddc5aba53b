/**
 * The queue of questions to the user. It assigns IDs, accepts the first answer, expires questions, and offers typed
 * calls.
 */
import { randomUUID } from 'node:crypto';
import { type Failure, fail } from '../../../shared/failure.ts';
import { defaultAnswers, validateAnswers } from '../../../shared/form.ts';
import { isObject } from '../../../shared/is-object.ts';
import { limits } from '../../../shared/limits.ts';
import type { Answer, Field, Question } from '../../../shared/model/question.ts';
import { withinTime } from '../async/time-limit.ts';
import type { Host } from '../host.ts';
import type { AskOptions, TypedCalls } from '../plugins/typed-calls.ts';
import { type From, typedCalls } from '../plugins/typed-questions.ts';
import type { Client, QuestionDraft } from '../types.ts';
import { fileProblems } from './files.ts';
import { createQuestionClock, type QuestionClock } from './question-clock.ts';

/** Why an answer is not the user's decision: no UI, too many open questions, a timeout, or disabled questions. */
export type Unanswered = 'no-ui' | 'too-many' | 'timeout' | 'disabled';
export type Outcome = Answer & { unanswered?: Unanswered };

/** The states of a question, as reported to UIs and written to the history. */
export type ElicitationEvent =
  | { kind: 'requested'; question: Question }
  | { kind: 'responded'; question: Question; action: Answer['action'] }
  | { kind: 'timeout'; question: Question }
  | { kind: 'error'; question: Question; message: string };

export interface QuestionOptions extends AskOptions {
  /** The client that caused the question. Its questions leave space for those of other clients. */
  owner?: Pick<Client, 'id' | 'identity'> | undefined;
}

export interface Elicitation extends TypedCalls<From> {
  /** Resolves with the user's answer. Cancels at once if no UI is attached or too many questions are open. */
  ask(draft: QuestionDraft, options?: QuestionOptions): Promise<Outcome>;
  pending(): Question[];
  /** The first answer wins. Returns `problems` by field name if the answer is invalid. */
  answer(id: string, answer: Answer): Promise<{ accepted: boolean; problems?: Record<string, string> }>;
  /** True if a UI or the host can show questions. */
  canAsk(): boolean;
  /** Registers a UI that shows questions. Call the returned function when it detaches. */
  uiAttached(): () => void;
  /** While the user is away (a locked screen, a sleeping computer), no question expires. */
  setAway(isAway: boolean): void;
  /** Until the returned function is called, and for a moment after it, no answer allows anything: a tool may have clicked. */
  screenControlled(): () => void;
  /** Why no decision in a window counts now; undefined if each does. */
  screenRefusal(): Failure | undefined;
  /** Milliseconds since the user was last away: 0 while away, Infinity if never. */
  presentMs(): number;
  close(): void;
}

const defaultTimeoutMs = 120_000;
const screenInUse = fail(
  'UI_REQUIRED',
  'A tool that controls the screen is running, so this click may be its own. Decide after the tool has ended.',
).failure;
/** How long after a tool has controlled the screen its last click or key may still arrive. */
const settlesMs = 1_000;
const allowing = new Set<Question['kind']>(['approval', 'enable-request', 'connection']);
/** Whether an answer allows something. Servers ask the other questions, perhaps during the call that controls the screen. */
const allows = ({ kind, from }: Question) =>
  allowing.has(kind) || (kind === 'confirmation' && from.isToolkeep === true);
const maxPending = 200;
const maxPendingPerServer = limits.server.questions;
const maxPendingPerClient = limits.client.questions;
/**
 * Limit for all open questions together, in characters of JSON, because every UI receives the whole list in one frame.
 */
const maxPendingSize = 8_000_000;

interface Waiting {
  question: Question;
  owner: string | undefined;
  size: number;
  clock: QuestionClock;
  settle(outcome: Outcome): void;
}

/** Creates the queue. `onEvent` receives every event, and `onChange` the number of open questions. */
export function createElicitation(options: {
  host: Pick<Host, 'ask' | 'log'>;
  onChange(pending: number): void;
  onEvent?(event: ElicitationEvent): void;
}): Elicitation {
  const { host, onChange, onEvent } = options;
  const waiting = new Map<string, Waiting>();
  let attachedUis = 0;
  let totalSize = 0;
  let isAway = false;
  let controllers = 0;
  let controlledUntil = Number.NEGATIVE_INFINITY;
  let returnedAt = Number.NEGATIVE_INFINITY;
  const canAsk = () => attachedUis > 0 || host.ask !== undefined;

  function isCrowded(server: string | undefined, owner: string | undefined, size: number): boolean {
    if (waiting.size >= maxPending || totalSize + size > maxPendingSize) return true;
    let ofServer = 0;
    let ofOwner = 0;
    let sizeOfOwner = 0;
    for (const other of waiting.values()) {
      if (other.question.from.server === server) ofServer += 1;
      if (owner === undefined || other.owner !== owner) continue;
      ofOwner += 1;
      sizeOfOwner += other.size;
    }
    const isOwnerCrowded = ofOwner >= maxPendingPerClient || (ofOwner > 0 && sizeOfOwner + size > maxPendingSize / 2);
    return ofServer >= maxPendingPerServer || isOwnerCrowded;
  }

  /** A question that no UI can show has the same events as any other, so that it is counted and recorded. */
  function notShown(draft: QuestionDraft, unanswered: 'no-ui' | 'too-many'): Outcome {
    const now = Date.now();
    const question: Question = { ...draft, id: randomUUID(), createdAt: now, expiresAt: now };
    const message = unanswered === 'no-ui' ? 'No UI can show the question.' : 'Too many questions are open.';
    onEvent?.({ kind: 'requested', question });
    onEvent?.({ kind: 'error', question, message });
    return { action: 'cancel', unanswered };
  }

  async function ask(draft: QuestionDraft, askOptions: QuestionOptions = {}): Promise<Outcome> {
    if (askOptions.signal?.aborted) return { action: 'cancel' };
    if (!canAsk()) return notShown(draft, 'no-ui');
    const size = JSON.stringify(draft).length;
    const owner = askOptions.owner?.identity ?? askOptions.owner?.id;
    if (isCrowded(draft.from.server, owner, size)) return notShown(draft, 'too-many');
    const timeoutMs = askOptions.timeoutMs ?? defaultTimeoutMs;
    const clock = createQuestionClock(timeoutMs, isAway, expire);
    const question: Question = { ...draft, id: randomUUID(), createdAt: Date.now(), expiresAt: clock.expiresAt() };
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const withdrawn = new AbortController();
    const cancel = () => settle({ action: 'cancel' });
    askOptions.signal?.addEventListener('abort', cancel, { once: true });

    function leave(): boolean {
      if (!waiting.delete(question.id)) return false;
      totalSize -= size;
      clock.stop();
      askOptions.signal?.removeEventListener('abort', cancel);
      withdrawn.abort();
      onChange(waiting.size);
      return true;
    }
    function settle(outcome: Outcome): void {
      if (!leave()) return;
      onEvent?.({ kind: 'responded', question, action: outcome.action });
      resolve(outcome);
    }
    function expire(): void {
      if (!leave()) return;
      onEvent?.({ kind: 'timeout', question });
      try {
        resolve(atExpiry(question, askOptions.fallback));
      } catch (error) {
        reject(error);
      }
    }

    waiting.set(question.id, { question, owner, size, clock, settle });
    totalSize += size;
    onEvent?.({ kind: 'requested', question });
    onChange(waiting.size);
    askHost(host, question, withdrawn.signal, answer).catch((error: unknown) => {
      host.log('warn', `The question window failed: ${String(error)}`);
      onEvent?.({ kind: 'error', question, message: String(error) });
      if (attachedUis === 0) settle({ action: 'cancel', unanswered: 'no-ui' });
    });
    return promise;
  }

  async function answer(id: string, given: Answer): Promise<{ accepted: boolean; problems?: Record<string, string> }> {
    const entry = waiting.get(id);
    if (!entry) return { accepted: false };
    const refusal = given.action === 'accept' && allows(entry.question) ? screenRefusal() : undefined;
    if (refusal) return { accepted: false, problems: { '': refusal.message } };
    const problems = given.action === 'accept' ? await problemsOf(entry.question, given.value) : {};
    if (waiting.get(id) !== entry) return { accepted: false };
    if (Object.keys(problems).length > 0) return { accepted: false, problems };
    entry.settle(given);
    return { accepted: true };
  }

  const screenRefusal = () => (controllers > 0 || Date.now() < controlledUntil ? screenInUse : undefined);

  function cancelAll(outcome: Outcome): void {
    for (const { settle } of [...waiting.values()]) settle(outcome);
  }

  return {
    ask,
    answer,
    canAsk,
    pending: () => [...waiting.values()].map(({ question }) => question),
    uiAttached() {
      let attached = true;
      attachedUis += 1;
      return () => {
        if (!attached) return;
        attached = false;
        attachedUis -= 1;
        // No answer can arrive without a UI, so deny all open questions.
        if (!canAsk()) cancelAll({ action: 'cancel', unanswered: 'no-ui' });
      };
    },
    screenControlled() {
      controllers += 1;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        controllers -= 1;
        controlledUntil = Date.now() + settlesMs;
      };
    },
    screenRefusal,
    presentMs: () => (isAway ? 0 : Date.now() - returnedAt),
    setAway(value) {
      if (isAway && !value) returnedAt = Date.now();
      isAway = value;
      for (const { question, clock } of waiting.values()) {
        if (isAway) clock.pause();
        else clock.resume();
        question.expiresAt = clock.expiresAt();
      }
      if (!isAway && waiting.size > 0) onChange(waiting.size);
    },
    close: () => cancelAll({ action: 'cancel' }),
    ...typedCalls(ask),
  };
}

/** A native dialog closes when answered, so reopen it if the answer is invalid. */
async function askHost(
  host: Pick<Host, 'ask'>,
  question: Question,
  withdrawn: AbortSignal,
  answer: Elicitation['answer'],
): Promise<void> {
  let current = question;
  while (host.ask && !withdrawn.aborted) {
    const given = await host.ask(current, withdrawn);
    const problems = given && (await answer(question.id, given)).problems;
    if (!problems) return;
    current = { ...question, problems };
  }
}

const checkMs = 40;
const late: Outcome = { action: 'cancel', unanswered: 'timeout' };

/** UIs validate while the user types, but only this check is authoritative. It also checks files. */
async function problemsOf(question: Question, value: unknown): Promise<Record<string, string>> {
  const problems = formProblems(question, value);
  if (Object.keys(problems).length > 0 || !question.fields.some(({ kind }) => kind === 'file')) return problems;
  return fileProblems(question.fields, ({ name }) =>
    question.kind === 'form' ? (value as Record<string, unknown>)[name] : value,
  );
}

/** Checks the answers. A server's patterns may take too long to match; in that case, only the server checks them. */
function formProblems(question: QuestionDraft, value: unknown): Record<string, string> {
  const checked = withinTime(checkMs, () => problemsInForm(question, value));
  if (checked) return checked;
  const fields = question.fields.map(({ pattern: _pattern, ...field }) => field);
  return problemsInForm({ ...question, fields }, value);
}

function problemsInForm(question: QuestionDraft, value: unknown): Record<string, string> {
  if (question.fields.length === 0) return {};
  if (question.kind === 'form') {
    return isObject(value) ? validateAnswers(question.fields, value) : { '': 'Fill in the form.' };
  }
  const [only] = question.fields as [Field];
  return validateAnswers([only], value === undefined ? {} : { [only.name]: value });
}

/** The outcome of a question that timed out in Toolkeep or in a client. */
export function atExpiry(question: QuestionDraft, fallback: AskOptions['fallback'] = 'timeout'): Outcome {
  if (fallback === 'error')
    throw fail('ELICITATION_TIMEOUT', `The user did not answer "${question.message.slice(0, 200)}" in time.`);
  return fallback === 'default' ? defaultAnswer(question) : late;
}

function defaultAnswer(question: QuestionDraft): Outcome {
  // Without a field there is no default value: only the user can approve.
  if (question.fields.length === 0) return late;
  const defaults = defaultAnswers(question.fields);
  const [only] = question.fields;
  const value = question.kind === 'form' || !only ? defaults : defaults[only.name];
  return value === undefined || Object.keys(formProblems(question, value)).length > 0
    ? late
    : { action: 'accept', value };
}
