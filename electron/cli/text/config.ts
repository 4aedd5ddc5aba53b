/** Text output of `toolkeep config …`. */
import { homedir } from 'node:os';
import type { Failure } from '../../../shared/failure.ts';
import type { RuleView } from '../../../shared/model/rule.ts';
import type { ConfigSetting } from '../../../shared/model/setting.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { nextStep } from '../exit.ts';
import { count, type Style, safe, safeLines } from '../terminal.ts';
import { discoveryText } from './servers.ts';

type Shown = CommandOutput<'config.show'>;

export function configText(shown: Shown, style: Style): string {
  const { cache, servers, tools, sources, rules } = shown;
  const head = [
    `Status: ${shown.enabled ? 'Enabled' : 'Disabled'}`,
    `Cache: ${cache.enabled ? `Enabled (TTL: ${cache.ttl}s)` : 'Disabled'}`,
  ];
  return [
    'MCP Discovery Configuration:',
    head.join('\n'),
    ['Settings:', ...shown.settings.map(settingLine)].join('\n'),
    [`Sources (${sources.length})${sources.length > 0 ? ':' : ''}`, ...sourceLines(sources, style)].join('\n'),
    [`Tool Rules (${rules.length})${rules.length > 0 ? ':' : ''}`, ...rules.map(ruleLine)].join('\n'),
    [
      shown.enabled
        ? `Servers: ${servers.configured} configured, ${servers.connected} connected`
        : `Servers: ${discoveryText.disabled}`,
      `Tools: ${tools.total} total, ${tools.enabled} enabled`,
    ].join('\n'),
    [
      `File: ${shown.file ? safe(tilde(shown.file)) : 'none, built-in defaults'}`,
      ...(shown.folder
        ? [`Folder: ${safe(tilde(shown.folder.file ?? shown.folder.path))} (${shown.folder.status})`]
        : []),
    ].join('\n'),
  ].join('\n\n');
}

/** `approvals.timeout: 10m (set in the window; 5m by default)` */
function settingLine({ key, value, origin, otherwise }: ConfigSetting): string {
  const shown = (one: ConfigSetting['value']) =>
    typeof one === 'number' && key.endsWith('.timeout') ? durationText(one) : safe(String(one));
  const source = { window: 'window', file: 'in the file', folder: fromFolder, default: 'default' }[origin];
  const places = { file: 'in the file', folder: fromFolder, default: 'by default' };
  const instead = otherwise && `${shown(otherwise.value)} ${places[otherwise.origin]}`;
  const meaning = value === 0 && zeroMeans[key] ? `, ${zeroMeans[key]}` : '';
  return `  ${key}: ${shown(value)}${meaning} (${instead ? `set in the window; ${instead}` : source})`;
}

/** The meaning of the value 0, by setting. */
const zeroMeans: Record<string, string> = {
  'results.maxCharacters': 'unlimited',
  'history.months': 'kept forever',
  'history.resultDays': 'kept until Toolkeep quits',
};

/** The duration in the largest unit that divides it, as the config file accepts it. */
function durationText(ms: number): string {
  const [unit, size] = units.find(([, length]) => ms > 0 && ms % length === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}
const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

export function sourceLines(sources: Shown['sources'], style: Style): string[] {
  return sources.map(({ type, path, files, found, origin }) => {
    const mark = found ? style.good('✓') : style.bad('✗');
    const of = [...new Set((path ? [path] : files).map(tilde))].join(', ');
    return `  ${mark} ${safe(type)}${of && ` (${safe(of)})`}${origin ? ` ${fromFolder}` : ''}${found ? '' : ' - not found'}`;
  });
}

/** Also says where a profile comes from. */
export const fromFolder = 'from the trusted folder';

const originNotes: Record<RuleView['origin'], string[]> = {
  own: ['yours'],
  config: [],
  folder: [fromFolder],
  client: ['from the client of this server'],
};

/** `1. *github*, /issue/ → enabled, tags: [github, issues]` */
export function ruleLine(rule: RuleView, index: number): string {
  const patterns = rule.pattern.join(', ') || '*';
  const outcome = [
    ...(rule.enabled === undefined ? [] : [rule.enabled ? 'enabled' : 'disabled']),
    ...(rule.confirm === undefined ? [] : [`confirm: ${rule.confirm}`]),
    ...(rule.destinations === undefined ? [] : [`destinations: ${rule.destinations}`]),
    ...(rule.tags?.length ? [`tags: [${rule.tags.join(', ')}]`] : []),
  ];
  const notes = [
    ...originNotes[rule.origin],
    ...(rule.active ? [] : ['disabled']),
    ...(rule.problem ? [rule.problem] : []),
    ...(rule.shadowedBy === undefined
      ? []
      : [`never decides: rule ${rule.shadowedBy + 1} matches all its tools first`]),
  ];
  const server = rule.server === undefined ? '' : `[${rule.server}] `;
  const suffix = notes.length > 0 ? ` (${notes.join('; ')})` : '';
  return safe(`  ${index + 1}. ${server}${patterns} → ${outcome.join(', ') || 'no effect'}${suffix}`);
}

export function problemsText(problems: Failure[], style: Style): string {
  const steps = problems.map(nextStep);
  return problems
    .flatMap(({ message }, index) => {
      const step = steps[index] ?? '';
      // If consecutive problems have the same next step, print it once, below the last one.
      const isSaidBelow = step === '' || step === steps[index + 1];
      return [`${style.bad('✗')} ${safeLines(message, 4)}`, ...(isSaidBelow ? [] : [`  ${style.dim(safe(step))}`])];
    })
    .join('\n');
}

/** `✓ Discovered 3 servers in 240 ms. Failed: database` */
export function discoveredText({ results }: CommandOutput<'servers.discover'>, style: Style): string {
  const failed = results.flatMap(({ server, success }) => (success ? [] : server));
  const slowestMs = Math.round(Math.max(0, ...results.map(({ durationMs }) => durationMs)));
  const done = `${style.good('✓')} Discovered ${count(results.length - failed.length, 'server')} in ${slowestMs} ms`;
  return failed.length === 0 ? done : `${done}. Failed: ${safe(failed.join(', '))}`;
}

/** A path with the home folder written as `~`. */
export function tilde(path: string): string {
  const home = process.env.HOME || homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
