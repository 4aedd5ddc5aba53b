/** The confirmation of commands that change something: either a flag confirms the change, or the user does. */
import { GatehouseError } from '../../shared/failure.ts';
import { badArguments } from './exit.ts';
import { isYes, readLine } from './prompt.ts';
import type { Terminal } from './terminal.ts';

export interface Confirmation {
  /** A flag already confirms the change. */
  given: boolean;
  question: string;
  /** How a script confirms the change, for example "Pass --yes to import them". */
  how: string;
  /** With --json no preview is printed, so the user cannot confirm it. */
  json?: boolean;
}

/** Asks at a terminal. Fails with INPUT_INVALID elsewhere, so that a script never changes anything by mistake. */
export async function confirm(terminal: Terminal, { given, question, how, json }: Confirmation): Promise<boolean> {
  if (given) return true;
  if (terminal.canAsk && !json) return isYes(await readLine(terminal, `\n${question} [y/N] `));
  const reason = json ? '--json cannot ask for confirmation' : 'Not a terminal, so Gatehouse cannot ask';
  throw new GatehouseError(badArguments(`${reason}. Nothing was changed.`, `${how}, or --dry-run to preview.`));
}
