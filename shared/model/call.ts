/** Calls that were made, and the clients that made them. */
import * as z from 'zod';

export const callRecordSchema = z.object({
  id: z.string(),
  at: z.number(),
  kind: z.enum(['call', 'question', 'grant']),
  client: z.string(),
  server: z.string(),
  tool: z.string(),
  /** Arguments with secrets masked, cut to a bounded length. */
  arguments: z.string(),
  outcome: z.string(),
  durationMs: z.number(),
  code: z.string().optional(),
});
export type CallRecord = z.infer<typeof callRecordSchema>;

export const modeSchema = z.enum(['lazy', 'full', 'hybrid']);
export type Mode = z.infer<typeof modeSchema>;

export const clientViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  transport: z.enum(['bridge', 'http']),
  era: z.enum(['legacy', 'modern']).optional(),
  mode: modeSchema,
  connectedAt: z.number(),
});
export type ClientView = z.infer<typeof clientViewSchema>;
