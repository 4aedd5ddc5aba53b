/** The story of a day: the actions of each client, in sessions. */
import * as z from 'zod';

/** In the order in which a story tells them. `ran`: no known verb in the name of the tool, so the noun is that name. */
export const storyVerbSchema = z.enum([
  'deleted',
  'sent',
  'created',
  'changed',
  'moved',
  'ran',
  'denied',
  'unanswered',
  'refused',
  'canceled',
  'failed',
  'searched',
  'read',
]);
export type StoryVerb = z.infer<typeof storyVerbSchema>;

export const storyLineSchema = z.object({
  verb: storyVerbSchema,
  /** The things in the words of the tool's name, for one and for several. */
  noun: z.string(),
  nouns: z.string(),
  server: z.string(),
  /** Different calls; for a search, all calls. */
  count: z.number(),
  /** Names from the arguments of changes, which agents chose. */
  examples: z.array(z.string()),
});
export type StoryLine = z.infer<typeof storyLineSchema>;

export const storySessionSchema = z.object({
  client: z.string(),
  /** Epoch milliseconds of the first and the last call. */
  from: z.number(),
  to: z.number(),
  /** Changes first, then what was stopped or failed, then what was read. */
  lines: z.array(storyLineSchema),
});
export type StorySession = z.infer<typeof storySessionSchema>;
