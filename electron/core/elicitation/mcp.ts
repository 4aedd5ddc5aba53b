/** Between the protocol's elicitation (spec 2025-11-25 and 2026-07-28, form and URL mode) and our questions and answers. */
import { fieldsFromSchema } from '../../../shared/form.ts';
import type { Answer, Field, Question } from '../../../shared/model.ts';

export type QuestionDraft = Omit<Question, 'id' | 'createdAt' | 'expiresAt'>;

/** Longer texts are cut for the person, visibly. */
const maxMessageLength = 20_000;

/** The question that an `elicitation/create` request puts to the person; one lone field becomes a simpler kind (row B9). */
export function questionFromMcp(params: Record<string, unknown>, from: Question['from']): QuestionDraft {
  const message = bounded(typeof params.message === 'string' ? params.message : '');
  if (params.mode === 'url' || (typeof params.url === 'string' && params.requestedSchema === undefined)) {
    return { kind: 'url', message, fields: [], from, url: String(params.url ?? '') };
  }
  const fields = fieldsFromSchema(params.requestedSchema);
  const [only] = fields;
  return {
    kind: fields.length === 1 && only ? kindOf(only) : fields.length === 0 ? 'confirmation' : 'form',
    message,
    fields,
    from,
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

/** The ElicitResult for the server that asked: accept, decline and cancel are kept apart; content only with accept. */
export function answerToMcp(question: Pick<Question, 'kind' | 'fields'>, answer: Answer): Record<string, unknown> {
  if (answer.action !== 'accept') return { action: answer.action };
  if (question.kind === 'url') return { action: 'accept' };
  const [only] = question.fields;
  if (!only) return { action: 'accept', content: {} };
  if (question.kind === 'form') return { action: 'accept', content: answer.value };
  return { action: 'accept', content: answer.value === undefined ? {} : { [only.name]: answer.value } };
}

function bounded(message: string): string {
  if (message.length <= maxMessageLength) return message;
  return `${message.slice(0, maxMessageLength)}\n… (${message.length - maxMessageLength} more characters)`;
}
