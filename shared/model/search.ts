/** Search feedback, and the tokens that search saves compared with listing all tools. */
import * as z from 'zod';

/** Records that this was the right tool for this query. */
export const searchFeedbackSchema = z.object({
  id: z.string(),
  query: z.string(),
  server: z.string(),
  tool: z.string(),
  /** `agent`: Core inferred the feedback, because an agent called the tool right after the search. */
  source: z.enum(['user', 'agent']),
  times: z.number(),
  /** Epoch milliseconds of the most recent feedback. */
  at: z.number(),
});
export type SearchFeedback = z.infer<typeof searchFeedbackSchema>;

/** Estimated tokens for one client on one day. */
export const savingsSchema = z.object({
  /** `2026-11-21`, local time. */
  day: z.string(),
  client: z.string(),
  /** Connections that listed the tools. */
  sessions: z.number(),
  /** Tokens of the definitions of all servers' enabled tools, counted once per session. */
  without: z.number(),
  /** Tokens of the list that the client received, counted once per session. */
  list: z.number(),
  /** The number of searches, lists and details, and the tokens of their requests and responses. */
  lookups: z.number(),
  answers: z.number(),
  /** `without` minus `list` and `answers`. Negative if so few tools are connected that searching costs more. */
  saved: z.number(),
});
export type SavingsRow = z.infer<typeof savingsSchema>;
