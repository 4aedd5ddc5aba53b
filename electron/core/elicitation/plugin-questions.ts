/** Questions from plug-ins, checked like those from servers. */
import * as z from 'zod';
import { fail } from '../../../shared/failure.ts';
import { asksForSecret } from '../../../shared/form.ts';
import { fieldSchema, type Question, questionLabelsSchema } from '../../../shared/model/question.ts';
import type { QuestionDraft } from '../types.ts';
import { bounded, maxMessageLength, readable, requireAnswerable } from './mcp.ts';

const draftSchema = z.object({
  message: z.string(),
  fields: z.array(fieldSchema),
  labels: questionLabelsSchema.optional(),
});

/** The question as the user sees it, always under the plug-in's name. Throws INPUT_INVALID for an invalid question. */
export function questionFromPlugin(draft: QuestionDraft, from: Question['from']): QuestionDraft {
  const { kind, message, fields, labels } = draft;
  const checked = draftSchema.safeParse({ message, fields, labels });
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw fail('INPUT_INVALID', `The question is invalid: ${issue?.path.join('.')}: ${issue?.message}`, {
      server: from.server,
      tool: from.tool,
    });
  }
  requireAnswerable(checked.data.fields, from);
  return {
    kind,
    from,
    message: bounded(checked.data.message, maxMessageLength),
    fields: checked.data.fields.map(readable),
    labels: checked.data.labels,
  };
}

/** A secret goes only to the server or plug-in that asked, never through a client. A number can be a secret, such as a PIN. */
export const isForToolkeepOnly = ({ fields }: Pick<Question, 'fields'>) =>
  fields.some(
    ({ name, label, kind }) =>
      kind === 'secret' || ((kind === 'number' || kind === 'integer') && asksForSecret(name, label, kind)),
  );
