/** Commands for questions to the user, and for grants. */
import * as z from 'zod';
import { answerSchema, grantViewSchema, questionSchema } from '../../model/question.ts';
import { command, nothing } from './command.ts';

export const questionCommands = {
  'questions.list': command(nothing, z.array(questionSchema)),
  /** The first answer wins. `accepted: false` if the question was already answered, withdrawn or expired. */
  'questions.answer': command(
    z.object({ id: z.string(), answer: answerSchema }),
    z.object({ accepted: z.boolean(), problems: z.record(z.string(), z.string()).optional() }),
  ),
  /** The user's current grants. */
  'grants.list': command(nothing, z.array(grantViewSchema)),
  /** Lets every client use a server's tools, except dangerous ones, until the user revokes the grant. */
  'grants.allowActs': command(z.object({ server: z.string() }), nothing),
  'grants.revoke': command(z.object({ id: z.string() }), nothing),
} as const;
