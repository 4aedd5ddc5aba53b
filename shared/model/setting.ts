/** Settings that the config file or a person in the window decides. */
import * as z from 'zod';

/** 0 keeps all. */
export const historyMonthsSchema = z.number().int().min(0).max(1200);

const valueSchema = z.union([z.number(), z.boolean()]);

export const configSettingSchema = z.object({
  key: z.string(),
  /** What is in force. */
  value: valueSchema,
  /** Where that comes from. */
  origin: z.enum(['window', 'file', 'default']),
  /** What would be in force if nothing else had been chosen in the window. */
  otherwise: z.object({ value: valueSchema, origin: z.enum(['file', 'default']) }).optional(),
});
export type ConfigSetting = z.infer<typeof configSettingSchema>;
