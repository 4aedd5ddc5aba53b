/** Decides for each client who answers tools' questions, and records the questions in the history. */
import { randomUUID } from 'node:crypto';
import type { QuestionRecord, Routing } from '../../../shared/model/call.ts';
import type { Answer, Question } from '../../../shared/model/question.ts';
import type { Config } from '../config/schema.ts';
import type { Events } from '../events.ts';
import type { NewRecord } from '../history/history.ts';
import type { Store } from '../settings.ts';
import type { Client, QuestionDraft } from '../types.ts';
import type { ElicitationEvent } from './elicitation.ts';
import { createForwardedUrls, type ForwardedUrls } from './forwarded-urls.ts';

/** The outcome of a question that was forwarded to a client. */
export type ForwardedOutcome = Answer['action'] | 'unanswered' | 'failed';

/**
 * `routing`: `toolkeep` asks in Toolkeep if a UI is attached; `client` asks the client if it can answer; `both` asks both,
 * and the first answer wins. `fallback` decides what the server receives if no answer arrives within `timeoutMs`.
 */
export interface ElicitationRoute {
  /** False declines every question from a tool. */
  enabled: boolean;
  /** Timeouts of single tools, by pattern. */
  timeouts: Config['elicitation']['timeouts'];
  routing: Routing;
  timeoutMs: number;
  fallback: 'timeout' | 'default' | 'error';
  forwardedUrls: ForwardedUrls;
  /** Called when a client answered a question or failed to answer it. */
  onForwarded(question: QuestionDraft, outcome: ForwardedOutcome, durationMs: number): void;
}

export type ElicitationRoutes = ReturnType<typeof createElicitationRoutes>;

export function createElicitationRoutes(options: {
  store: Store;
  config(): Pick<Config, 'elicitation'>;
  events: Events;
  record(entry: NewRecord): void;
}) {
  const { store, config, events, record } = options;
  const forwardedUrls = createForwardedUrls(events);
  /** The user's choice for this client name, else the configured default. */
  const routingOf = (name: string): Routing => {
    const chosen = store.get('routing');
    return (Object.hasOwn(chosen, name) ? chosen[name] : undefined) ?? config().elicitation.routing;
  };
  const onForwarded: ElicitationRoute['onForwarded'] = (question, outcome, durationMs) =>
    record(questionRecord(question, outcomes[outcome], 'client', durationMs));

  return {
    routingOf,
    routeOf: ({ name }: Pick<Client, 'name'>): ElicitationRoute => ({
      ...config().elicitation,
      routing: routingOf(name),
      forwardedUrls,
      onForwarded,
    }),
    /** Emits the event to UIs and writes the outcome to the history. */
    onElicitation(event: ElicitationEvent): void {
      const { kind, question } = event;
      const { server, tool } = question.from;
      const action = kind === 'responded' ? event.action : undefined;
      events.emit('questions.lifecycle', { kind, id: question.id, type: question.kind, server, tool, action });
      // Approvals and requests to enable a tool are recorded with the resulting decision.
      if (kind === 'requested' || question.kind === 'approval' || question.kind === 'enable-request') return;
      const outcome = kind === 'responded' ? event.action : kind === 'timeout' ? 'unanswered' : 'failed';
      record(questionRecord(question, outcomes[outcome], 'user', Date.now() - question.createdAt));
    },
  };
}

const outcomes: Record<ForwardedOutcome, QuestionRecord['outcome']> = {
  accept: 'answered',
  decline: 'declined',
  cancel: 'cancelled',
  unanswered: 'unanswered',
  failed: 'failed',
};

/** A history record of the question, without the answer. */
function questionRecord(
  { kind, from }: Pick<Question, 'kind' | 'from'>,
  outcome: QuestionRecord['outcome'],
  askedOf: QuestionRecord['askedOf'],
  durationMs: number,
): NewRecord {
  const { client = '', server = '', tool = '', callId } = from;
  const base = { id: randomUUID(), callId, at: Date.now(), client, server, tool, arguments: '', durationMs };
  return { ...base, kind: 'question', question: kind, outcome, askedOf };
}
