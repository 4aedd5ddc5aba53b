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
import { decide } from './decide/decide.ts';
import type { Caller, State } from './rows.ts';
import type { Because } from './verdict.ts';

export interface EnableRequest {
  caller: Caller;
  server: string;
  tool: string;
  reason: DisabledReason;
  /** For a held tool: the definition that the user sees. */
  fingerprint?: string;
  change?: NonNullable<Question['enableRequest']>['change'];
}

export type EnableRequests = ReturnType<typeof createEnableRequests>;

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
  state(): State;
  /** Enables what the request asks for. */
  enable(request: EnableRequest): Promise<void>;
  log(message: string): void;
}) {
  const { elicitation } = options;
  const open = new Set<string>();
  const snoozed = new Map<string, { until: number; answer: string }>();
  const closing = new AbortController();

  function record({ caller, server, tool }: EnableRequest, outcome: Outcome): void {
    const base = { id: randomUUID(), at: Date.now(), client: caller.name, server, tool, arguments: '', durationMs: 0 };
    options.record({ ...base, kind: 'enable-request', outcome });
  }

  function snooze(key: string, answer: string): string {
    if (snoozed.size >= maxSnoozed) snoozed.clear();
    snoozed.set(key, { until: Date.now() + snoozeMs, answer });
    return answer;
  }

  const keyOf = ({ server, tool, reason }: EnableRequest) => JSON.stringify([server, tool, reason]);

  /** Asks one question about all requests. Without `added`, there is only one. */
  async function ask(requests: readonly EnableRequest[], shown: EnableRequest, added?: number): Promise<void> {
    const { caller, server, tool, reason, change } = shown;
    const enableRequest = { reason, ...(added && { added }), ...(change && { change }) };
    const question = {
      kind: 'enable-request' as const,
      message: '',
      fields: [],
      from: { client: caller.name, server, tool },
      enableRequest,
    };
    const snoozeAll = (answer: string) => {
      for (const request of requests) snooze(keyOf(request), answer);
    };
    for (const request of requests) open.add(keyOf(request));
    const settled = new AbortController();
    const signal = AbortSignal.any([closing.signal, settled.signal]);
    /** The user may enable the tool in another way, or disable it for another reason. */
    const recheck = () => {
      if (requests.every((request) => reasonOf(options.state(), request) !== request.reason)) settled.abort();
    };
    const stop = added === undefined ? options.events.on('state.changed', recheck) : () => {};
    try {
      const answer = await elicitation.ask(question, { timeoutMs: options.timeoutMs(), signal });
      if (settled.signal.aborted) return;
      if (answer.action === 'accept') {
        for (const request of requests) await options.enable(request);
      } else if (answer.action === 'decline') {
        snoozeAll('The user was asked and keeps it disabled.');
      } else {
        snoozeAll('The user was asked and did not answer.');
      }
      const outcome = ({ accept: 'enabled', decline: 'declined', cancel: 'unanswered' } as const)[answer.action];
      for (const request of requests) record(request, outcome);
    } finally {
      stop();
      for (const request of requests) open.delete(keyOf(request));
    }
  }

  function notify(key: string, request: EnableRequest): string {
    const { caller, server, tool, reason } = request;
    options.events.emit('tools.enableRequested', { client: caller.name, server, tool, reason });
    record(request, 'notified');
    return snooze(key, 'The user was notified of the request.');
  }

  return {
    /** Notifies or asks the user, as configured. Returns immediately with a sentence for the agent, or ''. */
    request(request: EnableRequest): string {
      const setting = options.setting();
      if (setting === 'never') return '';
      const key = keyOf(request);
      const known = snoozed.get(key);
      if (known && known.until >= Date.now()) return known.answer;
      snoozed.delete(key);
      switch (setting) {
        case 'notify':
          return notify(key, request);
        case 'ask':
          if (!elicitation.canAsk()) return '';
          if (!open.has(key))
            ask([request], request).catch((error) =>
              options.log(`Enabling "${request.tool}" failed: ${String(error)}`),
            );
          return 'The user is being asked to enable it. Try again in a moment.';
        default:
          return assertNever(setting);
      }
    },
    /** Asks about the new tools that a call has added to its server, all at once. Resolves when the user has answered. */
    async offer(
      call: Pick<EnableRequest, 'caller' | 'server' | 'tool'>,
      added: readonly RegisteredTool[],
    ): Promise<void> {
      if (options.setting() !== 'ask' || !elicitation.canAsk()) return;
      const requests = added.map(
        ({ name, fingerprint }): EnableRequest => ({ ...call, tool: name, reason: 'new', fingerprint }),
      );
      const after = Object.fromEntries(added.map((tool) => [tool.name, definitionOf(tool)]));
      await ask(requests, { ...call, reason: 'new', change: { before: {}, after, findings: [] } }, added.length);
    },
    /** Withdraws every open question. */
    close: (): void => closing.abort(),
  };
}

/** Why the client cannot use the tool now; undefined if it can. */
function reasonOf(state: State, { caller, server, tool }: EnableRequest): Because | undefined {
  const verdict = decide(state, { caller, server, tool, now: Date.now(), facts: {} });
  return verdict.kind === 'refuse' ? verdict.because : undefined;
}

/** The request with which the user can lift the refusal in one step; undefined if no step lifts it. */
export function enableRequestOf(
  because: Because | undefined,
  about: Pick<EnableRequest, 'caller' | 'server' | 'tool'>,
  knownTools: { find(server: string, tool: string): RegisteredTool },
): EnableRequest | undefined {
  switch (because) {
    case 'server':
    case 'rule':
    case 'override':
      return { ...about, reason: because };
    case 'new':
    case 'changed':
    case 'suspicious': {
      const tool = knownTools.find(about.server, about.tool);
      if (!tool.held) return undefined;
      const { reason, fingerprint } = tool.held;
      return { ...about, reason, fingerprint, change: changeOf(tool, tool.held) };
    }
    default:
      return undefined;
  }
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
