/** One typed call per kind of question, for Core and for plug-ins. */
import type { Field } from '../../../shared/model/question.ts';

export interface AskOptions {
  /** Withdraws the question when it aborts. */
  signal?: AbortSignal;
  /** How long the user has to answer, in milliseconds. */
  timeoutMs?: number;
  /** On timeout: `timeout` cancels, `default` accepts the fields' defaults, `error` rejects with ELICITATION_TIMEOUT. */
  fallback?: 'timeout' | 'default' | 'error';
}

export type Option = NonNullable<Field['options']>[number];

/** `defaultValue` and `type` are the names of `default` and `kind` in plug-ins that were written for other MCP hosts. */
export type GivenField = Field | (Omit<Field, 'kind' | 'default'> & { type: Field['kind']; defaultValue?: unknown });

/** The appearance and validation of a question's single field. */
export type FieldOptions = { defaultValue?: unknown } & Partial<
  Pick<
    Field,
    | 'label'
    | 'description'
    | 'placeholder'
    | 'default'
    | 'required'
    | 'minLength'
    | 'maxLength'
    | 'pattern'
    | 'format'
    | 'file'
  >
>;

/** The labels of the buttons, at most 40 characters each. */
export interface ConfirmOptions {
  confirmLabel?: string;
  cancelLabel?: string;
}

/** Each call resolves with the value, or with undefined when the user declined, cancelled or did not answer. */
export interface TypedCalls<More = unknown> {
  /** True only when the user confirmed. */
  confirm(message: string, options?: AskOptions & ConfirmOptions & More): Promise<boolean>;
  getText(message: string, options?: AskOptions & FieldOptions & More): Promise<string | undefined>;
  select(message: string, choices: Option[], options?: AskOptions & More): Promise<string | undefined>;
  multiselect(message: string, choices: Option[], options?: AskOptions & More): Promise<string[] | undefined>;
  /** The values by field name. */
  form(
    message: string,
    fields: GivenField[],
    options?: AskOptions & More,
  ): Promise<Record<string, unknown> | undefined>;
  /** The path of a file. */
  file(message: string, options?: AskOptions & FieldOptions & More): Promise<string | undefined>;
  /** Never logged, cached or echoed. */
  secret(message: string, options?: AskOptions & FieldOptions & More): Promise<string | undefined>;
}
