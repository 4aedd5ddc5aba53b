/** The searchable fields of a tool. */
import { isObject } from '../../../shared/is-object.ts';
import type { SafetyLevel, Tool } from '../../../shared/model/tool.ts';

export interface SearchDoc {
  key: string;
  server: string;
  name: string;
  title?: string;
  description: string;
  parameters: { name: string; description: string }[];
  tags: string[];
  category?: string;
  /** The safety level: similarity raises a moderate tool less than a safe one, and does not raise a dangerous tool. */
  safety?: SafetyLevel;
}

/** Limits the work for one schema. More parameters do not help to find the tool. */
const maxParameters = 60;

/** The fields of a tool in the catalog, with the tags that rules assign to it. */
export function searchDoc(tool: Tool, tags: string[]): SearchDoc {
  const parameters: SearchDoc['parameters'] = [];
  collect(tool.definition.inputSchema, parameters, 0);
  return {
    key: tool.key,
    server: tool.server,
    name: tool.name,
    title: tool.definition.title,
    description: tool.definition.description ?? '',
    parameters,
    tags,
    category: tool.category === 'general' ? undefined : tool.category,
    safety: tool.annotations.safetyLevel,
  };
}

/** Collects the parameters of the schema and of objects up to two levels inside it. */
function collect(schema: unknown, into: SearchDoc['parameters'], depth: number): void {
  if (!isObject(schema) || depth > 2) return;
  if (isObject(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      if (into.length >= maxParameters) return;
      into.push({ name, description: describe(property) });
      collect(property, into, depth + 1);
    }
  }
  if (isObject(schema.items)) collect(schema.items, into, depth);
}

function describe(property: unknown): string {
  if (!isObject(property)) return '';
  const choices = Array.isArray(property.enum)
    ? property.enum.slice(0, 20).filter((one) => typeof one === 'string')
    : [];
  const text = typeof property.description === 'string' ? property.description : '';
  return choices.length > 0 ? `${text} ${choices.join(' ')}` : text;
}
