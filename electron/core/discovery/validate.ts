/** Decides whether a declared tool can be used (rows B4, B14), without compiling its schema. */
import type { ToolDefinition } from '../../../shared/model.ts';
import { isRecord, schemaProblems } from './schema.ts';

const maxName = 256;
const maxDescription = 64 * 1024;
/** Characters of JSON; the largest honest definition seen is about a tenth of it. */
const maxDefinition = 256 * 1024;
const maxDepth = 64;

/** What is wrong with a declared tool, in plain words; empty when it can be used. */
export function problemsOf(declared: unknown): string[] {
  if (!isRecord(declared)) return ['it is not an object'];
  const size = sizeWithin(declared, maxDepth);
  if (size === undefined) return [`it is nested more than ${maxDepth} levels deep`];
  if (size > maxDefinition)
    return [`its definition is ${Math.round(size / 1024)} KB; the limit is ${maxDefinition / 1024} KB`];
  return [...nameProblems(declared.name), ...textProblems(declared), ...schemaProblems(declared.inputSchema)];
}

/** A definition that passed `problemsOf`. */
export function asDefinition(declared: unknown): ToolDefinition {
  return declared as ToolDefinition;
}

function nameProblems(name: unknown): string[] {
  if (typeof name !== 'string') return ['its name is not a text'];
  if (name.trim() === '') return ['its name is empty'];
  if (name.length > maxName) return [`its name has ${name.length} characters; the limit is ${maxName}`];
  // Cc control, Cf invisible format, Zl and Zp line breaks, Cs lone surrogates: never part of an honest name.
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)) return ['its name holds control or invisible characters'];
  if (name !== name.trim()) return ['its name begins or ends with a space'];
  return [];
}

function textProblems(declared: Record<string, unknown>): string[] {
  const problems: string[] = [];
  const { description, title, annotations } = declared;
  if (description !== undefined && typeof description !== 'string') problems.push('its description is not a text');
  else if (description !== undefined && description.length > maxDescription)
    problems.push(`its description has ${description.length} characters; the limit is ${maxDescription}`);
  if (title !== undefined && typeof title !== 'string') problems.push('its title is not a text');
  if (annotations !== undefined && !isRecord(annotations)) problems.push('its annotations are not an object');
  return problems;
}

/** Walks a value without recursion deeper than `depth`; undefined when it is nested deeper. In characters of JSON. */
function sizeWithin(value: unknown, depth: number): number | undefined {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  if (depth === 0) return undefined;
  let size = 2;
  const keyed = !Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    const inner = sizeWithin(item, depth - 1);
    if (inner === undefined) return undefined;
    size += inner + 1 + (keyed ? key.length + 3 : 0);
  }
  return size;
}
