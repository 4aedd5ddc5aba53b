/** Implements the typed calls on top of a function that asks one question. */
import type { Answer, Field, Question } from '../../../shared/model/question.ts';
import type { QuestionDraft } from '../types.ts';
import type { AskOptions, FieldOptions, GivenField, Option, TypedCalls } from './typed-calls.ts';

/** Core may ask on behalf of a client, server or tool. */
export type From = { from?: Question['from'] };
type Options = AskOptions & From;

export function typedCalls(ask: (draft: QuestionDraft, options?: AskOptions) => Promise<Answer>): TypedCalls<From> {
  async function value<T>(
    kind: Question['kind'],
    message: string,
    fields: Field[],
    options: Options,
  ): Promise<T | undefined> {
    const answer = await ask({ kind, message, fields, from: options.from ?? {} }, options);
    return answer.action === 'accept' ? (answer.value as T) : undefined;
  }
  const one = (
    kind: Field['kind'],
    { signal, timeoutMs, fallback, from, ...more }: Options & FieldOptions,
    choices?: Option[],
  ): Field[] => [
    { name: 'value', label: 'Answer', kind, required: true, ...preset(more), ...(choices && { options: choices }) },
  ];
  return {
    async confirm(message, options = {}) {
      const { confirmLabel, cancelLabel, from = {} } = options;
      const labels = confirmLabel || cancelLabel ? { confirm: confirmLabel, cancel: cancelLabel } : undefined;
      const answer = await ask({ kind: 'confirmation', message, fields: [], from, labels }, options);
      return answer.action === 'accept' && answer.value !== false;
    },
    getText: (message, options = {}) => value('text', message, one('text', options), options),
    select: (message, choices, options = {}) => value('select', message, one('select', options, choices), options),
    multiselect: (message, choices, options = {}) =>
      value('multiselect', message, one('multiselect', options, choices), options),
    form: (message, fields, options = {}) => value('form', message, fields.map(fieldOf), options),
    file: (message, options = {}) => value('file', message, one('file', options), options),
    secret: (message, options = {}) => value('secret', message, one('secret', options), options),
  };
}

/** Moves `defaultValue` to `default`. */
function preset<T extends { default?: unknown; defaultValue?: unknown }>({
  defaultValue,
  ...field
}: T): Omit<T, 'defaultValue'> {
  return defaultValue === undefined || field.default !== undefined ? field : { ...field, default: defaultValue };
}

function fieldOf(given: GivenField): Field {
  if (!('type' in given)) return preset(given);
  const { type, ...field } = preset(given);
  return { kind: type, ...field };
}
