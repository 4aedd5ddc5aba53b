/** Evidence of what a tool does, and the facts from its name on which other evidence depends. */
import type { Effect } from '../../../../shared/model/tool.ts';

export interface Evidence {
  effect: Effect;
  /** The reason that the user sees. */
  reason: string;
}

/** Facts from the tool's name, which determine how much its parameters count. */
export interface NameContext {
  /** True if the name clearly says that the tool reads or creates something, so that code in an argument is only data. */
  keepsCode: boolean;
  /** True if neither the name nor the description says what the tool does. */
  isUnknown: boolean;
  /** True if the name says that the tool changes something. */
  changes: boolean;
  /** True if the name says that the tool changes something that exists. */
  updates: boolean;
  /** True if the name says that the tool returns one thing, which its parameters select. */
  returns: boolean;
  text: string;
}
