/** The tools of a server that a client does not use, from the server's entry and from the client's settings. Pure. */
import { isObject } from '../../../../shared/is-object.ts';

/** Disables the tools in `names` except those in `except`. In both, `*` matches any characters. */
export interface ToolFilter {
  names: string[];
  except: string[];
}

/** A decision of a client's settings about the tools with this name, which contains the server's name. */
export interface ToolDecision {
  name: string;
  isDenied: boolean;
}

export const denied = (names: unknown): ToolDecision[] => strings(names).map((name) => ({ name, isDenied: true }));

export const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** Comparing more names with the names of many servers would hold Core. */
const maxDecisions = 500;

/**
 * The decisions about the tools of one server. The client puts one of `prefixes` before their names. The first decision
 * that matches a tool applies. If there are too many decisions, every tool is disabled.
 */
export function filtersOf(decisions: ToolDecision[], prefixes: string[]): ToolFilter[] {
  if (decisions.length > maxDecisions) return [{ names: ['*'], except: [] }];
  const toolNames = ({ name }: ToolDecision) => [...new Set(prefixes.flatMap((prefix) => afterPrefix(name, prefix)))];
  return decisions.flatMap((decision, index) => {
    const names = decision.isDenied ? toolNames(decision) : [];
    if (names.length === 0) return [];
    return [
      { names, except: decisions.slice(0, index).flatMap((earlier) => (earlier.isDenied ? [] : toolNames(earlier))) },
    ];
  });
}

/** The parts of a pattern that remain after the characters of `prefix`: `*_issue` of `git*_issue` after `github_`. */
function afterPrefix(pattern: string, prefix: string): string[] {
  let positions = new Set([0]);
  for (const char of prefix) {
    const next = new Set<number>();
    for (let at of positions) {
      for (; pattern[at] === '*'; at += 1) next.add(at);
      if (pattern[at] === char) next.add(at + 1);
    }
    if (next.size === 0) return [];
    positions = next;
  }
  return [...positions].map((at) => pattern.slice(at)).filter((rest) => rest !== '');
}

const disabling = ['disabledTools', 'disabled_tools', 'excludeTools'];
/** Every other tool is disabled. */
const enabling = ['enabledTools', 'enabled_tools', 'includeTools'];

/** The filters in a server's entry. In our own format, `tools` contains objects, which declare tools. */
export function filtersInEntry(entry: Record<string, unknown>): ToolFilter[] {
  const { tools } = entry;
  const listed = isObject(tools) ? tools : {};
  const only = (names: string[]): ToolFilter => ({ names: ['*'], except: names });
  const lists = enabling.filter((key) => Array.isArray(entry[key])).map((key) => strings(entry[key]));
  // For Goose and Hermes, an empty list has no effect.
  const included = [entry.available_tools, listed.include].map(strings).filter((names) => names.length > 0);
  if (Array.isArray(tools) && strings(tools).length > 0) included.push(strings(tools));
  const disabled = [...disabling.map((key) => strings(entry[key])), strings(listed.exclude), namesOff(listed)];
  return [
    ...disabled.filter((names) => names.length > 0).map((names): ToolFilter => ({ names, except: [] })),
    ...[...lists, ...included].filter((names) => !names.includes('*')).map(only),
  ];
}

/** `{name: false}` and `{name: {enabled: false}}` */
function namesOff(listed: Record<string, unknown>): string[] {
  const isOff = (value: unknown) => value === false || (isObject(value) && value.enabled === false);
  return Object.keys(listed).filter((name) => isOff(listed[name]));
}

/** The notes about filters in the plan of an import. */
export function filterNote({ names, except }: ToolFilter): string {
  if (!names.includes('*')) {
    const rest = except.length > 0 ? `, except ${shortened(except)}` : '';
    return `Tools that stay disabled: ${shortened(names)}${rest}.`;
  }
  return except.length > 0 ? `All tools stay disabled except: ${shortened(except)}.` : 'All tools stay disabled.';
}

/** The filter as the patterns of a rule. */
export function patternsOf({ names, except }: ToolFilter): string[] {
  return [...names.map(patternOf), ...except.map((name) => `!${patternOf(name)}`)];
}

/** A name as a pattern. Characters that would mean something else in a rule become a regular expression. */
function patternOf(name: string): string {
  if (/^[\w.*-]+$/.test(name)) return name;
  const literal = (char: string) => (/\w/.test(char) ? char : `\\x{${char.codePointAt(0)?.toString(16)}}`);
  return `/^${Array.from(name, (char) => (char === '*' ? '.*' : literal(char))).join('')}$/`;
}

const shortened = (names: string[]) =>
  names.length > 10 ? `${names.slice(0, 10).join(', ')} and ${names.length - 10} more` : names.join(', ');
