/** The building blocks of the contract's command groups. */
import * as z from 'zod';

/** A command's schemas, checked on both sides of the Wire. */
export function command<I extends z.ZodType, O extends z.ZodType>(input: I, output: O): { input: I; output: O } {
  return { input, output };
}

export const nothing = z.void();
/** One part of a file that a page sends. */
export const uploadPartSchema = z.base64().max(1_400_000);
export const toolRef = z.object({ server: z.string(), tool: z.string() });
