/** Everything in which Core turns to the person: questions, approvals, offers, and their place in the history (row A13). */
import { randomUUID } from 'node:crypto';
import type { CallRecord, OwnRule, Routing } from '../../shared/model.ts';
import type { Config } from './config/config.ts';
import { createElicitation, type Elicitation, type ElicitationEvent } from './elicitation/elicitation.ts';
import {
  type Approvals,
  type Asking,
  type Caller,
  createApprovals,
  createOffers,
  createPassedPages,
  type Offers,
  type PassedOutcome,
  type Wanted,
} from './execute/execute.ts';
import type { Host } from './host.ts';
import { ruleFor } from './rules/rules.ts';
import type { Signals } from './signals.ts';

export interface AskingParts {
  elicitation: Elicitation;
  approvals: Approvals;
  offers: Offers;
  /** Who answers for a client, by the name that it gives itself. */
  routingOf(client: string): Routing;
  asking(caller: Caller): Asking;
  /** A client has gone. */
  left(client: string): void;
}

export function createAsking(options: {
  host: Host;
  config(): Pick<Config, 'approvals' | 'elicitation'>;
  emit: Signals['emit'];
  record(entry: CallRecord): void;
  /** Accepts a changed tool. */
  accept(server: string, tool: string): void;
  setServerEnabled(server: string, enabled: boolean): Promise<void>;
  onPageCompleted: Signals['onPageCompleted'];
  /** Brings rules in line with the settings. */
  reconfigure(): Promise<unknown>;
}): AskingParts {
  const { host, config, emit } = options;
  const { store } = host;

  function record(entry: Partial<CallRecord> & Pick<CallRecord, 'kind' | 'outcome'>): void {
    const nothing = { id: randomUUID(), client: '', server: '', tool: '', arguments: '', durationMs: 0 };
    options.record({ ...nothing, at: Date.now(), ...entry });
  }

  /** Questions of tools; approvals and offers are recorded with what they led to. Never what was answered. */
  function told(event: ElicitationEvent): void {
    const { question } = event;
    const action = event.kind === 'responded' ? { action: event.action } : {};
    const { server: byServer, tool: byTool } = question.from;
    const place = { ...(byServer && { server: byServer }), ...(byTool && { tool: byTool }) };
    emit('questions.told', { kind: event.kind, id: question.id, type: question.kind, ...place, ...action });
    if (event.kind === 'requested' || question.kind === 'approval' || question.kind === 'offer') return;
    const { client = '', server = '', tool = '', callId } = question.from;
    const outcome = event.kind === 'responded' ? event.action : event.kind === 'timeout' ? 'late' : 'failed';
    record({
      ...{ kind: 'question', client, server, tool, outcome: `${question.kind}: ${words[outcome]}` },
      ...(callId && { id: callId }),
      durationMs: Date.now() - question.createdAt,
    });
  }

  const onPassed: Asking['onPassed'] = ({ kind, from }, outcome, durationMs) => {
    const { client = '', server = '', tool = '', callId } = from;
    const told = `${kind}: ${words[outcome]} by the client`;
    record({ ...{ kind: 'question', client, server, tool, outcome: told, durationMs }, ...(callId && { id: callId }) });
  };

  async function switchByRule(server: string, name: string, enabled: boolean): Promise<void> {
    const rule = ruleFor(server, name);
    const isOpposite = (own: OwnRule) =>
      own.server === rule.server &&
      own.pattern.length === 1 &&
      own.pattern[0] === rule.pattern[0] &&
      own.enabled === !enabled &&
      own.confirm === undefined &&
      own.tags === undefined;
    const others = store.get('rules').filter((own) => !isOpposite(own));
    store.set('rules', [{ ...rule, enabled, active: true }, ...others]);
    await options.reconfigure();
  }

  async function switchOn({ server, tool, reason }: Wanted): Promise<void> {
    if (reason === 'server') await options.setServerEnabled(server, true);
    else if (reason === 'rule') await switchByRule(server, tool, true);
    else options.accept(server, tool);
  }

  const elicitation = createElicitation({
    host,
    onChange: (pending) => emit('questions.changed', { pending }),
    onEvent: told,
  });
  const approvals = createApprovals({
    elicitation,
    store,
    mayAsk: () => config().approvals.mode === 'ask',
    timeoutMs: () => config().approvals.timeoutMs,
    onDecision: ({ tool, caller, callId }, outcome) =>
      record({
        ...{ id: callId, client: caller.name, server: tool.server, tool: tool.name, outcome },
        kind: outcome.startsWith('allowed: ') && outcome !== 'allowed: once' ? 'grant' : 'question',
      }),
    onRevoke: ({ client, server, tool }) => record({ kind: 'grant', client, server, tool, outcome: 'revoked' }),
    onSwitchOff: ({ server, name }) =>
      void switchByRule(server, name, false).catch((error) =>
        host.log('warn', `"${name}" could not be switched off: ${String(error)}`),
      ),
  });
  const offers = createOffers({
    elicitation,
    setting: () => store.get('whenOff'),
    timeoutMs: () => config().approvals.timeoutMs,
    onNotice: ({ client, server, tool, reason }) => {
      emit('tools.wanted', { client, server, tool, reason });
      record({ kind: 'question', client, server, tool, outcome: 'wanted while off' });
    },
    onDecision: ({ client, server, tool }, outcome) =>
      record({ kind: 'question', client, server, tool, outcome: `wanted while off: ${outcome}` }),
    switchOn,
    onError: (error) => host.log('warn', `An offer to switch a tool on failed: ${String(error)}`),
  });
  const pages = createPassedPages(options.onPageCompleted);
  const routingOf = (client: string) => {
    const chosen = store.get('routing');
    return (Object.hasOwn(chosen, client) ? chosen[client] : undefined) ?? config().elicitation.routing;
  };
  return {
    ...{ elicitation, approvals, offers, routingOf, left: pages.left },
    asking: ({ name }) => ({ ...config().elicitation, routing: routingOf(name), pages, onPassed }),
  };
}

const words: Record<PassedOutcome, string> = {
  ...{ accept: 'answered', decline: 'declined', cancel: 'cancelled' },
  ...{ late: 'not answered', failed: 'failed' },
};
