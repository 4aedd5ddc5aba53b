/** Between the protocol's elicitation (spec 2025-11-25 and 2026-07-28, form and URL mode) and our questions and answers. */
import { fail } from '../../../shared/failure.ts';
import { fieldsFromSchema } from '../../../shared/form.ts';
import type { Answer, Field, Question } from '../../../shared/model.ts';
import { fileReference } from './files.ts';
import { webAddress } from './web-address.ts';

export type QuestionDraft = Omit<Question, 'id' | 'createdAt' | 'expiresAt'>;

/** Longer texts are cut for the person, visibly. */
export const maxMessageLength = 20_000;
const maxTextLength = 2_000;
/** What no person would read through is no honest question. */
const maxFields = 100;
const maxOptions = 2_000;

/**
 * The question that an `elicitation/create` request puts to the person; one lone field becomes a simpler kind (row B9).
 * Rejects with URL_REFUSED or INPUT_INVALID what cannot be put to a person at all.
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
  throw fail('URL_REFUSED', `"${server}" wanted ${shown} opened, which is not a web address.`, { server, tool });
}

export function requireAnswerable(fields: Field[], { server, tool }: Question['from']): void {
  const options = fields.reduce((sum, field) => sum + (field.options?.length ?? 0), 0);
  if (fields.length <= maxFields && options <= maxOptions) return;
  const size = `${fields.length} fields and ${options} options`;
  const limit = `${maxFields} fields and ${maxOptions} options`;
  throw fail('INPUT_INVALID', `"${server}" asked with ${size} at once; a person is asked with at most ${limit}.`, {
    server,
    tool,
  });
}

/** Texts of a bounded length; values stay as they are, because they go back. */
export function readable(field: Field): Field {
  return {
    ...field,
    label: bounded(field.label, maxTextLength),
    ...(field.description !== undefined && { description: bounded(field.description, maxTextLength) }),
    ...(field.options && {
      options: field.options.map(({ value, label }) => ({ value, label: bounded(label, maxTextLength) })),
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
 * The same request for a client that shows the page itself: the address as a browser reads it, and what looks wrong with it
 * in words, for the client cannot be trusted to look.
 */
export function paramsForClient(params: Record<string, unknown>, { url, address }: QuestionDraft) {
  if (url === undefined || !address || address.warnings.length === 0) return params;
  const said = typeof params.message === 'string' ? `${params.message}\n\n` : '';
  return { ...params, url, message: `${said}Gatehouse: this leads to ${address.host}. ${address.warnings.join(' ')}` };
}

/** The ElicitResult for the server that asked: accept, decline and cancel are kept apart; content only with accept. */
export function answerToMcp(question: Pick<Question, 'kind' | 'fields'>, answer: Answer): Record<string, unknown> {
  if (answer.action !== 'accept') return { action: answer.action };
  if (question.kind === 'url') return { action: 'accept' };
  const [only] = question.fields;
  // A yes or no without a field: nothing could carry the no.
  if (!only) return answer.value === false ? { action: 'decline' } : { action: 'accept', content: {} };
  const values =
    question.kind === 'form'
      ? (answer.value as Record<string, unknown>)
      : answer.value === undefined
        ? {}
        : { [only.name]: answer.value };
  const content = question.fields.flatMap((field): [string, unknown][] =>
    Object.hasOwn(values, field.name) ? [[field.name, fileReference(field, values[field.name])]] : [],
  );
  return { action: 'accept', content: Object.fromEntries(content) };
}

export function bounded(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}\n… (${text.length - length} more characters)`;
}
