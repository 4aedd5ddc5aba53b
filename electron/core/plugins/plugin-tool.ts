/**
 * The tool as plug-ins see it: the catalog's, with its description, schema, server and category also where plug-ins of other
 * MCP hosts look for them.
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
    metadata: { category: tool.category, ...copy.metadata },
  };
}

/** Returns the catalog's form of a tool from a plug-in. A changed alias changes the definition. */
export function fromPluginTool(changed: Tool & Aliases, original: Tool): Tool {
  const { serverId: _, description, inputSchema, ...tool } = changed;
  const { definition } = original;
  if (description !== undefined && description !== (definition.description ?? ''))
    tool.definition = { ...tool.definition, description };
  if (inputSchema !== undefined && JSON.stringify(inputSchema) !== JSON.stringify(definition.inputSchema))
    tool.definition = { ...tool.definition, inputSchema };
  const { category, ...metadata } = tool.metadata;
  return category === original.category && !('category' in original.metadata) ? { ...tool, metadata } : tool;
}
