/** Questions of plug-ins (row B11): checked like those of servers, and said in the protocol's words where a client is to answer. */
import * as z from 'zod';
import { fail } from '../../../shared/failure.ts';
import { validateAnswers } from '../../../shared/form.ts';
import { type Answer, type Field, fieldSchema, type Question } from '../../../shared/model.ts';
import { bounded, maxMessageLength, type QuestionDraft, readable, requireAnswerable } from './mcp.ts';

const draftSchema = z.object({ message: z.string(), fields: z.array(fieldSchema) });

/** The question as the person sees it, in the plug-in's name whatever it says. Throws INPUT_INVALID when it is none. */
export function questionFromPlugin({ kind, message, fields }: QuestionDraft, from: Question['from']): QuestionDraft {
  const checked = draftSchema.safeParse({ message, fields });
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw fail('INPUT_INVALID', `The question cannot be put: ${issue?.path.join('.')}: ${issue?.message}`, {
      server: from.server,
      tool: from.tool,
    });
  }
  requireAnswerable(checked.data.fields, from);
  return {
    ...{ kind, from },
    message: bounded(checked.data.message, maxMessageLength),
    fields: checked.data.fields.map(readable),
  };
}

/** Secrets reach nobody but the plug-in: they are never asked through a client. */
export const isForGatehouseOnly = ({ fields }: Pick<Question, 'fields'>) =>
  fields.some(({ kind }) => kind === 'secret');

/** `elicitation/create` for a client that answers in the person's place; every era knows these words. */
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
  const { label, description, kind, options = [], default: preset } = field;
  const about = {
    ...(label && { title: label }),
    ...(description && { description }),
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

/** What the one who answered said, in the form of the typed calls. A client is not trusted to have checked it. */
export function answerFromMcp({ kind, fields }: QuestionDraft, result: Record<string, unknown>): Answer {
  const { action, content } = result;
  if (action === 'decline') return { action };
  if (action !== 'accept') return { action: 'cancel' };
  const values = (content ?? {}) as Record<string, unknown>;
  const [problem] = Object.entries(validateAnswers(fields, values));
  if (problem) throw fail('INPUT_INVALID', `The client's answer does not fit the question: ${problem.join(': ')}`);
  const [only] = fields;
  return { action, value: kind === 'form' ? values : only && values[only.name] };
}
