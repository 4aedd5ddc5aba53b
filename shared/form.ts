/** Converts elicitation schemas to form fields and validates answers. Runs in the UI while the user types, and again in Core. */
import { RE2JS } from 're2js';
import { isObject } from './is-object.ts';
import { anyOf, english, type Translate } from './message.ts';
import type { Field } from './model/question.ts';
import { textFrom } from './text-from.ts';

type Schema = Record<string, unknown>;

const numericSecret =
  /(?:^|[^a-z0-9])(?:otp|totp|cvv2?|cvc2?|(?:credit|debit)?[_\-\s]?card[_\-\s]?(?:number|no)|(?:pin|security|verification|recovery|backup|one[_\-\s]time|2fa|mfa|auth(?:entication)?)[_\-\s]?code)(?:$|[^a-z0-9])/i;
const secretWord =
  /(?:^|[^a-z0-9])(?:pass(?:word|phrase|wd|code)|pwd|secret|token|(?:api|access|private)[_\-\s]?key|credentials?|seed[_\-\s]phrase)(?:$|[^a-z0-9])|passwort|kennwort|contraseñ|mot de passe|senha|wachtwoord|hasło|парол|密码|密碼|パスワード|비밀번호/i;
const pinName = /(?:^|[_\-.\s])pin(?:$|[_\-.\s])/i;
/** In a title, "pin" may be a verb. */
const pinTitle = /\bPIN\b|\bpin$/;
const fileName = /(?:^|[_\-.\s])(?:file|filepath|file[_\-\s]path|file[_\-\s]ur[il]|folder|directory)$/i;
const folderWord = /(?:^|[_\-.\s])(?:folder|directory|dir)(?:$|[_\-.\s])/i;
const saveWord = /(?:^|[_\-.\s])(?:save|output|export|destination|target)(?:$|[_\-.\s])/i;

/** Parses a flat MCP elicitation schema (form mode) into fields, in schema order. Unknown types become text fields. */
export function fieldsFromSchema(schema: unknown): Field[] {
  const properties = record(record(schema).properties);
  const required = new Set(strings(record(schema).required));
  return Object.entries(properties).map(([name, raw]) => {
    const { plain, isNullable } = plainSchema(record(raw), record(schema));
    const field = fieldFromProperty(name, plain, required.has(name) && !isNullable, record(schema));
    return isNullable && required.has(name) ? { ...field, isNullable } : field;
  });
}

const isNull = (branch: unknown) => record(branch).type === 'null' || record(branch).const === null;

/** Reduces the ways in which SDKs write an optional value, an enumeration or a union to the form with one type. */
function plainSchema(schema: Schema, root: Schema, depth = 0): { plain: Schema; isNullable: boolean } {
  const [, key = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(schema.$ref)) ?? [];
  const alternatives = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray) ?? [];
  const types = Array.isArray(schema.type) ? schema.type : [];
  const isNullable = schema.nullable === true || alternatives.some(isNull) || types.includes('null');
  const { anyOf: _1, oneOf: _2, allOf: _3, $ref: _4, type, ...rest } = schema;
  const others = alternatives.map(record).filter((branch) => !isNull(branch));
  const isChoice = others.length > 0 && others.every((branch) => 'const' in branch);
  const inner = name ? record(record(root[key])[name]) : isChoice ? undefined : textBranch(others);
  if (inner && depth < 5) {
    const found = plainSchema({ ...inner, ...rest }, root, depth + 1);
    return { ...found, isNullable: isNullable || found.isNullable };
  }
  const plainType =
    types.length > 0 ? textBranch(types.map((one) => ({ type: one })).filter((t) => !isNull(t))) : { type };
  return { plain: { ...rest, ...plainType, ...(isChoice && { oneOf: others }) }, isNullable };
}

/** Prefers text, which a user can always enter. */
const textBranch = (branches: Schema[]) => branches.find(({ type }) => type === 'string') ?? branches[0];

function fieldFromProperty(name: string, schema: Schema, required: boolean, root: Schema): Field {
  const field: Field = { name, label: text(schema.title) ?? name, kind: 'text', required };
  const description = text(schema.description);
  if (description) field.description = description;
  const placeholder = text(schema.placeholder);
  if (placeholder) field.placeholder = placeholder;
  if (schema.default !== undefined && schema.default !== null) field.default = schema.default;

  const items = plainSchema(record(schema.items), root).plain;
  const options = optionsOf(schema.type === 'array' ? items : schema);
  if (schema.type === 'array' && !options) {
    field.kind = 'multiline';
    field.lines = items.type === 'number' || items.type === 'integer' ? items.type : 'text';
    copyNumbers(schema, field, ['minItems', 'maxItems']);
  } else if (schema.type === 'array') {
    field.kind = 'multiselect';
    field.options = options;
    copyNumbers(schema, field, ['minItems', 'maxItems']);
  } else if (options) {
    field.kind = 'select';
    field.options = options;
  } else if (schema.type === 'boolean') field.kind = 'boolean';
  else if (schema.type === 'number' || schema.type === 'integer') {
    field.kind = schema.type;
    copyNumbers(schema, field, ['minimum', 'maximum']);
  } else {
    field.kind = textKind(name, schema);
    if (field.kind === 'file') field.file = fileOf(name, schema);
    copyNumbers(schema, field, ['minLength', 'maxLength']);
    const pattern = text(schema.pattern);
    if (pattern) field.pattern = pattern;
    if (isFormat(schema.format)) field.format = schema.format;
  }
  return { ...field, ...(field.default !== undefined && { default: enteredAnswer(field, field.default) }) };
}

/** The value that the schema wants for an answer: the original of a chosen option, the list that the lines hold. */
export function originalAnswer(field: Field, answer: unknown): unknown {
  if (field.lines) return field.lines === 'text' ? linesIn(answer) : linesIn(answer).map(Number);
  const originalOf = (chosen: unknown) => {
    const option = field.options?.find(({ value }) => value === chosen);
    return option?.original === undefined ? chosen : option.original;
  };
  return Array.isArray(answer) ? answer.map(originalOf) : originalOf(answer);
}

/** The opposite of `originalAnswer`. */
export function enteredAnswer(field: Field, original: unknown): unknown {
  if (field.lines) return Array.isArray(original) && !original.some(isObject) ? original.join('\n') : original;
  const enteredOf = (one: unknown) => field.options?.find((option) => option.original === one)?.value ?? one;
  return Array.isArray(original) ? original.map(enteredOf) : enteredOf(original);
}

const linesIn = (answer: unknown): string[] =>
  textFrom(answer ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Whether a field's name or title suggests a secret. For a `kind` other than `text`, only numeric secrets such as PINs count. */
export function asksForSecret(name: string, title = '', kind: Field['kind'] = 'text'): boolean {
  const words = wordsOf(name);
  if (pinName.test(words) || pinTitle.test(title)) return true;
  return [words, title].some((said) => numericSecret.test(said) || (kind === 'text' && secretWord.test(said)));
}

function textKind(name: string, schema: Schema): Field['kind'] {
  const words = wordsOf(name);
  if (schema.format === 'password' || schema.writeOnly === true || asksForSecret(name, text(schema.title)))
    return 'secret';
  if (schema.format === 'file-path' || fileName.test(words)) return 'file';
  return typeof schema.maxLength === 'number' && schema.maxLength > 300 ? 'multiline' : 'text';
}

/** Splits camelCase, so that `createdFile` reads like `created_file`. */
const wordsOf = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1_$2');

/**
 * The files that a file field accepts. MCP does not define this, so we derive it from the field's name and from common
 * keywords: `accept` (as in HTML: ".csv,.json"), `maxSize` or `maxBytes`.
 */
function fileOf(name: string, schema: Schema): NonNullable<Field['file']> {
  const words = wordsOf(name);
  const accept = Array.isArray(schema.accept) ? strings(schema.accept) : (text(schema.accept)?.split(',') ?? []);
  const extensions = accept
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => /^\.[a-z0-9]{1,20}$/.test(entry));
  const maxBytes = [schema.maxBytes, schema.maxSize].find((limit) => typeof limit === 'number' && limit > 0);
  return {
    pick: folderWord.test(words) ? 'folder' : saveWord.test(words) ? 'save' : 'file',
    extensions: extensions.length > 0 ? extensions.map((entry) => entry.slice(1)) : undefined,
    maxBytes: typeof maxBytes === 'number' ? maxBytes : undefined,
  };
}

/** The options of `enum` (with legacy `enumNames`), or of `oneOf` or `anyOf` with `const`. None for null. */
function optionsOf(schema: Schema): Field['options'] {
  const labels = strings(schema.enumNames);
  const isTyped = Array.isArray(schema.enum);
  const given: unknown[] = isTyped ? (schema.enum as unknown[]) : Array.isArray(schema.oneOf) ? schema.oneOf : [];
  const known = new Set<string>();
  const options = given.flatMap((entry, index) => {
    const original = isTyped ? entry : record(entry).const;
    if (original === null || original === undefined) return [];
    const written = textFrom(original);
    const value = known.has(written) ? `${written} (${index + 1})` : written;
    known.add(value);
    const label = (isTyped ? labels[index] : text(record(entry).title)) ?? written;
    return [{ value, label, ...(original !== value && { original }) }];
  });
  return isTyped || options.length > 0 ? options : undefined;
}

/** The initial values of a form: the defaults of its fields. */
export function defaultAnswers(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter((field) => field.default !== undefined).map((field) => [field.name, field.default]),
  );
}

/** Validation messages by field name; empty if the answers are valid. Unknown names are rejected. */
export function validateAnswers(
  fields: readonly Field[],
  answers: Record<string, unknown>,
  t: Translate = english,
): Record<string, string> {
  // A Map, because servers may choose names such as `__proto__` or `constructor`.
  const problems = new Map<string, string>();
  const asked = new Set(fields.map((field) => field.name));
  for (const field of fields) {
    const problem = validateField(field, Object.hasOwn(answers, field.name) ? answers[field.name] : undefined, t);
    if (problem) problems.set(field.name, problem);
  }
  for (const name of Object.keys(answers)) if (!asked.has(name)) problems.set(name, t('Unknown field.'));
  return Object.fromEntries(problems);
}

/** The validation message for one answer, or undefined. Optional fields may be empty. */
export function validateField(field: Field, value: unknown, t: Translate = english): string | undefined {
  const empty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0 && !field.minItems);
  if (empty) return field.required ? t('Required.') : undefined;
  if (field.lines) return validateLines(field, value, t);
  switch (field.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : t('Choose yes or no.');
    case 'number':
    case 'integer':
      return validateNumber(field, value, t);
    case 'select':
      return isOption(field, value) ? undefined : t('Choose one of the options.');
    case 'multiselect':
      return validateChoices(field, value, t);
    case 'text':
    case 'multiline':
    case 'file':
    case 'secret':
      return validateText(field, value, t);
  }
}

function validateNumber(field: Field, value: unknown, t: Translate): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return t('Enter a number.');
  if (field.kind === 'integer' && !Number.isInteger(value)) return t('Enter a whole number.');
  if (field.minimum !== undefined && value < field.minimum)
    return t('Must be at least {minimum}.', { minimum: field.minimum });
  if (field.maximum !== undefined && value > field.maximum)
    return t('Must be at most {maximum}.', { maximum: field.maximum });
  return undefined;
}

function validateChoices(field: Field, value: unknown, t: Translate): string | undefined {
  if (!Array.isArray(value) || !value.every((entry) => isOption(field, entry))) return t('Choose from the options.');
  if (new Set(value).size !== value.length) return t('Choose each option only once.');
  if (field.minItems !== undefined && value.length < field.minItems)
    return t('Choose at least {minItems}.', { minItems: field.minItems });
  if (field.maxItems !== undefined && value.length > field.maxItems)
    return t('Choose at most {maxItems}.', { maxItems: field.maxItems });
  return undefined;
}

function validateLines(field: Field, value: unknown, t: Translate): string | undefined {
  const lines = linesIn(value);
  const kind = field.lines;
  for (const line of kind === 'number' || kind === 'integer' ? lines : []) {
    const problem = validateNumber({ ...field, kind: kind ?? 'number' }, Number(line), t);
    if (problem) return `${line}: ${problem}`;
  }
  if (field.minItems !== undefined && lines.length < field.minItems)
    return t('Enter at least {minItems} lines.', { minItems: field.minItems });
  if (field.maxItems !== undefined && lines.length > field.maxItems)
    return t('Enter at most {maxItems} lines.', { maxItems: field.maxItems });
  return undefined;
}

function validateText(field: Field, value: unknown, t: Translate): string | undefined {
  if (typeof value !== 'string') return t('Enter text.');
  const length = [...value].length;
  if (field.minLength !== undefined && length < field.minLength)
    return t('Too short: the minimum length is {minLength}.', { minLength: field.minLength });
  if (field.maxLength !== undefined && length > field.maxLength)
    return t('Too long: the maximum length is {maxLength}.', { maxLength: field.maxLength });
  if (field.kind === 'file') return fileProblem(field, value, t);
  if (field.pattern !== undefined && !matches(field.pattern, value))
    return t('Must match {pattern}', { pattern: field.pattern });
  switch (field.format) {
    case 'email':
      return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value) ? undefined : t('Enter an email address.');
    case 'uri':
      return /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) ? undefined : t('Enter a URL such as https://example.com.');
    case 'date':
      return isDate(value) ? undefined : t('Enter a date such as 2026-11-20.');
    case 'date-time':
      return isDateTime(value) ? undefined : t('Enter a date and time such as 2026-11-20T09:30:00Z.');
    case undefined:
      return undefined;
  }
}

/** Checks the file name only. Core checks the file itself. */
function fileProblem({ file }: Field, path: string, t: Translate): string | undefined {
  const extensions = file?.extensions;
  if (!extensions || file.pick === 'folder' || extensions.some((ending) => path.toLowerCase().endsWith(`.${ending}`)))
    return undefined;
  const endings = anyOf(
    extensions.map((ending) => `.${ending}`),
    t,
  );
  return t('Must end in {endings}.', { endings });
}

/**
 * Servers choose the patterns, so a linear-time engine runs them. A pattern that it does not support, or that is too large
 * for it to be fast, accepts any value.
 */
function matches(pattern: string, value: string): boolean {
  if (pattern.length > maxPattern || expandedSize(pattern) > maxExpanded) return true;
  try {
    return RE2JS.compile(pattern).matcher(value).find();
  } catch {
    return true;
  }
}

const maxPattern = 1_000;
const maxExpanded = 1_000;

/** The approximate number of parts of a pattern after each counted repetition is written out. */
function expandedSize(pattern: string): number {
  const open: number[] = [];
  let size = 0;
  let last = 0;
  const parts = /\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|[\s\S]/g;
  for (const [part, least, most] of pattern.matchAll(parts)) {
    if (least !== undefined) {
      const times = Math.max(1, Number(least), Number(most ?? 0));
      size += last * (times - 1);
      last *= times;
    } else if (part === '(') {
      open.push(size);
      size = 0;
      last = 0;
    } else if (part === ')') {
      last = size;
      size += open.pop() ?? 0;
    } else if (!/^[?*+|^$]$/.test(part)) {
      last = 1;
      size += 1;
    }
  }
  return open.reduce((sum, outer) => sum + outer, size);
}

function isDate(value: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  return !!parts && new Date(`${value}T00:00:00Z`).getUTCDate() === Number(parts[3]);
}

function isDateTime(value: string): boolean {
  const [, date] = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i.exec(value) ?? [];
  return date !== undefined && isDate(date) && !Number.isNaN(Date.parse(value));
}

const isOption = (field: Field, value: unknown): boolean =>
  field.options?.some((option) => option.value === value) ?? false;
const isFormat = (value: unknown): value is NonNullable<Field['format']> =>
  value === 'email' || value === 'uri' || value === 'date' || value === 'date-time';
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
const record = (value: unknown): Schema => (isObject(value) ? value : {});

function copyNumbers(
  schema: Schema,
  field: Field,
  names: ('minItems' | 'maxItems' | 'minimum' | 'maximum' | 'minLength' | 'maxLength')[],
): void {
  for (const name of names) {
    const value = schema[name];
    if (typeof value === 'number') field[name] = value;
  }
}
