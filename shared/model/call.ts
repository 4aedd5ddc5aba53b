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

/** Which records are wanted; all that is given must fit. */
export const callFilterSchema = z.object({
  server: z.string().optional(),
  client: z.string().optional(),
  kind: callRecordSchema.shape.kind.optional(),
  /** Words that occur somewhere in the record. */
  text: z.string().optional(),
  /** Epoch milliseconds, both included. */
  from: z.number().optional(),
  to: z.number().optional(),
});
export type CallFilter = z.infer<typeof callFilterSchema>;

/** Who answers what a tool asks: the person in Gatehouse, the client when it can, or whoever is first. */
export const routingSchema = z.enum(['here', 'client', 'both']);
export type Routing = z.infer<typeof routingSchema>;

export const modeSchema = z.enum(['lazy', 'full', 'hybrid']);
export type Mode = z.infer<typeof modeSchema>;

export const clientViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  transport: z.enum(['bridge', 'http']),
  era: z.enum(['legacy', 'modern']).optional(),
  mode: modeSchema,
  /** Id of the client whose file holds the entry that started this connection. */
  via: z.string().optional(),
  profile: z.string().optional(),
  connectedAt: z.number(),
  /** It can put a tool's questions to the person itself. */
  canAnswer: z.boolean(),
  routing: routingSchema,
});
export type ClientView = z.infer<typeof clientViewSchema>;
