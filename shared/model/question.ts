/** Questions to the person, their answers, and the approvals that outlive a call. */
import * as z from 'zod';

export const fieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string().optional(),
  kind: z.enum(['text', 'multiline', 'number', 'integer', 'boolean', 'select', 'multiselect', 'file', 'secret']),
  required: z.boolean(),
  default: z.unknown().optional(),
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});
export type Field = z.infer<typeof fieldSchema>;

export const grantScopeSchema = z.enum(['once', 'session', 'minutes', 'always']);
export type GrantScope = z.infer<typeof grantScopeSchema>;

/** What a person is asked. Text from a server or an agent stands in `message` and `fields` only, never in our own words. */
export const questionSchema = z.object({
  id: z.string(),
  kind: z.enum(['approval', 'confirmation', 'text', 'select', 'multiselect', 'form', 'file', 'secret', 'url']),
  message: z.string(),
  fields: z.array(fieldSchema),
  from: z.object({
    client: z.string().optional(),
    server: z.string().optional(),
    tool: z.string().optional(),
    callId: z.string().optional(),
  }),
  /** For `approval`: the call in full. */
  approval: z
    .object({
      arguments: z.record(z.string(), z.unknown()),
      reasons: z.array(z.string()),
      scopes: z.array(grantScopeSchema),
    })
    .optional(),
  /** For `url`. */
  url: z.string().optional(),
  createdAt: z.number(),
  expiresAt: z.number(),
});
export type Question = z.infer<typeof questionSchema>;

/** `value`: boolean, string, string[] or a record, by the question's kind. */
export const answerSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('accept'), value: z.unknown().optional(), scope: grantScopeSchema.optional() }),
  z.object({ action: z.literal('decline'), switchOff: z.boolean().optional() }),
  z.object({ action: z.literal('cancel') }),
]);
export type Answer = z.infer<typeof answerSchema>;

/** An approval that outlives its call. */
export const grantViewSchema = z.object({
  id: z.string(),
  server: z.string(),
  tool: z.string(),
  scope: grantScopeSchema,
  /** Epoch milliseconds. */
  grantedAt: z.number(),
  expiresAt: z.number().optional(),
});
export type GrantView = z.infer<typeof grantViewSchema>;
