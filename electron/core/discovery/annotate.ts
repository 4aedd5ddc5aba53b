/** What a tool would do, judged from its name, description, schema and the server's own hints (rows B5, B6). */
import type { Category, SafetyLevel, Tool, ToolAnnotations, ToolDefinition } from '../../../shared/model.ts';

export type Judgement = Pick<Tool, 'annotations' | 'category' | 'complexity' | 'requiresAuth' | 'isDeprecated'>;

const destructive = new Set([
  'delete',
  'remove',
  'drop',
  'kill',
  'terminate',
  'execute',
  'exec',
  'evaluate',
  'overwrite',
  'purge',
  'destroy',
]);
const reading = new Set(['get', 'list', 'read', 'search', 'find', 'show', 'fetch', 'describe', 'check', 'query']);

/** Judges a tool; pure, offline, the same answer for the same definition. */
export function annotate(definition: ToolDefinition): Judgement {
  const words = definition.name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const hints = definition.annotations ?? {};
  const danger = words.find((word) => destructive.has(word));
  const reads = words.some((word) => reading.has(word));
  let level: SafetyLevel = danger ? 'dangerous' : reads ? 'safe' : 'moderate';
  const reasons: string[] = danger ? [`its name says ${danger}`] : [];
  if (hints.destructiveHint === true && hints.readOnlyHint !== true) {
    level = 'dangerous';
    reasons.push('the server calls it destructive');
  }
  const annotations: ToolAnnotations = {
    readOnlyHint: level === 'safe',
    destructiveHint: level === 'dangerous',
    idempotentHint: hints.idempotentHint === true || level === 'safe',
    openWorldHint: hints.openWorldHint !== false,
    requiresConfirmation: level === 'dangerous',
    safetyLevel: level,
    reasons,
  };
  const category: Category = 'general';
  const count = Object.keys((definition.inputSchema.properties as object | undefined) ?? {}).length;
  return {
    annotations,
    category,
    complexity: count <= 2 ? 'simple' : count <= 5 ? 'moderate' : 'complex',
    requiresAuth: false,
    isDeprecated: false,
  };
}
