/** The access of a client to a server, in the table of clients and servers. */
import * as z from 'zod';

/**
 * `off`: nothing. `harmless`: no dangerous tool. `usual`: what the rules for all clients say. `free`: no question, except
 * before dangerous tools and new destinations. `custom`: other rules decide it.
 */
export const accessLevelSchema = z.enum(['off', 'harmless', 'usual', 'free', 'custom']);
export type AccessLevel = z.infer<typeof accessLevelSchema>;

const order = accessLevelSchema.options;

/** Whether a client can do more after the change. */
export const widens = (before: AccessLevel, after: AccessLevel): boolean =>
  order.indexOf(after) > order.indexOf(before);

export const accessTableSchema = z.object({
  servers: z.array(z.string()),
  clients: z.array(
    z.object({
      /** As in the `client` of a rule. */
      id: z.string(),
      name: z.string(),
      profile: z.string().optional(),
      /** For every server, in addition to the level of each. */
      all: accessLevelSchema,
      /** One for each server, in the same order. */
      cells: z.array(accessLevelSchema),
    }),
  ),
});
export type AccessTable = z.infer<typeof accessTableSchema>;
