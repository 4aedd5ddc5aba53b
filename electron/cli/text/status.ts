/** `gatehouse status` and `audit`, for people and as CSV. */
import type { CommandOutput } from '../../../shared/contract.ts';
import type { Failure } from '../../../shared/failure.ts';
import { historyCsv } from '../../../shared/history-csv.ts';
import type { CallRecord, InstanceView, ServerView } from '../../../shared/model.ts';
import { nextStep } from '../exit.ts';
import { count, type Style, safe } from '../terminal.ts';
import { tilde } from './config.ts';
import { isUp, messageLines } from './servers.ts';

export interface StatusReport {
  running: boolean;
  status: CommandOutput<'core.status'>;
  servers: ServerView[];
  now: number;
}

export function statusText({ running, status, servers, now }: StatusReport, style: Style): string {
  const state = !running ? 'not running' : status.paused ? 'paused' : `running for ${span(now - status.startedAt)}`;
  const head = [
    `${style.bold(`Gatehouse ${status.version}`)}: ${state}`,
    `Data: ${tilde(status.dataDir)}`,
    `Secrets: ${vaultText(status.vault)}`,
    ...(running && status.http ? [`HTTP: ${status.http.url} (token in ${tilde(status.http.tokenFile)})`] : []),
    ...(status.searchModel ? [searchText(status.searchModel, style)] : []),
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

function vaultText({ label, persistent }: StatusReport['status']['vault']): string {
  return persistent ? `sealed with the ${label}` : `kept in ${label}; nothing is sealed on disk`;
}

function searchText({ folder, problem }: NonNullable<StatusReport['status']['searchModel']>, style: Style): string {
  if (problem === undefined) return `Search: by words and by meaning (${tilde(folder)})`;
  return `Search: by words alone\n  ${style.warn('!')} ${safe(problem)}`;
}

function serverText(server: ServerView, now: number, style: Style): string {
  const mark = isUp(server) ? style.good('✓') : style.bad('✗');
  const facts = [
    server.status === 'starting' && server.phase ? `starting (${server.phase})` : server.status,
    server.transport,
    ...(server.version ? [versionText(server)] : []),
    ...(server.era ? [`${server.era} protocol`] : []),
    ...(server.pid === undefined ? [] : [`pid ${server.pid}`]),
    ...(server.startedAt === undefined || server.status !== 'ready' ? [] : [`up ${span(now - server.startedAt)}`]),
    ...(server.restarts > 0 ? [count(server.restarts, 'restart')] : []),
    ...(server.breaker === 'closed' ? [] : [`breaker ${server.breaker}`]),
  ];
  const { total, failed, averageMs } = server.calls;
  const phases = server.phases.map(({ phase, durationMs }) => `${phase} ${Math.round(durationMs)} ms`).join(', ');
  return [
    `${mark} ${style.bold(safe(server.id))}: ${facts.join(', ')}`,
    `  ${style.dim(safe(server.target))}`,
    `  Tools: ${server.toolCount} (${server.enabledCount} enabled), prompts: ${server.promptCount}, resources: ${server.resourceCount}`,
    ...(phases ? [`  Last start: ${phases}`] : []),
    ...(total > 0 ? [`  Calls: ${total}, ${failed} failed, ${Math.round(averageMs)} ms on average`] : []),
    ...(server.failure ? failureLines(server.failure, style, '  ') : []),
    ...(server.instances ?? []).flatMap((instance, index) => instanceText(instance, index, now, style)),
    ...server.warnings.map((warning) => `  ${style.warn('!')} ${safe(warning)}`),
  ].join('\n');
}

function versionText({ version = '', updatedFrom }: ServerView): string {
  return safe(updatedFrom ? `version ${version} (was ${updatedFrom.version})` : `version ${version}`);
}

function failureLines(failure: Failure, style: Style, by: string): string[] {
  const next = nextStep(failure);
  return [
    ...messageLines('Error', failure).map((line) => `${by}${line}`),
    ...(next ? [style.dim(`${by}${safe(next)}`)] : []),
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
    `${count(calls.total, 'call')}, ${calls.active} under way, ${calls.failed} failed`,
    ...(target === undefined ? [] : [safe(target)]),
  ];
  return [`  Instance ${index + 1}: ${facts.join(', ')}`, ...(failure ? failureLines(failure, style, '    ') : [])];
}

export function auditText(records: CallRecord[], style: Style, filtered = false): string {
  if (records.length === 0) return filtered ? 'Nothing in the history fits.' : 'Nothing has happened yet.';
  return records
    .map(({ at, kind, client, server, tool, outcome, code, durationMs, arguments: args }) => {
      const line = `${kind} ${server}:${tool} by ${client}: ${outcome}${code ? ` [${code}]` : ''} (${durationMs} ms)`;
      const shownArguments = args && args !== '{}' ? `\n  ${style.dim(safe(args))}` : '';
      return `${style.dim(localTime(at))} ${safe(line)}${shownArguments}`;
    })
    .join('\n');
}

export const auditCsv = (records: CallRecord[]): string => historyCsv(records).trimEnd();

/** `2026-11-20 14:03:07` by the clock of this machine, as `--since` and `--until` take it. */
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
