/** Search feedback, and the tokens that search saves compared with listing all tools. */
import * as z from 'zod';

/** "For this query, that was the right tool". */
export const searchFeedbackSchema = z.object({
  id: z.string(),
  query: z.string(),
  server: z.string(),
  tool: z.string(),
  /** The user explicitly, or an agent that called the tool right after the search. */
  source: z.enum(['user', 'agent']),
  times: z.number(),
  /** Epoch milliseconds of the last time. */
  at: z.number(),
});
export type SearchFeedback = z.infer<typeof searchFeedbackSchema>;

/** Estimated tokens of one client on one day. */
export const savingsSchema = z.object({
  /** `2026-11-21`, local time. */
  day: z.string(),
  client: z.string(),
  /** Connections that listed the tools. */
  sessions: z.number(),
  /** The definitions of the enabled tools of all servers, once a session. */
  without: z.number(),
  /** The list that the client got, once a session. */
  list: z.number(),
  /** Searches, lists and details, and the tokens of what was asked and answered. */
  lookups: z.number(),
  answers: z.number(),
  /** `without` less `list` and `answers`; below zero where so few tools are connected that searching costs more. */
  saved: z.number(),
});
export type SavingsRow = z.infer<typeof savingsSchema>;
