/** A rough count of tokens, without the megabytes of a real tokenizer. */
import type { Tool } from '../../../shared/model/tool.ts';

const pieces = /[A-Za-z]+|\d+|\s+|[^\sA-Za-z\d\u0080-\uffff]+|[\u0080-\uffff]+/g;

/** Differs by about a tenth from the o200k tokenizer on tool definitions and answers, as `npm run bench -- tokens` checks. */
export function estimateTokens(text: string): number {
  let count = 0;
  for (const [piece] of text.matchAll(pieces)) count += tokensOf(piece);
  return Math.round(count * 0.93);
}

/** Longer text exceeds every budget of an answer. Estimating it would hold Core. */
const longest = 10_000;

/** The tokens of a text for a limited answer; Infinity if it is long. */
export const estimateShort = (text: string) =>
  text.length <= longest ? estimateTokens(text) : Number.POSITIVE_INFINITY;

/** The tokens of a tool's definition, which the catalog stores. Reading a definition parses it. */
export const toolTokens = (tool: Pick<Tool, 'tokens' | 'definition'>): number =>
  tool.tokens ?? definitionTokens(tool.definition);

/** The tokens of a tool's definition in a model's context. */
export function definitionTokens({ name, description, inputSchema }: Record<string, unknown>): number {
  return estimateTokens(JSON.stringify({ name, description, inputSchema }));
}

function tokensOf(piece: string): number {
  const code = piece.charCodeAt(0);
  if (code <= 32) return piece.length > 1 ? 1 : 0;
  if (code >= 128) return piece.length * 0.7;
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return Math.ceil(piece.length / (isLetter ? 9 : 3));
}
