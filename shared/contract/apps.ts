/** Commands on other apps: taking servers over from them, putting Gatehouse into them. */
import * as z from 'zod';
import { importPlanSchema, installChoiceSchema, installPlanSchema, installStatusSchema } from '../model.ts';
import { command, nothing } from './command.ts';

export const appsCommands = {
  /** Secrets are masked in it. */
  'import.plan': command(z.object({ sources: z.array(z.string()).optional() }), importPlanSchema),
  /** Takes the entries with these ids of a plan for the same `sources`; resolves with the names they got. */
  'import.apply': command(
    z.object({
      entries: z.array(z.string()),
      sources: z.array(z.string()).optional(),
      /** Keep secrets in the vault and only references in the settings, where the vault lasts. */
      moveSecrets: z.boolean().default(true),
    }),
    z.object({
      imported: z.array(z.string()),
      /** Names of secrets that are in the vault now. */
      moved: z.array(z.string()),
      /** Servers whose secrets stand in the settings in plain text. */
      plain: z.array(z.string()),
    }),
  ),
  /** Takes the servers of the last import out again. */
  'import.undo': command(nothing, z.object({ removed: z.array(z.string()) })),
  /** Waves off what is on offer: it stays in the plan and is no offer any more. */
  'import.dismiss': command(nothing, nothing),
  /** How it stands with every client that Gatehouse can be entered into. */
  'install.status': command(nothing, z.array(installStatusSchema)),
  /** Works out the change to a client's file; writes nothing. */
  'install.plan': command(installChoiceSchema, installPlanSchema),
  /** Makes the change of that token and no other: fails with CLIENT_FILE_CHANGED when the file changed since it was shown. */
  'install.apply': command(
    installChoiceSchema.extend({ token: z.string() }),
    z.object({ file: z.string(), changed: z.boolean() }),
  ),
  /** Undoes the last change to a client's file: `file` when its bytes are those of before, `entry` when only ours went. */
  'install.undo': command(
    z.object({ client: z.string() }),
    z.object({ file: z.string(), restored: z.enum(['file', 'entry']) }),
  ),
} as const;
