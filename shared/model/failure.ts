/** A failure as it crosses the Wire. */
import * as z from 'zod';
import { type FailureCode, failureCodes } from '../failure.ts';
import { destinationSchema } from './question.ts';

export const failureSchema = z.object({
  code: z.enum(Object.keys(failureCodes) as [FailureCode, ...FailureCode[]]),
  message: z.string(),
  hint: z.string().optional(),
  server: z.string().optional(),
  tool: z.string().optional(),
  file: z.string().optional(),
  line: z.number().optional(),
  newDestinations: z.array(destinationSchema).optional(),
  path: z.string().optional(),
});
