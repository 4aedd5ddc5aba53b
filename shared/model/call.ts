/** Calls in the history, and the clients that made them. */
import * as z from 'zod';
import { grantScopeSchema, questionKindSchema } from './question.ts';

/** The client of calls that the user starts in a UI or a terminal. No other client has this name; UIs show it as “You”. */
export const userName = 'Toolkeep';

const recordBase = {
  /** Unique for each record. */
  id: z.string(),
  /** Identifies the call: a call, its approval and its questions share this id. */
  callId: z.string().optional(),
  /** Epoch milliseconds. */
  at: z.number(),
  client: z.string(),
  server: z.string(),
  tool: z.string(),
  /** JSON with secrets redacted, at most 2,000 characters. */
  arguments: z.string(),
  durationMs: z.number(),
  /** The part of `durationMs` in which the call waited for the user. */
  waitedMs: z.number().optional(),
  /** Failure code, if the call failed. */
  code: z.string().optional(),
};

/** A tool call. `tool-error`: the tool answered with `isError`. `refused`: the call never reached the server. */
const toolCallSchema = z.object({
  ...recordBase,
  kind: z.literal('call'),
  outcome: z.enum(['ok', 'tool-error', 'failed', 'refused']),
  /** Why the call failed or was refused, redacted. */
  message: z.string().optional(),
});

/** A decision on a call that needed approval. `scope` is the scope that the user granted. */
const approvalSchema = z.object({
  ...recordBase,
  kind: z.literal('approval'),
  outcome: z.enum([
    'allowed',
    'allowed-by-grant',
    'denied',
    'denied-and-disabled',
    'cancelled',
    'unanswered',
    'no-ui',
    'too-many-questions',
    'asking-disabled',
  ]),
  scope: grantScopeSchema.optional(),
  /** Why the call needed approval. */
  reasons: z.array(z.string()).optional(),
});

export const callStatisticsSchema = z.object({ total: z.number(), failed: z.number(), averageMs: z.number() });
export type CallStatistics = z.infer<typeof callStatisticsSchema>;

/** A question that a tool asked. The answer itself is never recorded. */
const questionRecordSchema = z.object({
  ...recordBase,
  kind: z.literal('question'),
  question: questionKindSchema,
  outcome: z.enum(['answered', 'declined', 'cancelled', 'unanswered', 'failed']),
  askedOf: z.enum(['user', 'client']),
});
export type QuestionRecord = z.infer<typeof questionRecordSchema>;

/** An agent tried to use a disabled or held tool. */
const enableRequestSchema = z.object({
  ...recordBase,
  kind: z.literal('enable-request'),
  outcome: z.enum(['notified', 'enabled', 'declined', 'unanswered']),
});

/** The user revoked a grant. */
const grantRecordSchema = z.object({ ...recordBase, kind: z.literal('grant'), outcome: z.literal('revoked') });

export const callRecordSchema = z.discriminatedUnion('kind', [
  toolCallSchema,
  approvalSchema,
  questionRecordSchema,
  enableRequestSchema,
  grantRecordSchema,
]);
export type CallRecord = z.infer<typeof callRecordSchema>;

/** The redacted result of a call. If the call failed, it has only `error`. */
export const keptResultSchema = z.object({
  result: z.record(z.string(), z.unknown()),
  /** True if only the beginning of the result is kept. */
  isShortened: z.boolean().optional(),
});
export type KeptResult = z.infer<typeof keptResultSchema>;

export const recordKindSchema = z.enum(['call', 'approval', 'question', 'enable-request', 'grant']);
export type RecordKind = z.infer<typeof recordKindSchema>;

/** A call in progress. */
export const activeCallSchema = z.object({
  id: z.string(),
  /** Epoch milliseconds. */
  startedAt: z.number(),
  client: z.string(),
  server: z.string(),
  tool: z.string(),
  /** True while the call waits for the user's answer. */
  isWaitingForUser: z.boolean(),
  /** The server's last progress report, if the client asked for progress. */
  progress: z.object({ done: z.number(), total: z.number().optional(), message: z.string().optional() }).optional(),
});
export type ActiveCall = z.infer<typeof activeCallSchema>;

/** Which records to return. A record must match every given field. */
export const callFilterSchema = z.object({
  server: z.string().optional(),
  client: z.string().optional(),
  kind: recordKindSchema.optional(),
  /** Words to find anywhere in the record. */
  text: z.string().optional(),
  /** Epoch milliseconds, inclusive. */
  from: z.number().optional(),
  to: z.number().optional(),
});
export type CallFilter = z.infer<typeof callFilterSchema>;

/** Who answers a tool's questions: the user in Toolkeep, the client if it can, or whichever answers first. */
export const routingSchema = z.enum(['toolkeep', 'client', 'both']);
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
  /** ID of the known client whose config file started this connection. Missing for HTTP clients. */
  via: z.string().optional(),
  profile: z.string().optional(),
  connectedAt: z.number(),
  /** True if the client can show a tool's questions to its user. */
  canAnswer: z.boolean(),
  routing: routingSchema,
  /** True if the client may send many calls at once. */
  batch: z.boolean(),
});
export type ClientView = z.infer<typeof clientViewSchema>;
