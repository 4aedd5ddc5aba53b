/**
 * Handles an agent's request for a disabled or held tool. The user may enable it in a prompt, and the agent receives
 * the outcome.
 */
import { randomUUID } from 'node:crypto';
import { assertNever } from '../../../shared/failure.ts';
import type { DisabledReason, Question } from '../../../shared/model/question.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import type { Events } from '../events.ts';
import type { NewRecord } from '../history/history.ts';
import type { RegisteredTool } from '../types.ts';

export interface EnableRequest {
  client: string;
  server: string;
  tool: string;
  reason: DisabledReason;
  /** For a held tool. */
  change?: NonNullable<Question['enableRequest']>['change'];
}

export interface EnableRequests {
  /** Notifies or asks the user, as configured. Returns immediately with a sentence for the agent, or ''. */
  request(request: EnableRequest): string;
  /** Withdraws every open question. */
  close(): void;
}

type Outcome = 'notified' | 'enabled' | 'declined' | 'unanswered';

/**
 * How long the user does not hear about the same tool again after a refusal, a notification or a timeout, in
 * milliseconds.
 */
const snoozeMs = 60 * 60_000;
const maxSnoozed = 5_000;

export function createEnableRequests(options: {
  elicitation: Elicitation;
  events: Events;
  setting(): 'never' | 'notify' | 'ask';
  timeoutMs(): number;
  record(entry: NewRecord): void;
  /** Enables what the request asks for. */
  enable(request: EnableRequest): Promise<void>;
  log(message: string): void;
}): EnableRequests {
  const { elicitation } = options;
  const open = new Set<string>();
  const snoozed = new Map<string, { until: number; answer: string }>();
  const closing = new AbortController();

  function record({ client, server, tool }: EnableRequest, outcome: Outcome): void {
    const base = { id: randomUUID(), at: Date.now(), client, server, tool, arguments: '', durationMs: 0 };
    options.record({ ...base, kind: 'enable-request', outcome });
  }

  function snooze(key: string, answer: string): string {
    if (snoozed.size >= maxSnoozed) snoozed.clear();
    snoozed.set(key, { until: Date.now() + snoozeMs, answer });
    return answer;
  }

  async function ask(key: string, request: EnableRequest): Promise<void> {
    const { client, server, tool, reason, change } = request;
    const enableRequest = { reason, ...(change && { change }) };
    const question = {
      kind: 'enable-request' as const,
      message: '',
      fields: [],
      from: { client, server, tool },
      enableRequest,
    };
    open.add(key);
    try {
      const answer = await elicitation.ask(question, { timeoutMs: options.timeoutMs(), signal: closing.signal });
      if (answer.action === 'accept') {
        await options.enable(request);
        record(request, 'enabled');
      } else if (answer.action === 'decline') {
        snooze(key, 'The user was asked and keeps it disabled.');
        record(request, 'declined');
      } else {
        snooze(key, 'The user was asked and did not answer.');
        record(request, 'unanswered');
      }
    } finally {
      open.delete(key);
    }
  }

  function notify(key: string, request: EnableRequest): string {
    const { client, server, tool, reason } = request;
    options.events.emit('tools.enableRequested', { client, server, tool, reason });
    record(request, 'notified');
    return snooze(key, 'The user was notified of the request.');
  }

  return {
    request(request) {
      const setting = options.setting();
      if (setting === 'never') return '';
      const key = JSON.stringify([request.server, request.tool, request.reason]);
      const known = snoozed.get(key);
      if (known && known.until >= Date.now()) return known.answer;
      snoozed.delete(key);
      switch (setting) {
        case 'notify':
          return notify(key, request);
        case 'ask':
          if (!elicitation.canAsk()) return '';
          if (!open.has(key))
            ask(key, request).catch((error) => options.log(`Enabling "${request.tool}" failed: ${String(error)}`));
          return 'The user is being asked to enable it. Try again in a moment.';
        default:
          return assertNever(setting);
      }
    },
    close: () => closing.abort(),
  };
}

/** Why an agent cannot use this tool; undefined if it can. */
export function missingPermission(
  tool: RegisteredTool,
  client: string,
  isServerEnabled: boolean,
): EnableRequest | undefined {
  const request = { client, server: tool.server, tool: tool.name };
  if (!isServerEnabled) return { ...request, reason: 'server' };
  if (tool.held) return { ...request, reason: tool.held.reason, change: changeOf(tool, tool.held) };
  if (tool.enabled) return undefined;
  return { ...request, reason: tool.override?.enabled === false ? 'override' : 'rule' };
}

function changeOf(tool: RegisteredTool, { reason, before, after }: Held): EnableRequest['change'] {
  const { findings } = tool;
  return reason === 'changed' ? { before, after, findings } : { before: {}, after: definitionOf(tool), findings };
}

type Held = NonNullable<RegisteredTool['held']>;

const definitionOf = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
}: RegisteredTool): Record<string, unknown> => ({
  name,
  title,
  description,
  inputSchema,
  ...(outputSchema && { outputSchema }),
});
