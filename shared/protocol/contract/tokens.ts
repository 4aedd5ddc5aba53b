/** Commands for the bearer tokens of HTTP clients. */
import * as z from 'zod';
import { tokenKindSchema, tokenNameSchema, tokenViewSchema } from '../../model/token.ts';
import { command, nothing } from './command.ts';

const named = z.object({ name: z.string() });
const secret = z.object({ token: z.string() });

export const tokenCommands = {
  'tokens.list': command(nothing, z.array(tokenViewSchema)),
  /** Resolves with the token, which cannot be shown again. Fails with PROFILE_NOT_FOUND. */
  'tokens.create': command(
    z.object({ name: tokenNameSchema, kind: tokenKindSchema.optional(), profile: z.string().optional() }),
    secret,
  ),
  /** Ends the sessions of the token's client. */
  'tokens.revoke': command(named, nothing),
  /** Issues a new secret for the token, which keeps its name and profile; ends the sessions that used the old one. */
  'tokens.rotate': command(named, secret),
} as const;
