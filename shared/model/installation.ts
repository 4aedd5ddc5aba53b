/** How Toolkeep runs on this computer, and the checks that `npm run smoke` made of it. */
import * as z from 'zod';

export const factNames = ['binary', 'session', 'sandbox', 'secrets', 'tray', 'updates'] as const;

/** The report of a smoke run, whose checks need a real Electron. */
export const smokeReportSchema = z.object({
  /** The path of the app, or `checkout`. */
  subject: z.string(),
  /** An ISO date. */
  at: z.string(),
  results: z.array(z.object({ name: z.string(), result: z.enum(['passed', 'failed']), detail: z.unknown() })),
  notRun: z.array(z.object({ name: z.string(), needs: z.string() })),
});

export const installationSchema = z.object({
  /** Facts that do not apply to this installation are missing. */
  facts: z.array(z.object({ name: z.enum(factNames), value: z.string(), isProblem: z.boolean() })),
  smoke: smokeReportSchema.optional(),
});
export type Installation = z.infer<typeof installationSchema>;
