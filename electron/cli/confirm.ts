/** Confirms commands that change something: by a flag, or by asking the user. */
import { ToolkeepError } from '../../shared/failure.ts';
import { badArguments } from './exit.ts';
import { isYes, readLine } from './prompt.ts';
import type { Terminal } from './terminal.ts';

export interface Confirmation {
  /** True if a flag already confirms the change. */
  given: boolean;
  question: string;
  /** How a script confirms the change, for example "Pass --yes to import them". */
  how: string;
  /** With --json no preview is printed, so the user cannot be asked. */
  json?: boolean;
  /** False if the command has no --dry-run. */
  hasPreview?: boolean;
}

/** Asks at a terminal. Elsewhere, fails with INPUT_INVALID, so that a script never changes anything by mistake. */
export async function confirm(
  terminal: Terminal,
  { given, question, how, json, hasPreview = true }: Confirmation,
): Promise<boolean> {
  if (given) return true;
  if (terminal.canAsk && !json) return isYes(await readLine(terminal, `\n${question} [y/N] `));
  const reason = json ? '--json cannot ask for confirmation' : 'Not a terminal, so Toolkeep cannot ask';
  throw new ToolkeepError(
    badArguments(`${reason}. Nothing was changed.`, `${how}${hasPreview ? ', or --dry-run to preview' : ''}.`),
  );
}
