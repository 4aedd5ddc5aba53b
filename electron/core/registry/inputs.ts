/** The inputs that an entry asks for, as form fields, and the values that fill its templates. */

import { freeName } from '../../../shared/free-name.ts';
import type { Field } from '../../../shared/model/question.ts';
import { isSecretName } from '../../../shared/secret-name.ts';
import { looksSecret } from '../secrets/secret-names.ts';
import { holdsToken } from '../secrets/token-patterns.ts';
import type { Input } from './entry.ts';
import type { Part, Template } from './template.ts';

/** Entered values by field name. A field with several values has one per line. */
export type Entered = Readonly<Record<string, string>>;

/** The form of an entry: collects its fields, and the problems with the values that the user entered. */
export interface Form {
  readonly fields: Field[];
  /** By field name. */
  readonly problems: Map<string, string>;
  /** Values for the vault, by field name. */
  readonly secrets: Map<string, string>;
  /** Entered paths. */
  readonly files: string[];
  /** Warnings for the user about the command. */
  readonly warnings: string[];
  /**
   * Returns the values of one input: several only if `isRepeated`, none if the input is optional and has no value. `name` is
   * the input's name in the form.
   */
  fill(input: Input, name: string, place: Place, isRepeated?: boolean): Template[];
  /** Replaces each `{name}` in a text with the variable's value; undefined if an optional variable has no value. */
  fillText(text: string, variables: ReadonlyMap<string, Input>, place: Place): Template | undefined;
}

/** Where a value is used. Each place allows different characters. */
export type Place = 'argument' | 'variable' | 'header' | 'url';

const maxLength = 10_000;
/** Limits for a whole form: the number of fields, the number of inserted values, and their total characters. */
const maxFields = 100;
const maxPlaces = 1000;
const maxCharacters = 100_000;
const exposed = 'This looks like a secret. Every program on this computer can read a command line.';

/** Thrown for an entry with too many values, or with values that cannot be combined. */
export class TooManyValues extends Error {}

export function createForm(entered: Entered, isStored: (field: string) => boolean = () => false): Form {
  const fields: Field[] = [];
  const problems = new Map<string, string>();
  const secrets = new Map<string, string>();
  const files: string[] = [];
  const names = new Map<Input, string>();
  let places = 0;
  let characters = 0;

  function count(text: string): void {
    places += 1;
    characters += text.length;
    if (names.size > maxFields || places > maxPlaces || characters > maxCharacters)
      throw new TooManyValues('The entry asks for too many values.');
  }

  function fieldName(input: Input, name: string): string {
    const known = names.get(input);
    if (known !== undefined) return known;
    const field = freeName(plainName(name), (taken) => fields.some((other) => other.name === taken));
    names.set(input, field);
    return field;
  }

  /** Adds a field for the input, and returns its entered or default values, without templates. */
  function ask(input: Input, name: string, place: Place, isRepeated = false): Part[] {
    const field = fieldName(input, name);
    const text = Object.hasOwn(entered, field) ? (entered[field] as string) : (input.default ?? '');
    count(text);
    const values = (isRepeated ? text.split('\n') : [text]).filter((value) => value !== '');
    // A user may enter a secret where the publisher expects none. Later, only the vault contains its value.
    const looksOwn = text !== input.default && values.some((value) => canBeSecret(input) && looksSecret(name, value));
    const isOwnSecret = place !== 'argument' && (values.length === 0 ? isStored(field) : looksOwn);
    const isSecret =
      input.isSecret || isOwnSecret || (input.format === 'string' && !input.choices && isSecretName(name));
    if (!fields.some((other) => other.name === field)) fields.push(fieldOf(input, field, isSecret, isRepeated));
    if (values.length === 0 && isSecret && isStored(field)) return [{ secret: field }];
    if (values.length === 0) {
      if (!input.isRequired) return [];
      problems.set(field, 'Required.');
      return [isSecret ? { secret: field } : { missing: field }];
    }
    for (const value of values) {
      const isExposed = place === 'argument' && !isSecret && (looksOwn || holdsToken(value));
      const problem = isExposed ? exposed : problemOf(input, value, place);
      if (problem) problems.set(field, problem);
    }
    if (input.format === 'filepath' && !isSecret) files.push(...values.filter((value) => !files.includes(value)));
    if (!isSecret) return values.map((value) => ({ text: value }));
    secrets.set(field, values.join('\n'));
    return [{ secret: field }];
  }

  const form: Form = {
    fields,
    problems,
    secrets,
    files,
    warnings: [],
    fill(input, name, place, isRepeated) {
      if (input.value === undefined) return ask(input, name, place, isRepeated).map((part) => [part]);
      const pieces = split(input.value, input.variables);
      const lists = pieces.filter(({ variable }) => variable?.isList && variable.value === undefined);
      const [list] = lists;
      if (lists.some(({ variable }) => variable !== list?.variable))
        throw new TooManyValues('The entry combines several lists in one value.');
      if (!list?.variable) return templates([fillPieces(pieces, place)]);
      const { value: text } = input;
      const items = ask(list.variable, list.name, place, true);
      const others = pieces.filter(({ variable }) => variable !== list.variable);
      if (items.length === 0) showFields(others, place);
      return templates(
        items.map((item) => {
          count(text);
          return fillPieces(pieces, place, { list: list.variable, item });
        }),
      );
    },
    fillText: (text, variables, place) => fillPieces(split(text, variables), place),
  };

  /** Adds the fields of a text that is left out, so that the form has them. Their values have no effect. */
  function showFields(pieces: readonly Piece[], place: Place): void {
    const before = { problems: new Map(problems), secrets: new Map(secrets), files: [...files] };
    for (const { name, variable } of pieces) if (variable && variable.value === undefined) ask(variable, name, place);
    // A problem with an entered value remains: the plan keeps the value.
    for (const field of problems.keys()) if (!before.problems.has(field) && !entered[field]) problems.delete(field);
    for (const field of secrets.keys()) if (!before.secrets.has(field)) secrets.delete(field);
    files.splice(0, Infinity, ...before.files);
  }

  /** `chosen`: one value of a list. */
  function fillPieces(
    pieces: readonly Piece[],
    place: Place,
    chosen?: { list: Input | undefined; item: Part },
  ): Template | undefined {
    const valuesOf = ({ name, variable }: Piece & { variable: Input }): Part[] => {
      if (variable === chosen?.list) return [chosen.item];
      if (variable.value === undefined) return ask(variable, name, place);
      count(variable.value);
      return [{ text: variable.value }];
    };
    const parts: Part[] = [];
    let isComplete = true;
    for (const { variable, ...piece } of pieces) {
      const values = variable ? valuesOf({ ...piece, variable }) : [{ text: piece.text }];
      // Ask for the others, too, so that the form has their fields.
      if (values.length === 0) isComplete = false;
      const { filter } = piece;
      parts.push(...values.map((part) => (filter && 'text' in part ? { text: filter(part.text) } : part)));
    }
    return isComplete ? parts.filter((part) => !('text' in part) || part.text !== '') : undefined;
  }
  return form;
}

const templates = (filled: readonly (Template | undefined)[]): Template[] => filled.filter((one) => one !== undefined);

/** A part of a text: a variable, or text to be kept. */
interface Piece {
  text: string;
  name: string;
  variable?: Input | undefined;
  filter?: ((text: string) => string) | undefined;
}

function split(text: string, variables: ReadonlyMap<string, Input>): Piece[] {
  // Splitting with a capture group returns text and names alternately.
  return text.split(/\{([^{}\s]{1,100})\}/).map((piece, index) => {
    if (index % 2 === 0) return { text: piece, name: '' };
    const name = piece.endsWith(containerPathFilter) ? piece.slice(0, -containerPathFilter.length) : piece;
    const variable = variables.get(name);
    return { text: `{${piece}}`, name, variable, ...(variable && name !== piece && { filter: containerPath }) };
  });
}

/** `{x|container-path}` is the path of the variable `x` in a container. */
export const containerPathFilter = '|container-path';

/** A container has no drives: `C:\notes` is `/C/notes` there. */
function containerPath(path: string): string {
  const [, drive, rest] = /^([A-Za-z]):[\\/](.*)$/s.exec(path) ?? [];
  return drive === undefined || rest === undefined ? path : `/${drive}/${rest.replaceAll('\\', '/')}`;
}

function fieldOf(input: Input, name: string, isSecret: boolean, isRepeated: boolean): Field {
  const { description, format, choices, placeholder } = input;
  const field: Field = {
    name,
    label: input.title ?? name,
    kind: kindOf(input, isSecret, isRepeated),
    required: input.isRequired,
  };
  if (input.pick) field.file = { pick: input.pick };
  if (description) field.description = description;
  if (placeholder) field.placeholder = placeholder;
  if (input.default !== undefined && !isSecret)
    field.default =
      format === 'boolean' ? input.default === 'true' : format === 'number' ? Number(input.default) : input.default;
  if (field.kind === 'select') field.options = choices?.map((value) => ({ value, label: value }));
  return field;
}

function kindOf({ format, choices }: Input, isSecret: boolean, isRepeated: boolean): Field['kind'] {
  if (isSecret) return 'secret';
  if (isRepeated) return 'multiline';
  if (choices) return 'select';
  if (format === 'filepath') return 'file';
  return format === 'number' || format === 'boolean' ? format : 'text';
}

const canBeSecret = ({ choices, format }: Input) => !choices && (format === 'string' || format === 'filepath');

function problemOf({ choices, format }: Input, value: string, place: Place): string | undefined {
  if (value.length > maxLength) return `At most ${maxLength} characters.`;
  if (value.includes('\0')) return 'Contains a character that no program accepts.';
  if ((place === 'header' || place === 'url') && /[\p{Cc}\u2028\u2029]/u.test(value)) return 'Must be a single line.';
  if (place === 'url' && /[\s#]/.test(value)) return 'Contains a character that is not allowed in an address.';
  if (choices && !choices.includes(value)) return 'Choose one of the options.';
  if (format === 'number' && !Number.isFinite(Number(value))) return 'Enter a number.';
  if (format === 'boolean' && value !== 'true' && value !== 'false') return 'Choose yes or no.';
  return undefined;
}

const plainName = (name: string) =>
  name
    .replace(/^-+/, '')
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 80) || 'value';
