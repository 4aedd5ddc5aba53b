/** Search feedback. */
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
