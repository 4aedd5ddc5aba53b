/** One typed call per kind of question, for Core itself and for plug-ins (rows B9, B11). */
import type { Field } from '../../../shared/model.ts';

export interface AskOptions {
  /** Withdraws the question when it aborts. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that the person has. */
  timeoutMs?: number | undefined;
  /** At expiry: `timeout` cancels, `default` accepts the fields' defaults, `error` rejects with ELICITATION_TIMEOUT. */
  fallback?: 'timeout' | 'default' | 'error' | undefined;
}

export type Option = NonNullable<Field['options']>[number];

/** How the one field of a question looks, and what it takes. */
export type FieldOptions = Partial<
  Pick<
    Field,
    'label' | 'description' | 'default' | 'required' | 'minLength' | 'maxLength' | 'pattern' | 'format' | 'file'
  >
>;

/** Each resolves with the value, or with undefined when the person declined, cancelled or did not answer. */
export interface TypedCalls<More = unknown> {
  /** False unless the person said yes. */
  confirm(message: string, options?: AskOptions & More): Promise<boolean>;
  getText(message: string, options?: AskOptions & FieldOptions & More): Promise<string | undefined>;
  select(message: string, choices: Option[], options?: AskOptions & More): Promise<string | undefined>;
  multiselect(message: string, choices: Option[], options?: AskOptions & More): Promise<string[] | undefined>;
  /** The values by the names of their fields. */
  form(message: string, fields: Field[], options?: AskOptions & More): Promise<Record<string, unknown> | undefined>;
  /** A file's path. */
  file(message: string, options?: AskOptions & FieldOptions & More): Promise<string | undefined>;
  /** Never logged, cached or echoed. */
  secret(message: string, options?: AskOptions & FieldOptions & More): Promise<string | undefined>;
}
