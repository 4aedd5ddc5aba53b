/** Changes that Toolkeep made to its settings and to clients' files for the user. */
import * as z from 'zod';

/** `pins`: definitions of tools that the user accepted. `clientFiles`: Toolkeep's entry in a client's file. The others are settings. */
export const changeSubjectSchema = z.enum([
  'servers',
  'disabledServers',
  'serverTags',
  'rules',
  'overrides',
  'profiles',
  'grants',
  'knownDestinations',
  'clientTokens',
  'routing',
  'batch',
  'enableRequests',
  'userSettings',
  'registries',
  'pins',
  'clientFiles',
]);

const itemSchema = z.object({
  subject: changeSubjectSchema,
  /** Identifies the value among those of the subject; empty for a subject with a single value. */
  key: z.string(),
  /** For display. */
  name: z.string(),
  /** The server that it belongs to. */
  server: z.string().optional(),
  /** A client's file: `added` or `removed` Toolkeep's entry, or restored (`changed`) the file. */
  kind: z.enum(['added', 'removed', 'changed']),
  /** JSON. Absent if there was no value, or if it may contain secrets or is too large to keep. */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  /** Whether `before` and `after` are complete. */
  isKept: z.boolean(),
});
export type ChangeItem = z.infer<typeof itemSchema>;

/** `question`: the user's answer to a question. `setup`: an import or a setup file. `update`: another version of a server. */
export const changeSourceSchema = z.enum(['window', 'terminal', 'question', 'setup', 'update']);
export type ChangeSource = z.infer<typeof changeSourceSchema>;

export const changeSchema = z.object({
  id: z.string(),
  at: z.number(),
  by: changeSourceSchema,
  items: z.array(itemSchema),
  /** The number of further items, which are not kept. */
  omitted: z.number(),
  /** The change that this one undid. */
  undoes: z.string().optional(),
});
export type Change = z.infer<typeof changeSchema>;

/** A change as UIs show it. */
export const changeViewSchema = changeSchema.extend({
  /**
   * `ready`: can be undone. `changed`: a value has changed since. `done`: is undone. `none`: Toolkeep keeps too little to
   * undo it.
   */
  undo: z.enum(['ready', 'changed', 'done', 'none']),
  /** Undoing it may allow agents more than they may do now, or edits a client's file. */
  mayWiden: z.boolean(),
});
export type ChangeView = z.infer<typeof changeViewSchema>;
