/** Settings in the config file that the user can override in the window. */
import * as z from 'zod';

/** Months of history to keep; 0 keeps everything. */
export const historyMonthsSchema = z.number().int().min(0).max(1200);

/** Days to keep the results of calls on disk; 0 keeps them until Toolkeep quits. */
export const resultDaysSchema = z.number().int().min(0).max(366);

const valueSchema = z.union([z.number(), z.boolean()]);

export const configSettingSchema = z.object({
  key: z.string(),
  /** The value in effect. */
  value: valueSchema,
  /** Where the value comes from. */
  origin: z.enum(['window', 'file', 'folder', 'default']),
  /** The value that would apply without the user's setting. */
  otherwise: z.object({ value: valueSchema, origin: z.enum(['file', 'folder', 'default']) }).optional(),
});
export type ConfigSetting = z.infer<typeof configSettingSchema>;
