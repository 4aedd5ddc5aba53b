/** Adapts listed tools to a client's limits on names and schemas. */
import type { JsonSchema } from '../../../shared/model/tool.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import { definitionOf } from '../clients/known-clients.ts';
import { type ClientSchema, clientSchema } from '../tools/client-schema.ts';
import { nameWithin } from '../tools/names.ts';
import type { ClientSession, ListedTool } from './services.ts';

/** Characters. Longer schemas cost more tokens than they are worth. */
const maxSchemaText = 2_000;

/** Caches the adapted schemas, because schemas do not change and lists are requested often. */
const views = new WeakMap<object, WeakMap<JsonSchema, ClientSchema>>();

/** Returns the same tools for a client without limits. */
export function forClient(tools: ListedTool[], client: Pick<ClientSession, 'stated' | 'via'>): ListedTool[] {
  const limits = definitionOf(client)?.limits;
  if (!limits) return tools;
  const known = views.get(limits) ?? new WeakMap<JsonSchema, ClientSchema>();
  views.set(limits, known);
  return tools.map((tool) => {
    const { inputSchema } = tool.definition;
    const view = known.get(inputSchema) ?? clientSchema(inputSchema, limits);
    known.set(inputSchema, view);
    const name = nameWithin(tool.name, toolKey(tool.server, tool.tool), limits.toolName);
    if (view.schema === inputSchema && name === tool.name) return tool;
    return { ...tool, name, definition: { ...tool.definition, inputSchema: view.schema, ...described(tool, view) } };
  });
}

/** Adds the original schema to the description if the adapted one allows more. */
function described({ definition }: ListedTool, { isWider }: ClientSchema): { description?: string } {
  const text = isWider ? JSON.stringify(definition.inputSchema) : '';
  if (!isWider || text.length > maxSchemaText) return {};
  return {
    description: `${definition.description ?? ''}\n\nThe parameters must also match this JSON Schema: ${text}`.trim(),
  };
}
