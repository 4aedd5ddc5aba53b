/** What the groups of the contract are made of. */
import * as z from 'zod';

/** A command as both sides of the Wire check it. */
export function command<I extends z.ZodType, O extends z.ZodType>(input: I, output: O): { input: I; output: O } {
  return { input, output };
}

export const nothing = z.void();
export const toolRef = z.object({ server: z.string(), tool: z.string() });
