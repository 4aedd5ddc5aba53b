/** Converts a plug-in's question to an MCP elicitation request for a client, and converts the client's answer back. */
import { fail } from '../../../shared/failure.ts';
import { validateAnswers } from '../../../shared/form.ts';
import type { Answer, Field } from '../../../shared/model/question.ts';
import type { QuestionDraft } from '../types.ts';

/** Returns the params of `elicitation/create`, in the form that every protocol version understands. */
export function paramsOfQuestion({ message, fields }: QuestionDraft, plugin: string): Record<string, unknown> {
  const required = fields.flatMap((field) => (field.required ? [field.name] : []));
  return {
    message: `${plugin}: ${message}`,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
      ...(required.length > 0 && { required }),
    },
  };
}

function schemaOf(field: Field): Record<string, unknown> {
  const { label, description, placeholder, kind, options = [], default: preset } = field;
  const about = {
    ...(label && { title: label }),
    ...(description && { description }),
    ...(placeholder && { placeholder }),
    ...(preset !== undefined && { default: preset }),
  };
  const choices = { type: 'string', enum: options.map(({ value }) => value) };
  switch (kind) {
    case 'boolean':
      return { ...about, type: 'boolean' };
    case 'number':
    case 'integer':
      return { ...about, type: kind, ...given(field, ['minimum', 'maximum']) };
    case 'select':
      return { ...about, ...choices, enumNames: options.map((option) => option.label) };
    case 'multiselect':
      return { ...about, type: 'array', items: choices, ...given(field, ['minItems', 'maxItems']) };
    case 'text':
    case 'multiline':
    case 'file':
    case 'secret':
      return { ...about, type: 'string', ...given(field, ['minLength', 'maxLength', 'pattern', 'format']) };
  }
}

function given(field: Field, keys: (keyof Field)[]): Record<string, unknown> {
  return Object.fromEntries(keys.flatMap((key) => (field[key] === undefined ? [] : [[key, field[key]]])));
}

/** Converts the client's answer to the form of the typed calls. Validates the answer, because a client may not do so. */
export function answerFromMcp({ kind, fields }: QuestionDraft, result: Record<string, unknown>): Answer {
  const { action, content } = result;
  if (action === 'decline') return { action };
  if (action !== 'accept') return { action: 'cancel' };
  const values = (content ?? {}) as Record<string, unknown>;
  const [problem] = Object.entries(validateAnswers(fields, values));
  if (problem) throw fail('INPUT_INVALID', `The client's answer is invalid: ${problem.join(': ')}`);
  const [only] = fields;
  return { action, value: kind === 'form' ? values : only && values[only.name] };
}
