/** Checks a config document against the schema. Each problem has its location, the invalid value and the expected one. */

import { describeIssue, repeatedUrlProblem, repeatedUrls } from '../../../shared/describe-issue.ts';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import { isObject } from '../../../shared/is-object.ts';
import { checkRule } from '../rules/rules.ts';
import { similarNames } from '../search/similar-names.ts';
import { connectionKeys, normalize } from './normalize.ts';
import { retiredKeys } from './retired-keys.ts';
import { type ConfigDocument, documentSchema } from './schema.ts';

export interface Checked {
  /** Absent if there are problems. */
  document?: ConfigDocument;
  problems: Failure[];
  warnings: string[];
}

/** A misspelling of one of these keys would silently remove a protection, so it is an error rather than a warning. */
const protective = ['toolRules', 'profiles', 'approvals', 'enabled'];
const isProtective = ([section]: PropertyKey[], guess: string | undefined) =>
  section === 'toolRules' || section === 'profiles' || (guess !== undefined && protective.includes(guess));

/** `line` returns the line of a path in the file; it is called only for problems and warnings. */
export function checkDocument(
  written: unknown,
  file: string,
  line: (path: PropertyKey[]) => number | undefined,
): Checked {
  const { document, pathInFile, ignoredKeys } = normalize(written ?? {});
  const problems: Failure[] = [];
  const warnings: string[] = [];
  const add = (path: PropertyKey[], message: string, hint?: string) => {
    const inFile = pathInFile(path);
    const at = line(inFile);
    const place = formatPath(inFile);
    problems.push({
      code: 'CONFIG_INVALID',
      message: `${place ? `${place}: ` : ''}${message} (${file}${at ? `, line ${at}` : ''})`,
      hint,
      file,
      line: at,
      path: place || undefined,
    });
  };

  for (const key of ignoredKeys)
    problems.push({
      code: 'CONFIG_INVALID',
      message: `"${key}" next to "discovery" has no effect (${file}, line ${line([key]) ?? '?'})`,
      hint: 'Move it into "discovery", or remove the wrapper.',
      file,
      path: key,
    });

  const first = documentSchema.safeParse(document, { reportInput: true });
  const unknownKeys = (first.error?.issues ?? []).filter((issue) => issue.code === 'unrecognized_keys');
  for (const issue of unknownKeys) {
    for (const key of issue.keys) {
      const path = [...issue.path, key];
      const inFile = pathInFile(path);
      const place = formatPath(inFile);
      const retired = retiredKeys.get(formatPath(path));
      const [guess] = similarNames(key, knownKeys(issue.path), 1);
      const advice = guess ? `did you mean "${guess}"?` : `known keys are ${knownKeys(issue.path).join(', ')}.`;
      if (retired === undefined && isProtective(issue.path, guess)) add(path, `unknown key "${key}"; ${advice}`);
      else {
        const at = line(inFile);
        const problem = retired
          ? `${place} has no effect. ${retired}`
          : `unknown key ${place} has no effect; ${advice}`;
        warnings.push(`${problem}${at ? ` (line ${at})` : ''}`);
      }
      removeKey(document, path);
    }
  }

  const result = unknownKeys.length > 0 ? documentSchema.safeParse(document, { reportInput: true }) : first;
  for (const issue of result.error?.issues ?? [])
    add(
      issue.path,
      lacksConnection(issue) ? missingConnection : describeIssue(issue, showValue(issue.input, issue.path)),
    );
  if (!result.success) return { problems, warnings };
  checkMeaning(result.data, add);
  return problems.length > 0 ? { problems, warnings } : { document: result.data, problems, warnings };
}

const missingConnection = 'needs a "command" that starts the server, or its "url"';

const lacksConnection = ({ path, input }: { path: PropertyKey[]; input?: unknown }) =>
  path[0] === 'servers' &&
  path[2] === 'connection' &&
  ((path.length === 3 && input === undefined) || (path[3] === 'type' && isObject(input) && input.type === undefined));

/** Finds the problems that the schema cannot express: invalid patterns, duplicate server names and duplicate replicas. */
function checkMeaning(document: ConfigDocument, add: (path: PropertyKey[], message: string, hint?: string) => void) {
  for (const [index, rule] of document.toolRules.entries()) {
    try {
      checkRule(rule);
    } catch (error) {
      const { message, hint } = toFailure(error);
      add(['toolRules', index, 'pattern'], message, hint);
    }
  }
  const names = new Map<string, number>();
  for (const [index, { name, connection, sandbox }] of document.servers.entries()) {
    if (connection.type !== 'stdio' && sandbox !== undefined)
      add(['servers', index, 'sandbox'], 'needs a server with a command: Toolkeep does not start a remote server');
    if (connection.type !== 'stdio' && !connection.url.includes('${') && !isWebUrl(connection.url))
      add(['servers', index, 'connection', 'url'], 'must be an http:// or https:// URL');
    if (connection.type !== 'stdio')
      for (const place of repeatedUrls(connection.url, connection.replicas ?? []))
        add(['servers', index, 'connection', 'replicas', place], repeatedUrlProblem);
    const earlier = names.get(name);
    if (earlier !== undefined)
      add(['servers', index, 'name'], `"${name}" is already the name of servers[${earlier}]; names must be unique`);
    names.set(name, index);
  }
}

const isWebUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Other values in a connection may be secrets, so only their type is reported. */
const neverSecret: unknown[] = ['type', 'instances', 'environment'];

function showValue(input: unknown, path: PropertyKey[]): string {
  // The problem of a type that no connection has is reported with the whole connection.
  const value = path.at(-1) === 'type' && isObject(input) ? input.type : input;
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  if (typeof value === 'object') return 'an object';
  const isOpen = path.at(-2) === 'connection' && neverSecret.includes(path.at(-1));
  if (path[0] === 'servers' && path.includes('connection') && !isOpen) return `a ${typeof value}`;
  const text = JSON.stringify(value) ?? `a ${typeof value}`;
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Formats a path as `servers[2].connection.url`. */
export function formatPath(path: PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      const name = String(step);
      if (!/^[A-Za-z_$][\w$-]*$/.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

/** Returns the keys that the schema has at `path`, for suggestions. */
function knownKeys(path: PropertyKey[]): string[] {
  let schema: unknown = documentSchema;
  for (const step of path) {
    const { shape, element, valueType } = unwrap(schema) as {
      shape?: Record<PropertyKey, unknown>;
      element?: unknown;
      valueType?: unknown;
    };
    schema = shape?.[step] ?? element ?? valueType;
    if (schema === undefined) return [];
  }
  const { shape, options } = unwrap(schema) as { shape?: object; options?: { shape?: object }[] };
  const keys = shape ? Object.keys(shape) : (options ?? []).flatMap((option) => Object.keys(option.shape ?? {}));
  // An entry of a server may have the keys of its connection.
  if (path[0] === 'servers' && path.length === 2) keys.push(...connectionKeys);
  return [...new Set(keys)].filter((key) => !key.startsWith('$'));
}

/** Returns the object, list or union inside wrappers such as optional and default. */
function unwrap(schema: unknown): object {
  let inner = schema as { def?: { innerType?: unknown } };
  while (inner?.def?.innerType) inner = inner.def.innerType as typeof inner;
  return inner ?? {};
}

function removeKey(document: unknown, path: PropertyKey[]): void {
  let at = document;
  for (const step of path.slice(0, -1)) at = (at as Record<PropertyKey, unknown> | undefined)?.[step];
  if (isObject(at)) delete at[path.at(-1) as string];
}
