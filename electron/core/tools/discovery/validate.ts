/** Decides whether a declared tool is usable, without compiling its schema. */
import { isObject } from '../../../../shared/is-object.ts';
import { limits } from '../../../../shared/limits.ts';
import { schemaProblems } from './schema.ts';

const maxName = limits.server.toolNameCharacters;
const maxDescription = limits.server.toolDescriptionCharacters;
/** In characters of JSON. The largest definition in a real server is 85 KB. */
const maxDefinition = limits.server.toolCharacters;
const maxDepth = limits.server.toolDepth;

/** The problems of a declared tool; empty if it is usable. Malformed optional fields do not count. */
export function problemsOf(declared: unknown): string[] {
  if (!isObject(declared)) return ['it is not an object'];
  const size = sizeWithin(declared, maxDepth);
  if (size === undefined) return [`it is nested more than ${maxDepth} levels deep`];
  if (size > maxDefinition)
    return [`its definition is ${Math.round(size / 1024)} KB; the limit is ${maxDefinition / 1024} KB`];
  return [...nameProblems(declared.name), ...textProblems(declared), ...schemaProblems(declared.inputSchema)];
}

function nameProblems(name: unknown): string[] {
  if (typeof name !== 'string') return ['its name is not a string'];
  if (name.trim() === '') return ['its name is empty'];
  if (name.length > maxName) return [`its name has ${name.length} characters; the limit is ${maxName}`];
  // Cc control, Cf invisible format, Zl and Zp line breaks, Cs lone surrogates.
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)) return ['its name contains control or invisible characters'];
  if (name !== name.trim()) return ['its name begins or ends with a space'];
  return [];
}

function textProblems({ description }: Record<string, unknown>): string[] {
  if (typeof description !== 'string' || description.length <= maxDescription) return [];
  return [`its description has ${description.length} characters; the limit is ${maxDescription}`];
}

/** The size of a value in characters of JSON; undefined if its nesting is deeper than `depth`. */
export function sizeWithin(value: unknown, depth: number): number | undefined {
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
