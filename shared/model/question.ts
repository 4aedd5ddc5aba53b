/** Questions to the user, their answers, and grants, which outlive a call. */
import * as z from 'zod';
import { isObject } from '../is-object.ts';

export const fieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string().optional(),
  /** An example of an answer, shown while the field is empty. */
  placeholder: z.string().optional(),
  kind: z.enum(['text', 'multiline', 'number', 'integer', 'boolean', 'select', 'multiselect', 'file', 'secret']),
  required: z.boolean(),
  default: z.unknown().optional(),
  /** `original`: the value of the schema, if it is no string. */
  options: z.array(z.object({ value: z.string(), label: z.string(), original: z.unknown().optional() })).optional(),
  /** The answer is a list, written with one entry of this type per line. */
  lines: z.enum(['text', 'number', 'integer']).optional(),
  /** An empty answer is sent as null, because the schema requires one. */
  isNullable: z.boolean().optional(),
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  /** For `file`: whether to choose a file, a save location or a folder, and the files that Core accepts. */
  file: z
    .object({
      pick: z.enum(['file', 'save', 'folder']),
      /** Lower case, without the dot. */
      extensions: z.array(z.string()).optional(),
      maxBytes: z.number().optional(),
    })
    .optional(),
});
export type Field = z.infer<typeof fieldSchema>;

export const grantScopeSchema = z.enum(['once', 'session', 'minutes', 'day', 'always']);
export type GrantScope = z.infer<typeof grantScopeSchema>;

/**
 * Limits a grant to similar calls. `inside`: every path among the arguments is in the folder `value`. `is`: the
 * argument has this value. `atMost`: the argument is a number from zero to `value`. `host`: the argument is an address on
 * this host.
 */
export const conditionSchema = z.discriminatedUnion('kind', [
  /** All paths are in this folder. `itself`: the folder's own path is allowed too. */
  z.object({ kind: z.literal('inside'), value: z.string(), itself: z.boolean().optional() }),
  z.object({
    kind: z.literal('is'),
    argument: z.string(),
    value: z.union([z.string(), z.number(), z.boolean()]),
  }),
  z.object({ kind: z.literal('atMost'), argument: z.string(), value: z.number() }),
  /** All addresses have this origin, as in `https://example.com`. */
  z.object({ kind: z.literal('host'), argument: z.string(), value: z.string() }),
]);
export type Condition = z.infer<typeof conditionSchema>;

/** To whom, where, or on what a call acts. */
export const destinationSchema = z.object({
  /** Destinations of one kind are the same for all tools of a server, as `to` of a mail and `attendees` of an event. */
  kind: z.string().min(1),
  value: z.string().min(1),
  /** Set for a tool that shares its destinations with no other, because it destroys or runs a program. */
  tool: z.string().optional(),
});
export type Destination = z.infer<typeof destinationSchema>;

/** A destination that the config file allows for every client of a server. */
export const configuredDestinationSchema = z.strictObject({ server: z.string().min(1), ...destinationSchema.shape });
export type ConfiguredDestination = z.infer<typeof configuredDestinationSchema>;

/** A destination that the user has not yet allowed. */
export const newDestinationSchema = destinationSchema.extend({
  /** A known destination that looks almost the same. */
  resembles: z.string().optional(),
  /** The first kept result that contains the value; absent if the agent may have written it. */
  seen: z
    .object({ server: z.string(), tool: z.string(), at: z.number(), before: z.string(), after: z.string() })
    .optional(),
});
export type NewDestination = z.infer<typeof newDestinationSchema>;

/** A destination that the user has allowed. */
export const knownDestinationSchema = destinationSchema.extend({
  id: z.string(),
  server: z.string(),
  /** The client for which it is known; empty for every client. */
  client: z.string(),
  /** Epoch milliseconds. */
  at: z.number(),
  expiresAt: z.number().optional(),
  /** True if it is known until the client disconnects. */
  isOfSession: z.boolean().optional(),
});
export type KnownDestinationView = z.infer<typeof knownDestinationSchema>;

/**
 * A lasting approval covers the destinations of this call, everyone in their mail domains, every page of their sites, or any
 * destination.
 */
export const destinationCoverSchema = z.enum(['these', 'domain', 'site', 'any']);
export type DestinationCover = z.infer<typeof destinationCoverSchema>;

/** Why an agent cannot use a tool: a rule, the user's override, a definition that the user has not accepted, or a disabled server. */
export const disabledReasonSchema = z.enum(['rule', 'override', 'changed', 'suspicious', 'new', 'server']);
export type DisabledReason = z.infer<typeof disabledReasonSchema>;

/** A web address split into the parts before and after its host, with warnings for the user. */
const webAddressSchema = z.object({
  before: z.string(),
  host: z.string(),
  after: z.string(),
  warnings: z.array(z.string()),
});
export type WebAddress = z.infer<typeof webAddressSchema>;

export const questionLabelsSchema = z.object({
  confirm: z.string().min(1).max(40).optional(),
  cancel: z.string().min(1).max(40).optional(),
});

export const questionKindSchema = z.enum([
  'approval',
  'enable-request',
  'connection',
  'confirmation',
  'text',
  'select',
  'multiselect',
  'form',
  'file',
  'secret',
  'url',
]);
export type QuestionKind = z.infer<typeof questionKindSchema>;

/** An object as it was sent. `z.record` would drop the key `__proto__`, which the server receives and the user must see. */
const everyKeySchema = z.custom<Record<string, unknown>>(isObject, 'expected an object');

/** Where a call goes. */
const shownDestinationsSchema = z.object({
  new: z.array(newDestinationSchema),
  known: z.array(destinationSchema),
  /** False if Toolkeep cannot tell where the call goes. */
  isRecognized: z.boolean(),
  /** False if a value cannot be compared, so that each such call is asked about. */
  isComplete: z.boolean(),
});
export type ShownDestinations = z.infer<typeof shownDestinationsSchema>;

/** A title that a server gave to this id, in a result that the client received. */
const seenTitleSchema = z.object({
  id: z.string(),
  title: z.string(),
  tool: z.string(),
  /** The start of the call in epoch milliseconds. */
  at: z.number(),
});
export type SeenTitle = z.infer<typeof seenTitleSchema>;

/** One call of a question about many calls. */
export const questionRowSchema = z.object({
  server: z.string(),
  tool: z.string(),
  arguments: everyKeySchema,
  reasons: z.array(z.string()),
  isDangerous: z.boolean(),
  /** The user must see the call before it can be allowed: it is dangerous, needs its own approval, or may go somewhere new. */
  mustSee: z.boolean(),
  /** Absent if the user allowed any destination for such calls. */
  destinations: shownDestinationsSchema.optional(),
});
export type QuestionRow = z.infer<typeof questionRowSchema>;

/** A question to the user. Text from a server or an agent is only ever in `message` and `fields`, never in our own words. */
export const questionSchema = z.object({
  id: z.string(),
  kind: questionKindSchema,
  message: z.string(),
  fields: z.array(fieldSchema),
  from: z.object({
    client: z.string().optional(),
    server: z.string().optional(),
    tool: z.string().optional(),
    callId: z.string().optional(),
    /** True if Toolkeep itself asks for a value that the server needs to start. */
    isToolkeep: z.boolean().optional(),
  }),
  /** For `approval`: the complete call. */
  approval: z
    .object({
      arguments: everyKeySchema,
      /** True if this call, with these arguments, is dangerous. */
      isDangerous: z.boolean().optional(),
      /** The client's `_meta`, which the server receives as well. */
      meta: everyKeySchema.optional(),
      /** Titles for ids among the arguments, in the server's words. */
      titles: z.array(seenTitleSchema).optional(),
      reasons: z.array(z.string()),
      scopes: z.array(grantScopeSchema),
      /** True if the client has neither an entry nor a token, so that no grant outlives its session. */
      isUnbound: z.boolean().optional(),
      /**
       * A grant covers this tool, or with `acts` every tool of the server except dangerous ones. `destinations`: a
       * standing permission covers the tool, so the answer decides only about the destinations.
       */
      covers: z.enum(['tool', 'acts', 'destinations']).optional(),
      /** True if the client caused many questions about this tool and could send such calls at once. */
      offersBatch: z.boolean().optional(),
      /** Ways to limit a grant that outlives the call; the answer names the chosen ones by index. */
      conditions: z.array(conditionSchema).optional(),
      /** Conditions that every grant that outlives the call has. */
      choices: z.array(conditionSchema).optional(),
      /** Absent if the user allowed any destination for such calls. */
      destinations: shownDestinationsSchema
        .extend({
          /** The domains of the new mail addresses, except of public mail services. */
          domains: z.array(z.string()),
          /** The sites of the new web addresses, if they name a page; except of sites where everybody can publish. */
          sites: z.array(z.string()),
          /** The choices for a lasting answer; the narrowest first. */
          offers: z.array(destinationCoverSchema),
          /** The calls that the choice `any` covers: those of the tool, or of every tool of the server except dangerous ones. */
          anyCovers: z.enum(['tool', 'acts']),
        })
        .optional(),
    })
    .optional(),
  /** For an `approval` of many calls, instead of `approval`: the calls. The answer names those that may run. */
  rows: z.array(questionRowSchema).optional(),
  /**
   * For `enable-request`: why the tool is disabled. For a held tool, also the parts of its definition that the user has
   * not accepted, before and after the change, and the signs of tool poisoning. Accepting the question
   * enables the tool.
   */
  enableRequest: z
    .object({
      reason: disabledReasonSchema,
      /** The number of tools that the call of the tool added to its server; `change` has them by name. */
      added: z.number().optional(),
      change: z
        .object({
          before: z.record(z.string(), z.unknown()),
          after: z.record(z.string(), z.unknown()),
          findings: z.array(z.string()),
        })
        .optional(),
    })
    .optional(),
  /**
   * For `connection`: the host that a confined server tries to reach, or to send the secret of this name in this place of a
   * request; or the folder that a call names and that the server does not see.
   */
  connection: z
    .union([
      z.object({
        host: z.string(),
        port: z.number(),
        secret: z.string().optional(),
        place: z.string().optional(),
      }),
      z.object({ folder: z.string() }),
    ])
    .optional(),
  /** For a `confirmation` from a plug-in: its own labels for the two buttons. */
  labels: questionLabelsSchema.optional(),
  /** For `url`: the http or https URL to open. */
  url: z.string().optional(),
  /** For `url`: the parts to display. */
  address: webAddressSchema.optional(),
  /** Validation errors of the last answer, by field name. The question is still open. */
  problems: z.record(z.string(), z.string()).optional(),
  createdAt: z.number(),
  expiresAt: z.number(),
});
export type Question = z.infer<typeof questionSchema>;

/** `value` is a boolean, string, string[] or record, depending on the kind of question. */
export const answerSchema = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('accept'),
    value: z.unknown().optional(),
    scope: grantScopeSchema.optional(),
    conditions: z.array(z.number().int().min(0)).max(20).optional(),
    /** For a grant without conditions; `these` by default. */
    destinations: destinationCoverSchema.optional(),
    /** For a question with rows: the indexes of the calls that may run. */
    rows: z.array(z.number().int().min(0)).max(100).optional(),
  }),
  z.object({ action: z.literal('decline'), disableTool: z.boolean().optional() }),
  z.object({ action: z.literal('cancel') }),
]);
export type Answer = z.infer<typeof answerSchema>;

/** An approval that outlives its call. */
export const grantViewSchema = z.object({
  id: z.string(),
  server: z.string(),
  /** Empty if `covers` is `acts`. */
  tool: z.string(),
  /** The client that received the grant; empty for every client. */
  client: z.string(),
  scope: grantScopeSchema,
  covers: z.enum(['tool', 'acts']).optional(),
  /** A call must meet every condition. */
  conditions: z.array(conditionSchema),
  /** Conditions that the user could not remove. */
  choices: z.array(conditionSchema).optional(),
  /** The grant covers only destinations that the user has allowed; absent for any destination. */
  destinations: z.literal('known').optional(),
  /** Epoch milliseconds. */
  grantedAt: z.number(),
  expiresAt: z.number().optional(),
});
export type GrantView = z.infer<typeof grantViewSchema>;
