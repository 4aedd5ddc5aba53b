/** Commands that import servers from other clients and install Toolkeep in them. */

import * as z from 'zod';
import { limits } from '../../limits.ts';
import { failureSchema } from '../../model/failure.ts';
import { importPlanSchema } from '../../model/import.ts';
import { installChoiceSchema, installPlanSchema, installStatusSchema } from '../../model/install.ts';
import { serverConfigSchema } from '../../model/server.ts';
import { command, nothing } from './command.ts';

/** The user's current folder, whose files the plan lists too. Core's own by default. */
const importFolder = z.string().optional();

export const clientCommands = {
  /** Plans an import. Secrets are redacted. */
  'import.plan': command(
    z.object({ sources: z.array(z.string()).optional(), folder: importFolder }),
    importPlanSchema.extend({
      /** Names of the servers that `import.undo` would remove. */
      lastImport: z.array(z.string()),
    }),
  ),
  /**
   * The servers in a text that documentation shows: an entry or a file of any client, a URL, a command line, `claude mcp add`, or an
   * install link. Their names are unique. Fails with INPUT_INVALID, which says what is wrong.
   */
  'import.parse': command(
    z.object({ text: z.string().max(limits.file.pastedCharacters) }),
    z.object({ servers: z.array(serverConfigSchema).min(1) }),
  ),
  /** Imports the entries with these ids from a plan for the same `sources`; resolves with the names of the new servers. */
  'import.apply': command(
    z.object({
      entries: z.array(z.string()),
      sources: z.array(z.string()).optional(),
      folder: importFolder,
      /** If the vault is persistent, moves secrets there and keeps only references in the settings. */
      moveSecrets: z.boolean().default(true),
    }),
    z.object({
      imported: z.array(z.string()),
      /** Names of the secrets that are now in the vault. */
      moved: z.array(z.string()),
      /** Servers whose secrets are in the settings as plain text. */
      plain: z.array(z.string()),
    }),
  ),
  /** Removes the servers that the last import added. */
  'import.undo': command(nothing, z.object({ removed: z.array(z.string()) })),
  /** Marks all new entries as seen. They stay in the plan. */
  'import.dismiss': command(nothing, nothing),
  /** The state of every client that Toolkeep can be installed in. */
  'install.status': command(nothing, z.array(installStatusSchema)),
  /** Computes the change to a client's file; writes nothing. */
  'install.plan': command(installChoiceSchema, installPlanSchema),
  /** Makes exactly the change that the token identifies. Fails with CLIENT_FILE_CHANGED if the file changed since it was shown. */
  'install.apply': command(
    installChoiceSchema.extend({ token: z.string() }),
    z.object({ file: z.string(), changed: z.boolean() }),
  ),
  /** Computes the removal of Toolkeep from every client; `problems` are the files that cannot be changed. Writes nothing. */
  'install.planRemoval': command(
    nothing,
    z.object({ plans: z.array(installPlanSchema), problems: z.array(failureSchema) }),
  ),
  /** Makes exactly the changes that the tokens identify. A problem with one file does not stop the others. */
  'install.removeAll': command(
    z.object({ changes: z.array(z.object({ client: z.string(), token: z.string() })) }),
    z.object({ removed: z.array(z.string()), problems: z.array(failureSchema) }),
  ),
  /**
   * Undoes the last change to a client's file. `file`: the file was restored byte for byte. `entry`: only our entry was
   * removed. With `dryRun`, writes nothing.
   */
  'install.undo': command(
    z.object({ client: z.string(), dryRun: z.boolean().optional() }),
    z.object({ file: z.string(), restored: z.enum(['file', 'entry']), diff: z.string() }),
  ),
} as const;
