/** Commands for questions to the user, and for grants. */
import * as z from 'zod';
import {
  answerSchema,
  destinationSchema,
  grantViewSchema,
  knownDestinationSchema,
  questionSchema,
} from '../../model/question.ts';
import { destinationsSchema } from '../../model/tool.ts';
import { command, nothing, uploadPartSchema } from './command.ts';

export const questionCommands = {
  'questions.list': command(nothing, z.array(questionSchema)),
  /** The first answer wins. `accepted: false` if the question was already answered, withdrawn or expired. */
  'questions.answer': command(
    z.object({ id: z.string(), answer: answerSchema }),
    z.object({ accepted: z.boolean(), problems: z.record(z.string(), z.string()).optional() }),
  ),
  /**
   * Takes the next part of a file that the user chose in a page, in base64, as the answer to a field. The first part has no ID.
   * `file` is the answer: a path, which exists until the question is refused or its call ends. Checks the file before its first
   * part is stored.
   */
  'questions.upload': command(
    z.object({
      question: z.string(),
      field: z.string(),
      name: z.string().max(1_000),
      size: z.number().int().min(0),
      id: z.uuid().optional(),
      part: uploadPartSchema,
    }),
    z.object({ id: z.uuid(), file: z.string() }),
  ),
  /** The user's current grants. */
  'grants.list': command(nothing, z.array(grantViewSchema)),
  /** Lets every client use a server's tools, except dangerous ones, until the user revokes the grant. */
  'grants.allowActs': command(z.object({ server: z.string(), destinations: destinationsSchema.optional() }), nothing),
  'grants.revoke': command(z.object({ id: z.string() }), nothing),
  /** The destinations that the user has allowed, without those of the config file. */
  'grants.destinations': command(nothing, z.array(knownDestinationSchema)),
  /** Allows destinations for every client of a server. */
  'grants.allowDestinations': command(
    z.object({ server: z.string(), destinations: z.array(destinationSchema).min(1).max(500) }),
    nothing,
  ),
  'grants.forget': command(z.object({ id: z.string() }), nothing),
  /** The destinations of the approved calls that a grant covers, of the last 90 days. */
  'grants.usedDestinations': command(z.object({ id: z.string() }), z.array(destinationSchema)),
  /** Limits a grant for any destination to known ones, and allows `destinations` for its client. */
  'grants.limit': command(z.object({ id: z.string(), destinations: z.array(destinationSchema).max(500) }), nothing),
} as const;
