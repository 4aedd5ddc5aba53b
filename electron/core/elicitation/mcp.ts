/** Converts between MCP elicitation (spec 2025-11-25 and 2026-07-28, form and URL mode) and our questions and answers. */
import { fail } from '../../../shared/failure.ts';
import { fieldsFromSchema, originalAnswer } from '../../../shared/form.ts';
import { limits } from '../../../shared/limits.ts';
import type { Answer, Field, Question } from '../../../shared/model/question.ts';
import type { QuestionDraft } from '../types.ts';
import { fileReference } from './files.ts';
import { webAddress } from './url-check.ts';

/** Longer strings are visibly truncated before the user sees them. */
export const maxMessageLength = limits.server.questionCharacters;
const maxTextLength = 2_000;
/** Users do not read longer forms to the end, so a server could hide a field in one. */
const maxFields = limits.server.questionFields;
const maxOptions = limits.server.questionOptions;

/**
 * Converts an `elicitation/create` request to a question for the user. A single field becomes a simpler kind of question.
 * Throws URL_REFUSED or INPUT_INVALID if the request cannot be shown to the user.
 */
export function questionFromMcp(params: Record<string, unknown>, from: Question['from']): QuestionDraft {
  const message = bounded(typeof params.message === 'string' ? params.message : '', maxMessageLength);
  if (params.mode === 'url' || (typeof params.url === 'string' && params.requestedSchema === undefined)) {
    return { kind: 'url', message, fields: [], from, ...requireWebAddress(params.url, from) };
  }
  const fields = fieldsFromSchema(params.requestedSchema).map(readable);
  requireAnswerable(fields, from);
  const [only] = fields;
  return {
    kind: fields.length === 1 && only ? kindOf(only) : fields.length === 0 ? 'confirmation' : 'form',
    message,
    fields,
    from,
  };
}

function requireWebAddress(url: unknown, { server, tool }: Question['from']) {
  const found = typeof url === 'string' && url.length <= maxMessageLength ? webAddress(url) : undefined;
  if (found) return found;
  const shown = typeof url === 'string' ? JSON.stringify(url.slice(0, 100)) : typeof url;
  throw fail('URL_REFUSED', `"${server}" asked to open ${shown}, which is not a web address.`, { server, tool });
}

export function requireAnswerable(fields: Field[], { server, tool }: Question['from']): void {
  const options = fields.reduce((sum, field) => sum + (field.options?.length ?? 0), 0);
  if (fields.length <= maxFields && options <= maxOptions) return;
  const size = `${fields.length} fields and ${options} options`;
  const limit = `${maxFields} fields and ${maxOptions} options`;
  throw fail('INPUT_INVALID', `"${server}" sent a form with ${size}; the maximum is ${limit}.`, {
    server,
    tool,
  });
}

/** Limits the length of labels and descriptions. Values stay unchanged, because they are sent back. */
export function readable(field: Field): Field {
  return {
    ...field,
    label: bounded(field.label, maxTextLength),
    ...(field.description !== undefined && { description: bounded(field.description, maxTextLength) }),
    ...(field.placeholder !== undefined && { placeholder: bounded(field.placeholder, maxTextLength) }),
    ...(field.options && {
      options: field.options.map((option) => ({ ...option, label: bounded(option.label, maxTextLength) })),
    }),
  };
}

function kindOf(field: Field): QuestionDraft['kind'] {
  switch (field.kind) {
    case 'boolean':
      return 'confirmation';
    case 'text':
    case 'multiline':
      return 'text';
    case 'select':
    case 'multiselect':
    case 'file':
    case 'secret':
      return field.kind;
    case 'number':
    case 'integer':
      return 'form';
  }
}

/**
 * The same request for a client that shows the page itself. Contains the URL as a browser reads it, with our warnings
 * in the message, because we cannot rely on the client to check the URL.
 */
export function paramsForClient(params: Record<string, unknown>, { url, address }: QuestionDraft) {
  if (url === undefined || !address || address.warnings.length === 0) return params;
  const said = typeof params.message === 'string' ? `${params.message}\n\n` : '';
  return { ...params, url, message: `${said}Toolkeep: this leads to ${address.host}. ${address.warnings.join(' ')}` };
}

/** The ElicitResult for the server. Keeps accept, decline and cancel distinct; only accept has content. */
export function answerToMcp(question: Pick<Question, 'kind' | 'fields'>, answer: Answer): Record<string, unknown> {
  if (answer.action !== 'accept') return { action: answer.action };
  if (question.kind === 'url') return { action: 'accept' };
  const [only] = question.fields;
  // A confirmation without a field has no content for a negative answer, so that becomes a decline.
  if (!only) return answer.value === false ? { action: 'decline' } : { action: 'accept', content: {} };
  const values =
    question.kind === 'form'
      ? (answer.value as Record<string, unknown>)
      : answer.value === undefined
        ? {}
        : { [only.name]: answer.value };
  const content = question.fields.flatMap((field): [string, unknown][] => {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    if (value === undefined || value === '') return field.isNullable ? [[field.name, null]] : [];
    return [[field.name, originalAnswer(field, fileReference(field, value))]];
  });
  return { action: 'accept', content: Object.fromEntries(content) };
}

export function bounded(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}\n… (${text.length - length} more characters)`;
}
