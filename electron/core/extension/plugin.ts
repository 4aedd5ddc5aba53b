/**
 * What a discovery plug-in is made of (rows B17, C1 to C8). Plug-in authors import this as `gatehouse/plugin`; it has no
 * dependency of its own.
 */
import type { Tool, ToolDefinition } from '../../../shared/model.ts';
import type { TypedCalls } from './typed-calls.ts';

export type { Category, Field, SafetyLevel, Tool, ToolAnnotations, ToolDefinition } from '../../../shared/model.ts';
export type { AskOptions, FieldOptions, TypedCalls } from './typed-calls.ts';

/** Passed to every hook. Stop when `signal` aborts: the hook's time is up, or nobody waits any more. */
export interface HookContext {
  /** Config name of the server being discovered. */
  readonly server: string;
  readonly signal: AbortSignal;
}

/** For whom, and at which point of a conversation, tools are listed (row C2). */
export interface ProviderContext {
  /** Counts the turns of a conversation from 1. */
  readonly iteration: number;
  readonly activeSkillId?: string;
  readonly identity?: { readonly tenant?: string; readonly principal?: string; readonly conversationId: string };
  readonly signal: AbortSignal;
}

/**
 * Passed to `execute`. Only a call can ask: somebody waits for it, it can be taken up again when a client's patience ends,
 * and its time limit stands still meanwhile. Hooks and listings have none of that. They run when nobody is there, again
 * and again, with everybody's tools waiting behind them; what they need from a person, a tool of the plug-in's can ask for.
 */
export interface CallContext extends ProviderContext {
  /**
   * Asks the person, in the plug-in's name and by the routing that the person chose for the client; `secret`, and a form
   * with one, always in Gatehouse itself. Withdrawn when the call is cancelled or over, or the plug-in is taken away.
   */
  readonly ask: TypedCalls;
}

export interface DiscoveryPlugin {
  /** Unique; what warnings and events call the plug-in. A tool provider's tools belong to a server of this name. */
  readonly name: string;
  readonly version?: string;
  /** Milliseconds that each hook may take for one server, default 5000; listing or running provided tools: 60000, without the time that a person is asked. */
  readonly timeoutMs?: number;
  /**
   * What happens to a tool on which `transformTool` fails: `keep` (default) leaves it as it was, `reject` leaves the tool
   * out. Take `reject` where the plug-in guards access.
   */
  readonly onFailure?: 'keep' | 'reject';

  /** Before a server is asked for its tools. */
  beforeDiscovery?(context: HookContext): void | Promise<void>;
  /** For each valid tool: the tool to register in its place, or null to reject it. Identity (key, names) stays as it is. */
  transformTool?(tool: Tool, context: HookContext): Tool | null | Promise<Tool | null>;
  /** After all tools of a server are known. */
  afterDiscovery?(tools: readonly Tool[], context: HookContext): void | Promise<void>;

  /** Tools of the plug-in's own. A list that is returned at once costs nothing; a promise is awaited (row C1). */
  provideTools?(context: ProviderContext): readonly ToolDefinition[] | Promise<readonly ToolDefinition[]>;
  /** Runs a provided tool; returns an MCP tool result, for example `{content: [{type: 'text', text: '…'}]}`. */
  execute?(
    tool: string,
    args: Record<string, unknown>,
    context: CallContext,
  ): Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Milliseconds for which a list that came as a promise is used again; 0 (default) asks every time (row C3). */
  readonly ttlMs?: number;
  /** Lists for which contexts are the same; default: tenant, principal and active skill together. */
  cacheKey?(context: ProviderContext): string;
  /** Listing fails loudly at once by default; with `retry` it is tried again first (row C7). */
  readonly retry?: { readonly attempts: number; readonly delayMs: number };
}

/** Types a plug-in as it is written; returns it unchanged. */
export function definePlugin(plugin: DiscoveryPlugin): DiscoveryPlugin {
  return plugin;
}

type Provide = NonNullable<DiscoveryPlugin['provideTools']>;

/**
 * Puts a gate before a tool provider: only tools that `accepts` lets through are listed. What is sync stays sync, and the
 * same list with the same verdicts gives the same array (row C8), so gates can be stacked.
 */
export function gateTools(
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
