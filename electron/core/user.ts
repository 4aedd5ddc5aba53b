/** Creates the services with which Core asks the user: the question queue, its routes, missing secrets, approvals. */
import type { ConfigApplier } from './apply-config.ts';
import { questionTimeoutMs } from './config/question-timeout.ts';
import type { Config } from './config/schema.ts';
import { createElicitation, type Elicitation } from './elicitation/elicitation.ts';
import { createElicitationRoutes, type ElicitationRoutes } from './elicitation/route.ts';
import type { Events } from './events.ts';
import type { NewRecord } from './history/history.ts';
import type { Host } from './host.ts';
import { type Approvals, createApprovals } from './policy/approvals.ts';
import { type BatchClients, createBatchClients } from './policy/batch-clients.ts';
import { createMayReach } from './policy/connections.ts';
import { createEnableRequests, type EnableRequests } from './policy/enable-requests.ts';
import { createKnownDestinations, type KnownDestinations } from './policy/known-destinations.ts';
import { createSetToolEnabled } from './rules/set-tool-enabled.ts';
import { createMissingSecrets, type MissingSecrets } from './secrets/prompt-missing-secrets.ts';
import type { Stores } from './stores.ts';
import type { KnownTools } from './tools/known-tools.ts';
import type { MayReach } from './types.ts';

export interface Questions {
  elicitation: Elicitation;
  routes: ElicitationRoutes;
  batch: BatchClients;
  missingSecrets: MissingSecrets;
  /** The destinations that the user has allowed. */
  known: KnownDestinations;
  mayReach: MayReach;
}

interface Options {
  host: Host;
  events: Events;
  config(): Config;
  stores: Pick<Stores, 'history' | 'results' | 'vault'>;
}

export function createQuestions({ host, events, config, stores }: Options): Questions {
  const record = (entry: NewRecord) => stores.history.record(entry);
  const routes = createElicitationRoutes({ store: host.store, config, events, record });
  const elicitation = createElicitation({
    host,
    onChange: (pending) => events.emit('questions.changed', { pending }),
    onEvent: routes.onElicitation,
  });
  const missingSecrets = createMissingSecrets({
    vault: stores.vault,
    host,
    canAsk: elicitation.canAsk,
    ask: (message, fields, question) =>
      elicitation.form(message, fields, { ...question, timeoutMs: config().elicitation.timeoutMs }),
  });
  const batch = createBatchClients({ store: host.store, events, configured: () => config().batch });
  const known = createKnownDestinations(host.store, () => config().approvals.known);
  const mayReach = createMayReach({ known, elicitation, timeoutMs: () => config().approvals.timeoutMs });
  return { elicitation, routes, batch, missingSecrets, known, mayReach };
}

export interface Policy {
  approvals: Approvals;
  enableRequests: EnableRequests;
}

/** Creates the services that ask the user to approve calls and to enable tools. `enableServer` enables a server. */
export function createPolicy(
  { host, events, config, stores }: Options,
  parts: Pick<Questions, 'elicitation' | 'batch' | 'known'> & { knownTools: KnownTools; applier: ConfigApplier },
  enableServer: (server: string) => Promise<void>,
): Policy {
  const { elicitation, batch, known, knownTools, applier } = parts;
  const { store } = host;
  const setToolEnabled = createSetToolEnabled(store, applier.reconfigure);
  const shared = {
    elicitation,
    events,
    record: (entry: NewRecord) => stores.history.record(entry),
    timeoutMs: () => config().approvals.timeoutMs,
    log: (message: string) => host.log('warn', message),
  };
  const approvals = createApprovals({
    ...shared,
    store,
    timeoutMs: ({ server, name }) =>
      questionTimeoutMs(config().elicitation.timeouts, server, name) ?? config().approvals.timeoutMs,
    known,
    findInResults: stores.results.findText,
    resultsOf: stores.results.of,
    offersBatch: batch.isOffered,
    mayAsk: () => config().approvals.mode === 'ask',
    disable: ({ server, name }) => setToolEnabled(server, name, false),
  });
  const enableRequests = createEnableRequests({
    ...shared,
    setting: () => store.get('enableRequests'),
    async enable({ server, tool, reason }) {
      if (reason === 'server') return enableServer(server);
      if (reason === 'rule' || reason === 'override') return setToolEnabled(server, tool, true);
      knownTools.accept(server, tool);
      events.emit('tools.changed', { servers: [server] });
    },
  });
  return { approvals, enableRequests };
}
