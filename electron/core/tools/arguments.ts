/** Validates a call's arguments against the tool's input schema before the server receives them. */
import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv';
import { RE2JS } from 're2js';
import type { JsonSchema } from '../../../shared/model/tool.ts';
import { ownTurn } from '../async/slices.ts';
import { withinTime } from '../async/time-limit.ts';
import { isCostlyJson } from '../jsonrpc/parse-cost.ts';
import { similarNames } from '../search/similar-names.ts';
import { redact } from '../secrets/redact.ts';
import { relaxed } from './relaxed-schema.ts';

export type ArgumentCheck =
  /** `note` says why the arguments were not checked; the server alone then decides. */
  { ok: true; note?: string } | { ok: false; problems: string[] };

/**
 * The check for one schema, compiled on the first call, because compiling ten thousand during discovery would take
 * seconds.
 */
type Check = (args: unknown) => ArgumentCheck;

/** Keyed by schema object: the catalog keeps an unchanged tool's object, and a removed tool releases its check. */
const checks = new WeakMap<JsonSchema, Check>();

/** How long one call of `validateArguments` may block the process, in milliseconds. */
const limitMs = 30;
/** A check that exceeds its limit with less processor time than this, in milliseconds, may succeed the next time. */
const fairMs = 10;
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
let deadline = 0;
const timeLeft = () => Math.max(1, Math.floor(deadline - performance.now()));
/**
 * Setting a time limit takes 0.1 ms, so checks of small schemas and arguments have none. A schema with one of these words
 * always has a limit, because its size does not bound the time. A match inside a string only adds an unnecessary limit.
 */
const costlyWord = /"(?:\$ref|\$dynamicRef|\$recursiveRef|pattern|patternProperties|uniqueItems)"/;
/** Compiling a schema of this many characters takes a few milliseconds. */
const cheapSchema = 4 * 1024;
/** Nesting depth. The time to compile grows with its square. Brackets in strings also count. */
const cheapDepth = 40;
/** The schema's characters times the values in the arguments, because each part of a schema may check each value. */
const cheapProduct = 40_000;
/** A message omits a value that contains more values than this, because redacting it would take too long. */
const mostShown = 200;

/**
 * Checks whether the server may accept `args`. Uses draft 2020-12, 2019-09 or draft-07, as `$schema` says; the default is
 * 2020-12, as in MCP. Accepts unknown properties, missing properties with a default, and scalars and JSON as strings.
 * Never throws and never changes the arguments. A schema that does not compile or takes too long accepts everything,
 * with a note.
 */
export function validateArguments(
  tool: { inputSchema: JsonSchema },
  args: unknown,
  withinMs: number = limitMs,
): ArgumentCheck {
  if (!validator.isLoaded) throw new Error('The validator is not loaded.');
  deadline = performance.now() + withinMs;
  const known = checks.get(tool.inputSchema);
  if (known) return known(args);
  const start = processorMs();
  const check = compile(tool.inputSchema);
  if (performance.now() < deadline || processorMs() - start >= fairMs) checks.set(tool.inputSchema, check);
  return check(args);
}

type Draft = 'draft-07' | '2019-09' | '2020-12';

function draftsOf(schema: JsonSchema): Draft[] {
  const declared = typeof schema.$schema === 'string' ? schema.$schema : '';
  if (/draft-0[67]/.test(declared)) return ['draft-07'];
  if (declared.includes('2019-09')) return ['2019-09'];
  if (declared.includes('2020-12')) return ['2020-12'];
  // Most servers without `$schema` mean draft-07. The drafts differ so little that any draft that compiles is correct.
  return declared === '' ? ['2020-12', 'draft-07'] : [];
}

function compile(schema: JsonSchema): Check {
  let reason = `its $schema ${JSON.stringify(schema.$schema)} is not supported`;
  for (const draft of draftsOf(schema)) {
    if (performance.now() > deadline) break;
    try {
      return checkWith(draft, schema);
    } catch (error) {
      reason = (error as Error).message;
    }
  }
  return leftToServer(reason);
}

function leftToServer(reason: string): Check {
  const note = `The arguments were not checked, because the input schema cannot be used: ${reason.slice(0, 200)}`;
  return () => ({ ok: true, note });
}

function checkWith(draft: Draft, schema: JsonSchema): Check {
  const text = JSON.stringify(schema);
  const isCostly = text.length > cheapSchema || costlyWord.test(text) || depthOf(text) > cheapDepth;
  const cheapArguments = isCostly ? 0 : cheapProduct / text.length;
  const readsStrings = readsWholeStrings.test(text);
  const validate = compileWith(draft, 'strict', schema, isCostly);
  let coercing: ValidateFunction | undefined;
  let isTooSlow = false;

  function check(args: unknown): ArgumentCheck {
    if (validate(args)) return { ok: true };
    coercing ??= compileWith(draft, 'coercing', schema, isCostly);
    // Check a copy inside an object, because coercion replaces values in their parents.
    if (coercing(structuredClone(args))) return { ok: true };
    const all = coercing.errors ?? [];
    const json = new Set(all.filter((error) => isJsonText(error, args)).map(({ instancePath }) => instancePath));
    const errors = all.filter(({ instancePath }) => !json.has(instancePath));
    if (errors.length === 0) return { ok: true };
    const problems = new Set(errors.slice(0, 100).map((error) => describe(error, args)));
    return { ok: false, problems: [...problems].slice(0, 10) };
  }
  return (args) => {
    if (isTooSlow) return leftToServer('checking takes too long')(args);
    try {
      if (!hasMoreValues(args, cheapArguments)) return check(args);
      // Most long arguments are valid text that the schema does not examine.
      if (!readsStrings && !hasMoreValues(args, cheapArguments, 1) && validate(args)) return { ok: true };
      const start = processorMs();
      const checked = withinTime(timeLeft(), () => check(args));
      isTooSlow = checked === undefined && processorMs() - start >= fairMs;
      return checked ?? leftToServer('checking takes too long')(args);
    } catch (error) {
      // An endlessly recursive schema overflows the stack only when it is used.
      return leftToServer((error as Error).message)(args);
    }
  };
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x7b || char === 0x5b) depth += 1;
    else if (char === 0x7d || char === 0x5d) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

type Strictness = 'strict' | 'coercing';

function compileWith(draft: Draft, strictness: Strictness, schema: JsonSchema, isCostly: boolean): ValidateFunction {
  const ajv = ajvFor(draft, strictness);
  // Two tools may use the same $id, and a server's $id must not affect other schemas.
  const { $id: _id, $schema: _schema, ...rest } = relaxed(schema);
  const before = new Set(Object.keys(ajv.refs));
  try {
    if (!isCostly) return ajv.compile(rest);
    const compiled = withinTime(timeLeft(), () => ajv.compile(rest));
    if (compiled) return compiled;
    // Compiling was interrupted, so do not reuse this instance.
    instances.delete(`${draft} ${strictness}`);
    throw new Error('compiling it takes too long');
  } finally {
    // Ajv would keep every schema it has seen, and one tool's inner $id would conflict with another's.
    ajv.removeSchema(rest);
    for (const name of Object.keys(ajv.refs)) if (!before.has(name)) delete ajv.refs[name];
  }
}

const instances = new Map<string, Ajv>();
let create: Record<Draft, (options: Options) => Ajv> | undefined;

/** The first checks of a process take longest: one with correct and one with incorrect arguments. */
const practice = { inputSchema: { type: 'object', properties: { word: { type: 'string', pattern: '^a+$' } } } };

/** Ajv takes tens of milliseconds to load, which must not count toward the time limit of a check. */
export const validator = {
  isLoaded: false,
  /** Call this before the first check. Loads Ajv in several turns of the event loop. */
  async load(): Promise<void> {
    const { Ajv } = await import('ajv');
    await ownTurn();
    const { Ajv2019 } = await import('ajv/dist/2019.js');
    await ownTurn();
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    const { default: formats } = await import('ajv-formats');
    create = {
      'draft-07': (options) => formats.default(new Ajv(options)),
      '2019-09': (options) => formats.default(new Ajv2019(options)),
      '2020-12': (options) => formats.default(new Ajv2020(options)),
    };
    validator.isLoaded = true;
    for (const args of [{ word: 'a' }, { word: 'b' }]) {
      await ownTurn();
      validateArguments(practice, args, 1_000);
    }
    await ownTurn();
  },
};

function ajvFor(draft: Draft, strictness: Strictness): Ajv {
  const key = `${draft} ${strictness}`;
  const known = instances.get(key);
  if (known) return known;
  const options: Options = {
    strict: false,
    allErrors: true,
    logger: false,
    // Checking a schema against its draft takes 40 ms once. A schema that Ajv cannot compile fails in any case.
    validateSchema: false,
    validateFormats: true,
    coerceTypes: strictness === 'coercing' ? 'array' : false,
    // Inlining copies a referenced schema to each place, which a hostile schema could multiply.
    inlineRefs: false,
    code: { regExp: linearRegExp },
  };
  const ajv = create?.[draft](options);
  if (!ajv) throw new Error('The validator is not loaded.');
  instances.set(key, ajv);
  return ajv;
}

/**
 * A server's pattern runs on a linear-time engine, so it cannot stall the gateway. Patterns that the engine does not
 * support (lookahead, backreferences) are left to the server.
 */
const linearRegExp = Object.assign(
  (pattern: string, flags: string) => {
    let test: (text: string) => boolean = () => true;
    try {
      const compiled = RE2JS.compile(pattern);
      test = (text) => compiled.test(text);
    } catch {
      // Accept everything.
    }
    return { test, toString: () => `/${pattern}/${flags}` };
  },
  { code: 'linearRegExp' },
) as unknown as NonNullable<NonNullable<Options['code']>['regExp']>;

/** Keywords whose check reads a string to its end. */
const readsWholeStrings = /"(?:pattern|patternProperties|format|minLength|maxLength)"/;

/**
 * Whether a value contains more than `most` values, including itself. Long names and strings count once for every 100
 * characters, unless `perString` sets the count of each string.
 */
function hasMoreValues(value: unknown, most: number, perString?: number): boolean {
  const open = [value];
  let count = 0;
  while (open.length > 0 && count + open.length <= most) {
    const next = open.pop();
    count += typeof next === 'string' ? (perString ?? Math.ceil((next.length + 1) / 100)) : 1;
    if (typeof next !== 'object' || next === null) continue;
    const names = Array.isArray(next) ? [] : Object.keys(next);
    // Listing the entries of a long list would take longer than the check.
    if (count + open.length + (Array.isArray(next) ? next.length : names.length) > most) return true;
    for (const name of names) count += Math.floor(name.length / 100);
    open.push(...(Array.isArray(next) ? next : names.map((name) => (next as Record<string, unknown>)[name])));
  }
  return count + open.length > most;
}

/**
 * Whether the value is a JSON string whose content has the type that the schema requires; many servers parse such
 * strings.
 */
function isJsonText(error: ErrorObject, args: unknown): boolean {
  const value = valueAt(error, args);
  if (error.keyword !== 'type' || typeof value !== 'string' || !/^\s*[[{]/.test(value)) return false;
  try {
    if (!isCostlyJson(value)) JSON.parse(value);
    return [error.params.type].flat().includes(value.trimStart().startsWith('[') ? 'array' : 'object');
  } catch {
    return false;
  }
}

/** Describes one error in a sentence: location, problem, and the value if it is short and not secret. */
function describe(error: ErrorObject, args: unknown): string {
  const place = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const where = place === '' ? 'the arguments' : `"${place}"`;
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return `${place === '' ? '' : `${where}: `}"${params.missingProperty}" is missing${meant(error, args)}`;
    case 'enum':
      return `${where} must be one of ${short(params.allowedValues)}${found(error, args)}`;
    case 'const':
      return `${where} must be ${short(params.allowedValue)}${found(error, args)}`;
    default:
      return `${where} ${error.message ?? 'does not match the schema'}${found(error, args)}`;
  }
}

/** The given name that is most similar to the missing one. */
function meant(error: ErrorObject, args: unknown): string {
  const given = valueAt(error, args);
  const names = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  const [similar] = similarNames(String(error.params.missingProperty), names.slice(0, 100), 1);
  return similar === undefined ? '' : `; "${similar}" was given`;
}

function found(error: ErrorObject, args: unknown): string {
  if (error.instancePath === '' || /pass|secret|token|key|auth|credential|cookie/i.test(error.instancePath)) return '';
  const value = valueAt(error, args);
  return hasMoreValues(value, mostShown) ? '' : `, not ${short(redact(value))}`;
}

function valueAt({ instancePath }: ErrorObject, args: unknown): unknown {
  let at: unknown = args;
  for (const raw of instancePath.split('/').slice(1))
    at = (at as Record<string, unknown> | null | undefined)?.[raw.replaceAll('~1', '/').replaceAll('~0', '~')];
  return at;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
