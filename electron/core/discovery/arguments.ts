/** Checks the arguments of a call against the tool's input schema before the server sees them (row A13). */
import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv';
import { RE2JS } from 're2js';
import type { JsonSchema } from '../../../shared/model.ts';

export type ArgumentCheck =
  /** `note` says when the schema could not be used, so that the server decides alone. */
  { ok: true; note?: string } | { ok: false; problems: string[] };

/** The checks of one schema, made when the first call comes: compiling ten thousand at discovery would take seconds. */
type Check = (args: unknown) => ArgumentCheck;

/** By schema object: the catalog keeps the object of an unchanged tool, and forgotten tools take their check along. */
const checks = new WeakMap<JsonSchema, Check>();

/**
 * Whether `args` fit `tool.inputSchema`: draft 2020-12, 2019-09 or draft-07 by its `$schema`, else 2020-12 as MCP says.
 * Never throws and never changes the arguments. A schema that cannot be compiled lets everything pass, with a note.
 */
export function validateArguments(tool: { inputSchema: JsonSchema }, args: unknown): ArgumentCheck {
  let check = checks.get(tool.inputSchema);
  if (!check) {
    check = compile(tool.inputSchema);
    checks.set(tool.inputSchema, check);
  }
  return check(args);
}

type Draft = 'draft-07' | '2019-09' | '2020-12';

function draftsOf(schema: JsonSchema): Draft[] {
  const declared = typeof schema.$schema === 'string' ? schema.$schema : '';
  if (/draft-0[67]/.test(declared)) return ['draft-07'];
  if (declared.includes('2019-09')) return ['2019-09'];
  if (declared.includes('2020-12')) return ['2020-12'];
  // Most servers that say nothing mean draft-07; the two differ in so little that the one that compiles is right.
  return declared === '' ? ['2020-12', 'draft-07'] : [];
}

function compile(schema: JsonSchema): Check {
  const drafts = draftsOf(schema);
  let reason = `its $schema ${JSON.stringify(schema.$schema)} is not supported`;
  for (const draft of drafts) {
    try {
      return checkWith(ajvFor(draft), schema);
    } catch (error) {
      reason = (error as Error).message;
    }
  }
  return leftToServer(reason);
}

function leftToServer(reason: string): Check {
  const note = `The arguments were not checked, since the input schema cannot be used: ${reason.slice(0, 200)}`;
  return () => ({ ok: true, note });
}

function checkWith(ajv: Ajv, schema: JsonSchema): Check {
  // Two tools may use the same $id, and a server's $id must not name anything here.
  const { $id: _id, $schema: _schema, ...rest } = schema;
  const before = new Set(Object.keys(ajv.refs));
  let validate: ValidateFunction;
  try {
    validate = ajv.compile(rest);
  } finally {
    // Ajv would keep every schema that it ever saw, and let one tool's inner $id stand in another's way.
    ajv.removeSchema(rest);
    for (const name of Object.keys(ajv.refs)) if (!before.has(name)) delete ajv.refs[name];
  }
  return (args) => {
    try {
      if (validate(args)) return { ok: true };
      const problems = new Set((validate.errors ?? []).map((error) => describe(error, args)));
      return { ok: false, problems: [...problems].slice(0, 10) };
    } catch (error) {
      // A schema that refers to itself without end overflows the stack only once it is used.
      return leftToServer((error as Error).message)(args);
    }
  };
}

const instances = new Map<Draft, Ajv>();

/** Made when first needed: loading Ajv would cost every start some tens of milliseconds. */
function ajvFor(draft: Draft): Ajv {
  const known = instances.get(draft);
  if (known) return known;
  const require = createRequire(import.meta.url);
  const options: Options = {
    strict: false,
    allErrors: true,
    logger: false,
    validateFormats: true,
    code: { regExp: linearRegExp },
  };
  const modules = { 'draft-07': 'ajv', '2019-09': 'ajv/dist/2019.js', '2020-12': 'ajv/dist/2020.js' };
  const ajv = new (require(modules[draft]).default)(options) as Ajv;
  require('ajv-formats').default(ajv);
  instances.set(draft, ajv);
  return ajv;
}

/**
 * A server's pattern runs on a linear-time engine, so that it cannot stall the gateway. What that engine does not know
 * (look-ahead, back references) is left to the server.
 */
const linearRegExp = Object.assign(
  (pattern: string, flags: string) => {
    let test: (text: string) => boolean = () => true;
    try {
      const compiled = RE2JS.compile(pattern);
      test = (text) => compiled.test(text);
    } catch {
      // Stays open.
    }
    return { test, toString: () => `/${pattern}/${flags}` };
  },
  { code: 'linearRegExp' },
) as unknown as NonNullable<NonNullable<Options['code']>['regExp']>;

/** One error in plain words: where, what, and the value if it is short and not a secret's. */
function describe(error: ErrorObject, args: unknown): string {
  const place = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const where = place === '' ? 'the arguments' : `"${place}"`;
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return `${place === '' ? '' : `${where}: `}"${params.missingProperty}" is missing`;
    case 'additionalProperties':
      return `${place === '' ? '' : `${where}: `}"${params.additionalProperty}" is not a parameter of the tool`;
    case 'enum':
      return `${where} must be one of ${short(params.allowedValues)}${found(error, args)}`;
    case 'const':
      return `${where} must be ${short(params.allowedValue)}${found(error, args)}`;
    default:
      return `${where} ${error.message ?? 'does not fit'}${found(error, args)}`;
  }
}

function found(error: ErrorObject, args: unknown): string {
  if (error.instancePath === '' || /pass|secret|token|key|auth|credential|cookie/i.test(error.instancePath)) return '';
  let at: unknown = args;
  for (const raw of error.instancePath.slice(1).split('/'))
    at = (at as Record<string, unknown> | undefined)?.[raw.replaceAll('~1', '/').replaceAll('~0', '~')];
  return `, not ${short(at)}`;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
