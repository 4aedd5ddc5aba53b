/** Commands on the config file. */
import * as z from 'zod';
import { configSettingSchema, failureSchema, ruleSchema } from '../model.ts';
import { command, nothing } from './command.ts';

export const configCommands = {
  'config.show': command(
    nothing,
    z.object({
      enabled: z.boolean(),
      cache: z.object({ enabled: z.boolean(), ttl: z.number() }),
      /** The file in force; absent with built-in defaults. */
      file: z.string().optional(),
      /** What may be chosen in the window as well, by its key in the file. Times in milliseconds. */
      settings: z.array(configSettingSchema),
      sources: z.array(z.object({ type: z.string(), path: z.string(), found: z.boolean(), servers: z.number() })),
      rules: z.array(ruleSchema),
      servers: z.object({ configured: z.number(), connected: z.number() }),
      tools: z.object({ total: z.number(), enabled: z.number() }),
    }),
  ),
  'config.validate': command(
    nothing,
    z.object({
      valid: z.boolean(),
      file: z.string().optional(),
      problems: z.array(failureSchema),
      warnings: z.array(z.string()),
    }),
  ),
  'config.reload': command(
    nothing,
    z.object({
      added: z.array(z.string()),
      removed: z.array(z.string()),
      changed: z.array(z.string()),
      durationMs: z.number(),
    }),
  ),
} as const;
