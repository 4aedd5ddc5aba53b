/** One typed call per kind of question (row B11), for Core itself and for plug-ins. */
import type { Answer, Field, Question } from '../../../shared/model.ts';
import type { AskOptions } from './elicitation.ts';
import type { QuestionDraft } from './mcp.ts';

type Option = { value: string; label: string };
type Options = AskOptions & { from?: Question['from'] };
type TextOptions = Options &
  Partial<
    Pick<
      Field,
      'label' | 'description' | 'default' | 'required' | 'minLength' | 'maxLength' | 'pattern' | 'format' | 'file'
    >
  >;

/** Each resolves with the value, or with undefined when the person declined, cancelled or did not answer. */
export interface TypedCalls {
  /** False unless the person said yes. */
  confirm(message: string, options?: Options): Promise<boolean>;
  getText(message: string, options?: TextOptions): Promise<string | undefined>;
  select(message: string, choices: Option[], options?: Options): Promise<string | undefined>;
  multiselect(message: string, choices: Option[], options?: Options): Promise<string[] | undefined>;
  form(message: string, fields: Field[], options?: Options): Promise<Record<string, unknown> | undefined>;
  /** A file's path. */
  file(message: string, options?: TextOptions): Promise<string | undefined>;
  /** Never logged, cached or echoed. */
  secret(message: string, options?: TextOptions): Promise<string | undefined>;
}

export function typedCalls(ask: (draft: QuestionDraft, options?: AskOptions) => Promise<Answer>): TypedCalls {
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
    { signal, timeoutMs, fallback, from, ...more }: TextOptions,
    choices?: Option[],
  ): Field[] => [{ name: 'value', label: '', kind, required: true, ...more, ...(choices && { options: choices }) }];
  return {
    async confirm(message, options = {}) {
      const answer = await ask({ kind: 'confirmation', message, fields: [], from: options.from ?? {} }, options);
      return answer.action === 'accept' && answer.value !== false;
    },
    getText: (message, options = {}) => value('text', message, one('text', options), options),
    select: (message, choices, options = {}) => value('select', message, one('select', options, choices), options),
    multiselect: (message, choices, options = {}) =>
      value('multiselect', message, one('multiselect', options, choices), options),
    form: (message, fields, options = {}) => value('form', message, fields, options),
    file: (message, options = {}) => value('file', message, one('file', options), options),
    secret: (message, options = {}) => value('secret', message, one('secret', options), options),
  };
}
