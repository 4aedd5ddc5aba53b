/**
 * The form of a tool that plug-ins see: the catalog's form, with the aliases for description, schema, server and
 * assessment that plug-ins for other MCP hosts expect.
 */
import type { Tool } from '../../../shared/model/tool.ts';

interface Aliases {
  serverId?: string;
  description?: string;
  inputSchema?: Tool['definition']['inputSchema'];
}

/** Returns a copy, because a plug-in may change the tool in place and then fail. */
export function toPluginTool(tool: Tool): Tool & Aliases {
  const copy = structuredClone(tool);
  return {
    ...copy,
    serverId: tool.server,
    description: copy.definition.description ?? '',
    inputSchema: copy.definition.inputSchema,
    metadata: { ...assessmentOf(tool), ...copy.metadata },
  };
}

/** Converts a plug-in's tool to the catalog's form. A changed alias changes the definition. */
export function fromPluginTool(changed: Tool & Aliases, original: Tool): Tool {
  const { serverId: _, description, inputSchema, ...tool } = changed;
  const { definition } = original;
  if (description !== undefined && description !== (definition.description ?? ''))
    tool.definition = { ...tool.definition, description };
  if (inputSchema !== undefined && JSON.stringify(inputSchema) !== JSON.stringify(definition.inputSchema))
    tool.definition = { ...tool.definition, inputSchema };
  const given: Record<string, unknown> = assessmentOf(original);
  const isOurs = (key: string, value: unknown) => given[key] === value && !(key in original.metadata);
  const metadata = Object.fromEntries(Object.entries(tool.metadata).filter(([key, value]) => !isOurs(key, value)));
  return { ...tool, metadata };
}

function assessmentOf({ category, complexity, requiresAuth, isDeprecated }: Tool) {
  return { category, complexity, requiresAuth, isDeprecated };
}
