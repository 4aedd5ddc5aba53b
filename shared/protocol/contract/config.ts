/** Commands for the config file. */
import * as z from 'zod';
import { inEffectSchema } from '../../model/config-state.ts';
import { failureSchema } from '../../model/failure.ts';
import { ruleViewSchema } from '../../model/rule.ts';
import { configSettingSchema } from '../../model/setting.ts';
import { trustStatusSchema } from '../../model/trust.ts';
import { command, nothing } from './command.ts';

export const configCommands = {
  'config.show': command(
    nothing,
    z.object({
      enabled: z.boolean(),
      cache: z.object({ enabled: z.boolean(), ttl: z.number() }),
      /** The config file in use; absent if the built-in defaults apply. */
      file: z.string().optional(),
      /** The configuration of the folder that Core was started in. Ignored unless its status is `trusted`. */
      folder: z.object({ path: z.string(), file: z.string().optional(), status: trustStatusSchema }).optional(),
      /** The settings that the window can also change, by their key in the file. Times are in milliseconds. */
      settings: z.array(configSettingSchema),
      /** `files`: those that were found, or else those that were looked for. */
      sources: z.array(
        z.object({
          type: z.string(),
          path: z.string(),
          files: z.array(z.string()),
          found: z.boolean(),
          servers: z.number(),
          /** Absent for the user's config file. */
          origin: z.literal('folder').optional(),
        }),
      ),
      /** As `rules.list` returns them. */
      rules: z.array(ruleViewSchema),
      servers: z.object({ configured: z.number(), connected: z.number() }),
      tools: z.object({ total: z.number(), enabled: z.number() }),
    }),
  ),
  'config.validate': command(
    nothing,
    z.object({
      valid: z.boolean(),
      file: z.string().optional(),
      inEffect: inEffectSchema,
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
