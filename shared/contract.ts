/** Every command and every event between Core and a face: the one contract, checked on both sides of the Wire. */
import * as z from 'zod';
import {
  answerSchema,
  callFilterSchema,
  callRecordSchema,
  categorySchema,
  clientViewSchema,
  failureSchema,
  grantViewSchema,
  importPlanSchema,
  installChoiceSchema,
  installPlanSchema,
  installStatusSchema,
  lessonSchema,
  offReasonSchema,
  ownRuleSchema,
  questionSchema,
  routingSchema,
  ruleSchema,
  ruleViewSchema,
  safetyLevelSchema,
  savingsSchema,
  searchHitSchema,
  secretsViewSchema,
  serverConfigSchema,
  serverViewSchema,
  toolSummarySchema,
  toolViewSchema,
  vaultViewSchema,
} from './model.ts';

function command<I extends z.ZodType, O extends z.ZodType>(input: I, output: O): { input: I; output: O } {
  return { input, output };
}

const nothing = z.void();
const toolRef = z.object({ server: z.string(), tool: z.string() });

const settingsSchema = z.object({
  /** What happens when an agent wants a tool that is off: nothing, a notice to the person, or an offer to switch it on. */
  whenOff: z.enum(['never', 'notify', 'ask']),
  /** Months of history that are kept; 0 keeps all. */
  historyMonths: z.number().int().min(0).max(1200),
});

export const commands = {
  'core.status': command(
    nothing,
    z.object({
      version: z.string(),
      paused: z.boolean(),
      startedAt: z.number(),
      dataDir: z.string(),
      /** How secrets are kept. `persistent: false`: in memory, until Gatehouse ends. */
      vault: vaultViewSchema,
      /** For clients that speak streamable HTTP: address and where its token is kept. */
      http: z.object({ url: z.string(), tokenFile: z.string() }).optional(),
      clients: z.array(clientViewSchema),
      servers: z.number(),
      tools: z.number(),
      enabledTools: z.number(),
      /** Nothing was ever imported or configured: show the first-start page. */
      fresh: z.boolean(),
    }),
  ),
  'core.pause': command(z.object({ paused: z.boolean() }), nothing),

  /** By the name that a client gives itself; `null` goes back to what the config says. */
  'clients.setRouting': command(z.object({ client: z.string(), routing: routingSchema.nullable() }), nothing),

  'settings.show': command(nothing, settingsSchema),
  'settings.save': command(settingsSchema.partial(), nothing),

  'servers.list': command(nothing, z.array(serverViewSchema)),
  /** Adds or replaces a server of the person's own. Its secrets go to the vault where that lasts. */
  'servers.save': command(z.object({ server: serverConfigSchema }), nothing),
  'servers.remove': command(z.object({ server: z.string() }), nothing),
  'servers.setEnabled': command(z.object({ server: z.string(), enabled: z.boolean() }), nothing),
  /** Stops the server if it runs, starts it and discovers its tools; resolves when it is ready. */
  'servers.restart': command(z.object({ server: z.string() }), serverViewSchema),
  'servers.stop': command(z.object({ server: z.string() }), nothing),
  /** Opens the browser for OAuth; resolves when the person has come back and the server was started with the sign-in. */
  'servers.signIn': command(z.object({ server: z.string() }), serverViewSchema),
  /** Forgets the sign-in and stops the server. */
  'servers.signOut': command(z.object({ server: z.string() }), nothing),

  /** The agent's search: relevance order, enabled tools only. */
  'tools.search': command(
    z.object({ query: z.string(), server: z.string().optional(), limit: z.number().int().min(1).max(100).optional() }),
    z.array(searchHitSchema),
  ),
  /** The person's list: filters and sorts (requirement row B7). */
  'tools.list': command(
    z.object({
      server: z.string().optional(),
      text: z.string().optional(),
      category: categorySchema.optional(),
      safetyLevel: safetyLevelSchema.optional(),
      tag: z.string().optional(),
      readOnly: z.boolean().optional(),
      /** Only tools that an agent can run now. */
      available: z.boolean().optional(),
      includeDisabled: z.boolean().optional(),
      sortBy: z.enum(['name', 'callCount', 'successRate', 'averageTime']).optional(),
      sortDirection: z.enum(['asc', 'desc']).optional(),
      limit: z.number().int().min(1).optional(),
    }),
    z.array(toolSummarySchema),
  ),
  'tools.details': command(toolRef, toolViewSchema),
  /**
   * Runs a tool as the person: same rules and checks as for an agent. Output is the MCP result as the server gave it.
   * With a `callId` of the caller's choice its progress is told by `calls.progressed`, and it can be cancelled.
   */
  'tools.execute': command(
    toolRef.extend({ arguments: z.record(z.string(), z.unknown()), callId: z.string().max(100).optional() }),
    z.record(z.string(), z.unknown()),
  ),
  'tools.cancel': command(z.object({ callId: z.string() }), nothing),
  /** Accepts the changed definition of a tool that was held back. */
  'tools.accept': command(toolRef, nothing),

  'rules.list': command(nothing, z.array(ruleViewSchema)),
  /** Replaces the person's own rules, in order. */
  'rules.save': command(z.object({ rules: z.array(ownRuleSchema) }), nothing),
  /** What `rules.save` would change, without saving. */
  'rules.preview': command(
    z.object({ rules: z.array(ownRuleSchema) }),
    z.object({
      rules: z.array(ruleViewSchema),
      /** Tools whose state would change, most important first; `total` counts them all. */
      changes: z.array(z.object({ server: z.string(), tool: z.string(), before: z.string(), after: z.string() })),
      total: z.number(),
    }),
  ),

  'config.show': command(
    nothing,
    z.object({
      enabled: z.boolean(),
      cache: z.object({ enabled: z.boolean(), ttl: z.number() }),
      /** The file in force; absent with built-in defaults. */
      file: z.string().optional(),
      sources: z.array(z.object({ type: z.string(), path: z.string(), found: z.boolean(), servers: z.number() })),
      rules: z.array(ruleSchema),
      servers: z.object({ configured: z.number(), connected: z.number() }),
      tools: z.object({ total: z.number(), enabled: z.number() }),
    }),
  ),
  'config.validate': command(
    nothing,
    z.object({
      valid: z.boolean(),
      file: z.string().optional(),
      problems: z.array(failureSchema),
      warnings: z.array(z.string()),
    }),
  ),
  'config.reload': command(
    nothing,
    z.object({
      added: z.array(z.string()),
      removed: z.array(z.string()),
      changed: z.array(z.string()),
      durationMs: z.number(),
    }),
  ),

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

  /** Never a value. */
  'secrets.list': command(nothing, secretsViewSchema),
  /** Keeps a secret in the vault; servers that refer to it are started anew if they run or failed. */
  'secrets.set': command(
    z.object({ name: z.string().regex(/^[^${}\n]{1,200}$/), value: z.string().min(1).max(100_000) }),
    nothing,
  ),
  'secrets.remove': command(z.object({ name: z.string() }), nothing),
  /** Moves the secrets of a server of the person's own to the vault; resolves with their names there. */
  'secrets.protect': command(z.object({ server: z.string() }), z.object({ moved: z.array(z.string()) })),

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

  'questions.list': command(nothing, z.array(questionSchema)),
  /** First answer wins; `accepted: false` when the question was answered, withdrawn or expired before. */
  'questions.answer': command(
    z.object({ id: z.string(), answer: answerSchema }),
    z.object({ accepted: z.boolean(), problems: z.record(z.string(), z.string()).optional() }),
  ),

  /** Standing approvals that the person gave. */
  'grants.list': command(nothing, z.array(grantViewSchema)),
  'grants.revoke': command(z.object({ id: z.string() }), nothing),

  /** Newest first. */
  'search.aliases': command(nothing, z.array(lessonSchema)),
  /** "This was the right tool": raises it for this query and queries like it (requirement row N7). */
  'search.teach': command(toolRef.extend({ query: z.string().trim().min(1).max(1000) }), nothing),
  'search.forget': command(z.object({ id: z.string() }), z.object({ forgotten: z.boolean() })),

  /** What the gateway saved in tokens, newest day first. */
  'stats.show': command(z.object({ days: z.number().int().min(1).max(400).default(30) }), z.array(savingsSchema)),

  /** Newest first, from the last few thousand. */
  'audit.list': command(
    callFilterSchema.extend({ limit: z.number().int().min(1).max(1000).optional() }),
    z.array(callRecordSchema),
  ),
  /** The whole history, oldest first, page by page: call again with `next` until there is none. */
  'audit.page': command(
    callFilterSchema.extend({ after: z.string().optional() }),
    z.object({ records: z.array(callRecordSchema), next: z.string().optional() }),
  ),
} as const;

export type Commands = typeof commands;
export type CommandName = keyof Commands;
export type CommandInput<N extends CommandName> = z.input<Commands[N]['input']>;
export type CommandOutput<N extends CommandName> = z.output<Commands[N]['output']>;

/** What a discovery went through: its phases in order, those of the start only when it had to start the server. */
const passed = z.object({ server: z.string(), durationMs: z.number(), phases: serverViewSchema.shape.phases });

/** Events say what changed; faces ask again for what they show. */
export const events = {
  'servers.changed': z.object({ servers: z.array(z.string()) }),
  'tools.changed': z.object({ servers: z.array(z.string()) }),
  /** Steps of the discovery of a server or of a plug-in's tools (requirement rows B16, C6). */
  'discovery.started': z.object({ server: z.string() }),
  'discovery.completed': passed.extend({ toolCount: z.number() }),
  'discovery.failed': passed.extend({ code: z.string(), message: z.string() }),
  /** Tools that were not in the catalog before. */
  'tools.registered': z.object({
    server: z.string(),
    tools: z.array(z.object({ tool: z.string(), category: categorySchema, complexity: z.string() })),
  }),
  'rules.changed': z.object({}),
  'config.changed': z.object({ problems: z.array(failureSchema) }),
  /** A file of another app changed, or what Gatehouse took from it or put into it. */
  'import.changed': z.object({}),
  'questions.changed': z.object({ pending: z.number() }),
  /** The life of one question (requirement row B10), without what was answered. */
  'questions.told': z.object({
    kind: z.enum(['requested', 'responded', 'timeout', 'error']),
    id: z.string(),
    type: questionSchema.shape.kind,
    server: z.string().optional(),
    tool: z.string().optional(),
    action: z.enum(['accept', 'decline', 'cancel']).optional(),
  }),
  /** An agent looked for a tool that is off, and the setting is to notify. */
  'tools.wanted': z.object({ client: z.string(), server: z.string(), tool: z.string(), reason: offReasonSchema }),
  'clients.changed': z.object({}),
  'core.changed': z.object({}),
  'calls.recorded': callRecordSchema,
  'calls.progressed': z.object({
    callId: z.string(),
    progress: z.number(),
    total: z.number().optional(),
    message: z.string().optional(),
  }),
} as const;

export type EventName = keyof typeof events;
export type EventData<N extends EventName> = z.output<(typeof events)[N]>;

/** A typed handle on Core: the same in the window, in the command line and in tests. */
export interface CoreClient {
  call<N extends CommandName>(
    name: N,
    ...input: undefined extends CommandInput<N> ? [] : [CommandInput<N>]
  ): Promise<CommandOutput<N>>;
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void;
  close(): void;
}

/** What Core implements: one function per command. */
export type CommandHandlers = {
  [N in CommandName]: (input: z.output<Commands[N]['input']>) => CommandOutput<N> | Promise<CommandOutput<N>>;
};
