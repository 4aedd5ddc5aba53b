/** The details of one tool for agents: everything if it fits the budget, otherwise the parts that a call needs. */
import { exampleOf } from '../../../../shared/example.ts';
import { firstSentence } from '../../../../shared/first-sentence.ts';
import { heldBecause } from '../../../../shared/held-reason.ts';
import type { JsonSchema, ToolView } from '../../../../shared/model/tool.ts';
import { estimateShort } from '../../history/estimate-tokens.ts';
import { shortType } from './short-type.ts';
import { type Parameter, parametersOf, restOf, typeText } from './signature.ts';

/** Estimated tokens. The estimate is off by up to a tenth, and details must stay below 200. */
const budget = 175;
const hint = 'Shortened; full: true returns everything.';

/** Name, description, parameters, notes and an example; within the budget unless `full` is set. For a held tool, only why. */
export function describeTool(tool: ToolView, full = false): string {
  // An agent reads no text of a tool that the user has not accepted.
  if (tool.held)
    return `${tool.server}/${tool.name} is held until the user accepts it: ${heldBecause[tool.held.reason]}.`;
  const everything = allOf(tool);
  return full || estimateShort(everything) <= budget ? everything : mostImportant(tool);
}

function allOf(tool: ToolView): string {
  const lines = [headOf(tool)];
  if (tool.description) lines.push(tool.description.trim());
  const parameters = parametersOf(tool.inputSchema);
  lines.push(parameters.length === 0 ? 'No parameters.' : 'Parameters:');
  for (const { name, required, schema } of parameters) {
    const about = descriptionOf(schema);
    lines.push(`- ${name}${required ? '' : '?'}: ${typeText(schema)}${presetOf(schema)}${about && ` — ${about}`}`);
  }
  const rest = restOf(tool.inputSchema);
  if (rest) lines.push(`Schema also has: ${JSON.stringify(rest)}`);
  lines.push(...notesOf(tool), ...exampleLine(tool.inputSchema));
  return lines.join('\n');
}

/** Token limits for the parts of shortened details. */
const limits = { type: 36, conditions: 30, example: 45, sentence: 160, remark: 110, heads: 110 };

/**
 * As much as fits the budget, in this order: name, first sentence, parameters with their types (required ones first),
 * conditions of the schema, an example, the parameters' descriptions, and the rest of the description.
 */
function mostImportant(tool: ToolView): string {
  let left = budget - estimateShort(hint);
  const take = (text: string, reserve = 0) => {
    const cost = estimateShort(text) + 1;
    if (cost > left - reserve) return false;
    left -= cost;
    return true;
  };
  const head = headOf(tool);
  const [sentence, ...further] = sentencesOf(tool.description);
  const notes = notesOf(tool);
  for (const text of [head, sentence ?? '', ...notes]) take(text);
  const { lines, others } = parameterHeads(tool.inputSchema, Math.min(left, limits.heads));
  left -= estimateShort([...lines.map(({ text }) => text), others].join('\n')) + lines.length;

  const conditions = conditionsOf(tool.inputSchema).filter((text) => take(text));
  const example = exampleLine(tool.inputSchema).filter((text) => estimateShort(text) <= limits.example && take(text));
  const described = lines.map(({ text, about }) => (about && take(` — ${about}`) ? `${text} — ${about}` : text));
  const more: string[] = [];
  for (const text of further) {
    if (!take(text)) break;
    more.push(text);
  }
  const about = [sentence, ...more].filter(Boolean).join(' ');
  const title = lines.length > 0 ? ['Parameters:'] : [];
  return [head, about, ...title, ...described, others, ...conditions, ...notes, ...example, hint]
    .filter(Boolean)
    .join('\n');
}

interface Head {
  text: string;
  about: string;
}

/** As many parameters with their types as fit, required ones first, and the names of the others. */
function parameterHeads(schema: JsonSchema, limit: number): { lines: Head[]; others: string } {
  const parameters = parametersOf(schema).sort((a, b) => Number(b.required) - Number(a.required));
  const lines: Head[] = [];
  let left = limit;
  for (const parameter of parameters) {
    const text = headOfParameter(parameter, schema);
    left -= estimateShort(text) + 1;
    if (left < 0) break;
    lines.push({ text, about: firstSentence(descriptionOf(parameter.schema), limits.remark) });
  }
  const names = parameters.slice(lines.length).map(({ name, required }) => `${name}${required ? '' : '?'}`);
  const shown = names.slice(0, lines.length === 0 ? 12 : 6);
  const unnamed = names.length - shown.length;
  return {
    lines,
    others: names.length === 0 ? '' : `Also: ${shown.join(', ')}${unnamed > 0 ? `, ${unnamed} more` : ''}`,
  };
}

function headOfParameter({ name, required, schema }: Parameter, root: JsonSchema): string {
  return `- ${name}${required ? '' : '?'}: ${shortType(schema, root, limits.type)}${presetOf(schema).slice(0, 40)}`;
}

function conditionsOf(schema: JsonSchema): string[] {
  const { $defs, definitions, ...rest } = restOf(schema) ?? {};
  const text = JSON.stringify(rest);
  return text !== '{}' && estimateShort(text) <= limits.conditions ? [`Schema also has: ${text}`] : [];
}

/** Sentences and lines, each of at most `limits.sentence` characters. */
function sentencesOf(description: string): string[] {
  return description
    .slice(0, 4_000)
    .split(/\n+|(?<=[.!?。])(?<!\b(?:e\.g|i\.e|vs|etc)\.)\s+/u)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .map((text) => (text.length <= limits.sentence ? text : `${text.slice(0, limits.sentence - 1).trimEnd()}…`));
}

function headOf(tool: ToolView): string {
  return `${tool.server}/${tool.name}${tool.enabled ? '' : ' (disabled)'}`;
}

function descriptionOf(schema: JsonSchema | boolean): string {
  return typeof schema === 'object' && typeof schema.description === 'string' ? schema.description.trim() : '';
}

function presetOf(schema: JsonSchema | boolean): string {
  return typeof schema === 'object' && schema.default !== undefined ? ` = ${JSON.stringify(schema.default)}` : '';
}

function notesOf(tool: ToolView): string[] {
  const { annotations } = tool;
  const notes: string[] = [];
  if (annotations.readOnlyHint) notes.push('read-only');
  if (annotations.destructiveHint && !annotations.readOnlyHint) notes.push('destructive');
  if (tool.asks !== 'none') notes.push(tool.asks === 'each' ? 'asks the user first' : 'asks the user once');
  if (tool.requiresAuth) notes.push('needs a sign-in');
  if (tool.isDeprecated) notes.push('deprecated');
  if (tool.version !== undefined) notes.push(`version ${tool.version}`);
  return notes.length > 0 ? [`Note: ${notes.join(', ')}`] : [];
}

/** An example call: the schema's own, otherwise one with the required arguments. */
function exampleLine(schema: JsonSchema): string[] {
  const parameters = parametersOf(schema);
  if (parameters.length === 0) return [];
  const [given] = Array.isArray(schema.examples) ? schema.examples : [];
  const call = given ?? exampleOf(schema);
  const leavesOut = given === undefined && parameters.some(({ required }) => !required);
  return [`Example${leavesOut ? ' with required arguments' : ''}: ${JSON.stringify(call)}`];
}
