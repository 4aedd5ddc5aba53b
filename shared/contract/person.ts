/** Commands on questions to the person, and approvals that outlive a call. */
import * as z from 'zod';
import { answerSchema, grantViewSchema, questionSchema } from '../model.ts';
import { command, nothing } from './command.ts';

export const personCommands = {
  'questions.list': command(nothing, z.array(questionSchema)),
  /** First answer wins; `accepted: false` when the question was answered, withdrawn or expired before. */
  'questions.answer': command(
    z.object({ id: z.string(), answer: answerSchema }),
    z.object({ accepted: z.boolean(), problems: z.record(z.string(), z.string()).optional() }),
  ),
  /** Standing approvals that the person gave. */
  'grants.list': command(nothing, z.array(grantViewSchema)),
  'grants.revoke': command(z.object({ id: z.string() }), nothing),
} as const;
