/** Text output of `toolkeep status` and `toolkeep history`. */
import { changeText, sourceText, undoText } from '../../../shared/change-text.ts';
import type { Failure } from '../../../shared/failure.ts';
import type { CallRecord } from '../../../shared/model/call.ts';
import type { ChangeView } from '../../../shared/model/change.ts';
import type { InstanceView, ServerView } from '../../../shared/model/server.ts';
import { outcomeLabel } from '../../../shared/outcome-label.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { isConnected } from '../../../shared/server-facts.ts';
import { nextStep } from '../exit.ts';
import { count, type Style, safe } from '../terminal.ts';
import { tilde } from './config.ts';
import { confinedLabel, confinementLines } from './confinement.ts';
import { callsText, discoveryText, messageLines } from './servers.ts';

export interface StatusReport {
  running: boolean;
  status: CommandOutput<'core.status'>;
  servers: ServerView[];
  now: number;
}

export function statusText(report: StatusReport, style: Style): string {
  const { running, status, servers, now } = report;
  const head = [
    `${style.bold(`Toolkeep ${status.version}`)}: ${stateText(report)}`,
    `Data: ${safe(tilde(status.dataDir))}`,
    `Secrets: ${vaultText(status.vault)}`,
    ...(status.discovery === 'enabled' ? [] : [`${style.warn('!')} ${discoveryText[status.discovery]}`]),
    ...networkLines(status.network, style),
    ...(status.folder ? [folderText(status.folder, style)] : []),
    ...(running && status.http ? [`HTTP: ${status.http.url} (tokens: toolkeep token list)`] : []),
    `Servers: ${status.servers}, tools: ${status.tools} (${status.enabledTools} enabled)`,
  ];
  const clients = status.clients.map(
    ({ name, version, transport, mode, profile, connectedAt }) =>
      `  ${safe(name)} ${safe(version)} (${transport}, ${mode}, ${profile ? `profile ${safe(profile)}, ` : ''}${span(now - connectedAt)})`,
  );
  const blocks = [head.join('\n')];
  if (running) blocks.push([`Clients (${clients.length})${clients.length > 0 ? ':' : ''}`, ...clients].join('\n'));
  return [...blocks, ...servers.map((server) => serverText(server, now, style))].join('\n\n');
}

function stateText({ running, status: { paused, pausedUntil, startedAt }, now }: StatusReport): string {
  if (!running) return 'not running';
  if (!paused) return `running for ${span(now - startedAt)}`;
  return pausedUntil === undefined ? 'paused' : `paused until ${localTime(pausedUntil)}`;
}

function folderText({ path, file, status }: NonNullable<StatusReport['status']['folder']>, style: Style): string {
  const line = `Folder: ${safe(tilde(file ?? path))} (${status})`;
  return status === 'trusted'
    ? line
    : `${style.warn('!')} ${line}, so it is ignored. Review it with \`toolkeep trust\``;
}

function vaultText({ label, persistent }: StatusReport['status']['vault']): string {
  return persistent ? `sealed with the ${label}` : `kept in ${label}; not stored on disk`;
}

/** Returns no lines in the usual case: bundled certificates and no proxy. */
function networkLines(
  { certificates, extraCertificates, proxy }: StatusReport['status']['network'],
  style: Style,
): string[] {
  const trusted = [
    ...(certificates === 'system' ? ["the system's"] : []),
    ...(extraCertificates ? [safe(tilde(extraCertificates))] : []),
  ];
  const used = proxy && `Proxy: ${safe(proxy.url)}`;
  return [
    ...(trusted.length > 0 ? [`Certificates: bundled, ${trusted.join(', ')}`] : []),
    ...(used ? [proxy.isUsed ? used : `${used} ${style.dim('(not used; to use it, set `network.proxy: true`)')}`] : []),
  ];
}

function serverText(server: ServerView, now: number, style: Style): string {
  const mark = isConnected(server) ? style.good('✓') : style.bad('✗');
  const facts = [
    server.status === 'starting' && server.phase ? `starting (${server.phase})` : server.status,
    server.transport,
    ...(server.version ? [versionText(server)] : []),
    ...(server.era ? [`${server.era} protocol`] : []),
    ...(server.pid === undefined ? [] : [`pid ${server.pid}`]),
    ...(server.isConfined ? [confinedLabel(server)] : []),
    ...(server.isPerClient ? ['one process for each client'] : []),
    ...(server.startedAt === undefined || server.status !== 'ready' ? [] : [`up ${span(now - server.startedAt)}`]),
    ...(server.restarts > 0 ? [count(server.restarts, 'restart')] : []),
    ...(server.breaker === 'closed' ? [] : [`breaker ${server.breaker}`]),
  ];
  const phases = server.phases.map(({ phase, durationMs }) => `${phase} ${Math.round(durationMs)} ms`).join(', ');
  return [
    `${mark} ${style.bold(safe(server.id))}: ${facts.join(', ')}`,
    ...(server.target ? [`  ${style.dim(safe(server.target))}`] : []),
    `  Tools: ${server.toolCount} (${server.enabledCount} enabled), prompts: ${server.promptCount}, resources: ${server.resourceCount}`,
    ...(server.confinement ? confinementLines(server.id, server.confinement) : []),
    ...(server.unconfined?.reason === undefined ? [] : [`  Not confined: ${safe(server.unconfined.reason)}`]),
    ...(server.supposedNeed === undefined
      ? []
      : [`  May not work: it seems that ${server.supposedNeed} (toolkeep confine ${server.id} --off)`]),
    ...(phases ? [`  Last start: ${phases}`] : []),
    ...(server.calls.total > 0 ? [`  ${callsText(server.calls)}`] : []),
    ...(server.failure ? failureLines(server.failure, style, '  ') : []),
    ...(server.instances ?? []).flatMap((instance, index) => instanceText(instance, index, now, style)),
    ...server.warnings.map((warning) => `  ${style.warn('!')} ${safe(warning)}`),
  ].join('\n');
}

function versionText({ version = '', updatedFrom }: ServerView): string {
  return safe(updatedFrom ? `version ${version} (was ${updatedFrom.version})` : `version ${version}`);
}

function failureLines(failure: Failure, style: Style, prefix: string): string[] {
  const next = nextStep(failure);
  return [
    ...messageLines('Error', failure).map((line) => `${prefix}${line}`),
    ...(next && next !== failure.message ? [style.dim(`${prefix}${safe(next)}`)] : []),
  ];
}

function instanceText(instance: InstanceView, index: number, now: number, style: Style): string[] {
  const { status, pid, startedAt, restarts, breaker, calls, target, failure } = instance;
  const facts = [
    status,
    ...(pid === undefined ? [] : [`pid ${pid}`]),
    ...(startedAt === undefined || status !== 'ready' ? [] : [`up ${span(now - startedAt)}`]),
    ...(restarts > 0 ? [count(restarts, 'restart')] : []),
    ...(breaker === 'closed' ? [] : [`breaker ${breaker}`]),
    `${count(calls.total, 'call')}, ${calls.active} active, ${calls.failed} failed`,
    ...(target === undefined ? [] : [safe(target)]),
  ];
  return [`  Instance ${index + 1}: ${facts.join(', ')}`, ...(failure ? failureLines(failure, style, '    ') : [])];
}

export function changesText(changes: ChangeView[], style: Style): string {
  if (changes.length === 0) return 'No changes.';
  return changes
    .map((change) => {
      const { at, items, omitted } = change;
      const lines = items.map((item) => `  ${safe(changeText(item))}`);
      const state = undoText(change);
      const head = `${localTime(at)} ${sourceText(change)}${state && ` · ${state}`}`;
      return [style.dim(head), ...lines, ...(omitted > 0 ? [`  ${omitted} more`] : [])].join('\n');
    })
    .join('\n');
}

export function historyText(records: CallRecord[], style: Style, filtered = false): string {
  if (records.length === 0) return filtered ? 'No history entries match.' : 'The history is empty.';
  return records
    .map((record) => {
      const { at, kind, client, server, tool, code, durationMs, arguments: args } = record;
      const line = `${kind} ${server}:${tool} by ${client}: ${outcomeLabel(record)}${code ? ` [${code}]` : ''} (${durationMs} ms)`;
      const shownArguments = args && args !== '{}' ? `\n  ${style.dim(safe(args))}` : '';
      return `${style.dim(localTime(at))} ${safe(line)}${shownArguments}`;
    })
    .join('\n');
}

/** `2026-11-20 14:03:07` in local time, a format that `--since` and `--until` accept. */
function localTime(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().replace('T', ' ').slice(0, 19);
}

/** `45 s`, `12 min`, `3 h`, `2 d`. */
function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 100 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
