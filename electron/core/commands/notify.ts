/** Keeps the notifications up to date with Core's events. */
import { firstLineOf } from '../../../shared/first-line.ts';
import type { CallRecord } from '../../../shared/model/call.ts';
import type { ImportPlan } from '../../../shared/model/import.ts';
import type { NotificationContent } from '../../../shared/model/notification.ts';
import type { CommandServices } from './services.ts';

const maxMessage = 300;
const maxRemoved = 50;

/** `planImport` finds servers to import in the clients' files. */
export function startNotifications(services: CommandServices, planImport: () => Promise<ImportPlan>): void {
  const { host, events, configStore, servers, knownTools } = services;
  const { notifications, vault } = services.stores;

  function serverChanged(server: string): void {
    const config = servers.findConfig(server);
    const { status, failure } = config ? servers.state(server) : {};
    const hasFailed = config?.enabled === true && status === 'failed' && failure !== undefined;
    const needsSignIn = hasFailed && servers.signInState(server) === 'needed';
    if (hasFailed && !needsSignIn) {
      const line = firstLineOf({ ...failure, message: vault.redact(failure.message) });
      const message = line.slice(0, maxMessage);
      notifications.continues({ kind: 'server-failed', server, code: failure.code, message });
    }
    if (needsSignIn) notifications.continues({ kind: 'sign-in', server });
    // An idle server may still be broken: only a start shows that it works.
    if (!config?.enabled || status === 'ready' || needsSignIn) notifications.ended('server-failed', server);
    if (!config?.enabled || status === 'ready' || (hasFailed && !needsSignIn)) notifications.ended('sign-in', server);
  }

  function toolsChanged(server: string): void {
    const isEnabled = servers.findConfig(server)?.enabled === true;
    const held = isEnabled ? knownTools.held(server) : [];
    if (held.length === 0) notifications.ended('tools-held', server);
    else notifications.continues({ kind: 'tools-held', server, tools: held.map(({ name }) => name).sort() });
  }

  /** The state whose loss of protection has been reported. */
  let reported: unknown;
  function configChanged(): void {
    const { removed } = configStore.state;
    if (!removed || removed === reported) return;
    reported = removed;
    const { file, settings } = removed;
    const shown = settings.slice(0, maxRemoved).map((setting) => vault.redact(setting).slice(0, maxMessage));
    notifications.happened({ kind: 'protection-removed', file, removed: shown });
  }

  async function importChanged(): Promise<void> {
    const { entries } = await planImport();
    const found = entries.filter(({ isUnseen, state }) => isUnseen && state === 'new');
    if (found.length === 0) notifications.ended('servers-found');
    else notifications.continues({ kind: 'servers-found', servers: found.map(({ server }) => server.name).sort() });
  }

  events.on('calls.recorded', (record) => {
    const content = contentOf(record);
    if (content) notifications.happened(content);
  });
  events.on('servers.changed', (event) => event.servers.forEach(serverChanged));
  events.on('tools.changed', (event) => event.servers.forEach(toolsChanged));
  events.on('servers.updated', ({ server, from, to }) => {
    if (to !== undefined) notifications.happened({ kind: 'server-updated', server, ...(from && { from }), to });
  });
  if (host.settingsProblem) {
    const { file = '', message, hint } = host.settingsProblem;
    notifications.happened({ kind: 'settings-damaged', file, message: [message, hint].join(' ') });
  }
  configChanged();
  events.on('config.changed', configChanged);
  // Unreadable files are reported by the import itself.
  events.on('import.changed', () => void importChanged().catch(() => undefined));
}

/** The notification about a question or request that the user did not decide; undefined for any other record. */
function contentOf(record: CallRecord): NotificationContent | undefined {
  const { kind: asked, client, server, tool, outcome } = record;
  const call = { client, server, tool };
  if (asked === 'enable-request' && outcome === 'notified') return { kind: 'tool-wanted', ...call };
  if (asked !== 'approval' && asked !== 'question' && asked !== 'enable-request') return undefined;
  const reason = reasons[outcome];
  return reason && { kind: 'not-answered', ...call, asked, reason };
}

const reasons: { readonly [K in CallRecord['outcome']]?: 'timeout' | 'no-ui' | 'too-many' } = {
  unanswered: 'timeout',
  'no-ui': 'no-ui',
  'too-many-questions': 'too-many',
};
