/** What search was taught, and what searching instead of listing saved. */
import * as z from 'zod';

/** "For this query, that was the right tool" (requirement row N7). */
export const lessonSchema = z.object({
  id: z.string(),
  query: z.string(),
  server: z.string(),
  tool: z.string(),
  /** A person outright, or an agent by running the tool right after the search. */
  taughtBy: z.enum(['person', 'agent']),
  times: z.number(),
  /** Epoch milliseconds of the last time. */
  at: z.number(),
});
export type Lesson = z.infer<typeof lessonSchema>;

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
