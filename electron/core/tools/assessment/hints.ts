/** Weighs a server's hints: a server may put the same hint on every tool. */
import type { ToolDefinition } from '../../../../shared/model/tool.ts';

export interface HintHabits {
  /** `destructiveHint` is on nearly all tools that are not read-only, so it tells nothing about one of them. */
  destructiveEverywhere: boolean;
}

export const noHabits: HintHabits = { destructiveEverywhere: false };

/** Fewer tools than this are too few to call it a habit. */
const fewestTools = 4;
/** Some servers leave it out on a login tool or two. */
const nearlyAll = 0.85;

export function hintHabits(definitions: readonly ToolDefinition[]): HintHabits {
  const acting = definitions.filter(({ annotations }) => annotations?.readOnlyHint !== true);
  const destructive = acting.filter(({ annotations }) => annotations?.destructiveHint === true);
  return { destructiveEverywhere: acting.length >= fewestTools && destructive.length >= nearlyAll * acting.length };
}
