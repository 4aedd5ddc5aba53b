/** The plug-in API. Plug-in authors import it as `toolkeep/plugin`; it has no dependencies. */
import type { Tool, ToolDefinition } from '../../../shared/model/tool.ts';
import type { TypedCalls } from './typed-calls.ts';

export type { Field } from '../../../shared/model/question.ts';
export type { Category, SafetyLevel, Tool, ToolAnnotations, ToolDefinition } from '../../../shared/model/tool.ts';
export type { AskOptions, FieldOptions, TypedCalls } from './typed-calls.ts';

/** Passed to every hook. `signal` aborts on timeout, or when the result is no longer needed. */
export interface HookContext {
  /** The config name of the server being discovered. */
  readonly server: string;
  readonly signal: AbortSignal;
}

/** The parts of a server's connection that `beforeDiscovery` may replace. Values may have placeholders, such as `${TOKEN}`. */
export interface ConnectionChange {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `connection` is present if the server is about to start. It has the placeholders of the configuration, not their values. */
export interface StartContext extends HookContext {
  readonly connection?: ConnectionChange;
}

/** The client, session and request for which tools are listed or run. */
export interface ProviderContext {
  /** Counts the client's requests that list or run tools, from 1. MCP does not mark the turns of a conversation. */
  readonly iteration: number;
  /** From `_meta['toolkeep/activeSkillId']` of the request, if the client sends it. */
  readonly activeSkillId?: string;
  /**
   * `conversationId` is the client's connection, `principal` the client's configured entry or token, `tenant` its profile.
   * Missing while Toolkeep lists the tools for its own catalog.
   */
  readonly identity?: { readonly tenant?: string; readonly principal?: string; readonly conversationId: string };
  /** Aborts when no request is waiting for the result any longer. */
  readonly signal: AbortSignal;
}

/** Why a listing failed. `code` comes from the error, its cause or its HTTP status: for example, `ECONNREFUSED` or `403`. */
export interface ListingError {
  /** `AbortError` if no request is waiting any longer, `TimeoutError` after `timeoutMs`, otherwise the thrown error's name. */
  readonly name: string;
  readonly code?: string;
  readonly message: string;
}

/** Decides what happens when a listing fails. The first rule whose `when` returns true applies; otherwise, the listing fails immediately. */
export interface ReliabilityRule {
  /** `attempt` counts from 1. */
  when(state: { readonly error: ListingError; readonly attempt: number }): boolean;
  /** `fallback` uses the last list for this context, however old, and fails if there is none. */
  readonly then: 'retry' | 'fail-fast' | 'fallback';
  /** Names the failure in the log and in telemetry. */
  readonly kind?: string;
  /** Milliseconds before the first retry (default 250), doubled for each further one. */
  readonly delayMs?: number;
}

/**
 * Passed to `execute`. Only a call can ask the user: its timeout is paused while it asks, and a client that times out can repeat
 * the call. Hooks and listings run unattended and block discovery, so they cannot ask.
 */
export interface CallContext extends ProviderContext {
  /**
   * Asks the user in the plug-in's name, routed like the client's other questions. Toolkeep itself always asks for
   * secrets and for forms with a secret field. The question is withdrawn when the call ends or the plug-in is removed.
   */
  readonly ask: TypedCalls;
}

export interface DiscoveryPlugin {
  /** A unique name, used in warnings and events. The tools of a tool provider belong to a server with this name. */
  readonly name: string;
  readonly version?: string;
  /**
   * Timeout in milliseconds of each hook for one server (default 5000), and of listing or running provided tools
   * (default 60000, not counting waits for the user).
   */
  readonly timeoutMs?: number;
  /**
   * The result for a tool when `transformTool` fails: `keep` (default) leaves it unchanged, `reject` hides it. Use `reject`
   * when the plug-in restricts access.
   */
  readonly onFailure?: 'keep' | 'reject';

  /**
   * Called before the server with this config name starts, or, if it is running, before it is asked for its tools. A start uses
   * the returned parts of the connection instead of those in `context.connection`.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most hooks return nothing, and `undefined` would make them say so.
  beforeDiscovery?(server: string, context: StartContext): ConnectionChange | void | Promise<ConnectionChange | void>;
  /** Returns the tool to register instead, or null to reject it. The identity (key, names) cannot be changed. */
  transformTool?(tool: Tool, context: HookContext): Tool | null | Promise<Tool | null>;
  /** Called after all tools of a server have been transformed. */
  afterDiscovery?(server: string, tools: readonly Tool[], context: HookContext): void | Promise<void>;

  /** Lists tools that the plug-in provides, synchronously or as a promise. */
  provideTools?(context: ProviderContext): readonly ToolDefinition[] | Promise<readonly ToolDefinition[]>;
  /** Runs a provided tool; returns an MCP tool result, for example `{content: [{type: 'text', text: '…'}]}`. */
  execute?(
    tool: string,
    args: Record<string, unknown>,
    context: CallContext,
  ): Record<string, unknown> | Promise<Record<string, unknown>>;
  /** How long a list from a promise is cached, in milliseconds; 0 (default) asks every time. */
  readonly ttlMs?: number;
  /** Contexts with the same key share a cached list; the default key is tenant, principal and active skill. */
  cacheKey?(context: ProviderContext): string;
  /** Rules for failed listings; without them, a failure is reported at once. */
  readonly reliability?: readonly ReliabilityRule[];
}

/** Returns the plug-in unchanged. Its type lets editors check and complete the keys. */
export function definePlugin(plugin: DiscoveryPlugin): DiscoveryPlugin {
  return plugin;
}

type Provide = NonNullable<DiscoveryPlugin['provideTools']>;

/** A tool provider that always returns the same array. */
export function staticTools(tools: readonly ToolDefinition[]): Provide {
  return () => tools;
}

/**
 * Combines one tool provider per skill: lists the tools of the active skill in addition to those of `always`, which are listed
 * whether or not a skill is active.
 */
export function skillScopedTools(
  bySkill: Readonly<Record<string, Provide>>,
  always: Provide = staticTools([]),
): Provide {
  const last = new Map<string, readonly ToolDefinition[]>();
  const join = (skill: string, lists: readonly (readonly ToolDefinition[])[]) => {
    const tools = lists.flat();
    const before = last.get(skill) ?? [];
    if (before.length === tools.length && tools.every((tool, index) => tool === before[index])) return before;
    last.set(skill, tools);
    return tools;
  };
  return (context) => {
    const skill = context.activeSkillId;
    const own = skill !== undefined && Object.hasOwn(bySkill, skill) ? bySkill[skill] : undefined;
    if (skill === undefined || !own) return always(context);
    const [general, special] = [always(context), own(context)];
    if (general instanceof Promise || special instanceof Promise)
      return Promise.all([general, special]).then((lists) => join(skill, lists));
    return join(skill, [general, special]);
  };
}

/**
 * Filters a tool provider: only tools that `accepts` approves are listed. A synchronous provider stays synchronous, and an
 * unchanged result is the same array, so gates can be nested.
 */
export function gatedTools(
  provide: Provide,
  accepts: (tool: ToolDefinition, context: ProviderContext) => boolean,
): Provide {
  let last: readonly ToolDefinition[] = [];
  const gate = (tools: readonly ToolDefinition[], context: ProviderContext) => {
    const passed = tools.filter((tool) => accepts(tool, context));
    if (passed.length === tools.length) return tools;
    const same = passed.length === last.length && passed.every((tool, index) => tool === last[index]);
    if (!same) last = passed;
    return last;
  };
  return (context) => {
    const tools = provide(context);
    return tools instanceof Promise ? tools.then((list) => gate(list, context)) : gate(tools, context);
  };
}
