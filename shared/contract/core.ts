/** Commands on Core itself, its clients and its settings. */
import * as z from 'zod';
import { clientViewSchema, historyMonthsSchema, routingSchema, vaultViewSchema } from '../model.ts';
import { command, nothing } from './command.ts';

const settingsSchema = z.object({
  /** What happens when an agent wants a tool that is off: nothing, a notice to the person, or an offer to switch it on. */
  whenOff: z.enum(['never', 'notify', 'ask']),
  /** Months of history that are kept; 0 keeps all. */
  historyMonths: historyMonthsSchema,
  /** Characters of a tool's answer that reach an app at once; 0 hands on every answer whole. */
  partLength: z.union([z.literal(0), z.number().int().min(1_000)]),
  /** How long a question waits for the person. */
  questionTimeoutMs: z.number().min(0),
  /** Apps may connect over HTTP. */
  http: z.boolean(),
});

export const coreCommands = {
  'core.status': command(
    nothing,
    z.object({
      version: z.string(),
      paused: z.boolean(),
      startedAt: z.number(),
      dataDir: z.string(),
      /** How secrets are kept. `persistent: false`: in memory, until Gatehouse ends. */
      vault: vaultViewSchema,
      /** Where a model of meanings was found for search. With a `problem`, search goes by words alone. */
      searchModel: z
        .object({ folder: z.string(), dimensions: z.number().optional(), problem: z.string().optional() })
        .optional(),
      /** For clients that speak streamable HTTP: address and where its token is kept. */
      http: z.object({ url: z.string(), tokenFile: z.string() }).optional(),
      clients: z.array(clientViewSchema),
      /** Calls that wait for their client to come back: for an answer of a person's, or with one. */
      parkedCalls: z.number(),
      servers: z.number(),
      tools: z.number(),
      enabledTools: z.number(),
      /** Nothing was ever imported or configured: show the first-start page. */
      fresh: z.boolean(),
    }),
  ),
  'core.pause': command(z.object({ paused: z.boolean() }), nothing),
  /** By the name that a client gives itself; `null` goes back to what the config says. */
  'clients.setRouting': command(z.object({ client: z.string(), routing: routingSchema.nullable() }), nothing),
  /** What is in force: chosen in a window, or else as the config file says. */
  'settings.show': command(nothing, settingsSchema),
  'settings.save': command(
    settingsSchema.partial().extend({ questionTimeoutMs: z.number().int().min(10_000).max(86_400_000).optional() }),
    nothing,
  ),
} as const;
