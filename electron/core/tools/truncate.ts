/** Shortens long strings. */
import type { ToolDefinition, ToolHead } from '../../../shared/model/tool.ts';

const maxSentence = 160;

/** The first sentence or line of a description, at most 160 characters. */
export function firstSentence(description: string): string {
  const line = description.trim().split('\n', 1)[0] ?? '';
  const end = line.search(/[.!?。！？](?:\s|$)/);
  const sentence = end >= 0 ? line.slice(0, end + 1) : line;
  return sentence.length > maxSentence ? `${sentence.slice(0, maxSentence - 1)}…` : sentence;
}

/** Copies the strings, because a substring would keep the whole description in memory. */
export function headOf({ name, title, description = '' }: ToolDefinition): ToolHead {
  return { title: title ?? name, summary: Buffer.from(firstSentence(description)).toString() };
}

/** `a, b, c and 4 more`. */
export function shortened(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
