/** Accepts tool providers that were written for other agent frameworks: `{id, list(context)}`, with tools that run themselves. */
import type { DiscoveryPlugin, ProviderContext, ToolDefinition } from './plugin-api.ts';

type Listed = ToolDefinition & { execute?(args: Record<string, unknown>, context: ProviderContext): unknown };

interface ForeignProvider {
  id?: string;
  list(context: ProviderContext): readonly Listed[] | Promise<readonly Listed[]>;
}

/** Returns anything else unchanged. */
export function fromForeignProvider(candidate: object): object {
  if (typeof (candidate as ForeignProvider).list !== 'function' || 'provideTools' in candidate) return candidate;
  const { id, list, ...plugin } = candidate as ForeignProvider & Partial<DiscoveryPlugin>;
  const known = new Map<string, Listed>();
  const keep = (tools: readonly Listed[]) => {
    if (Array.isArray(tools)) for (const tool of tools) if (tool) known.set(tool.name, tool);
    return tools;
  };
  const provider: Partial<DiscoveryPlugin> = {
    ...(id !== undefined && { name: id }),
    provideTools(context) {
      const tools = list.call(candidate as ForeignProvider, context);
      return tools instanceof Promise ? tools.then(keep) : keep(tools);
    },
    async execute(name, args, context) {
      const tool = known.get(name);
      if (typeof tool?.execute !== 'function') throw new Error(`the tool "${name}" has no "execute" function`);
      return resultOf(await tool.execute(args, context));
    },
  };
  return { ...provider, ...plugin };
}

/** An MCP result stays unchanged; anything else becomes text. */
function resultOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && Array.isArray((value as { content?: unknown }).content))
    return value as Record<string, unknown>;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return { content: [{ type: 'text', text }] };
}
