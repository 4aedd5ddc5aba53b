/** Says why a tool is held. */
import type { ToolView } from './model/tool.ts';

export type HeldReason = NonNullable<ToolView['held']>['reason'];

/** For agents and the terminal, after "It is held until the user accepts it: ". The window has its own sentences. */
export const heldBecause: Record<HeldReason, string> = {
  changed: 'its definition changed after the user accepted it',
  suspicious: 'its definition may try to mislead agents',
  new: 'its server added it after the user accepted the server',
};
