/** Confirms commands that change something: by a flag, or by asking the user. */
import { badArguments } from './exit.ts';
import { isYes, readLine } from './prompt.ts';
import type { Terminal } from './terminal.ts';

interface Options {
  /** True if a flag already confirms the change. */
  yes?: boolean | undefined;
  dryRun?: boolean | undefined;
  /** With --json no preview is printed, so the user cannot be asked. */
  json?: boolean | undefined;
  /** False if the command has no --dry-run. */
  hasPreview?: boolean;
}

/**
 * Asks at a terminal. Elsewhere, fails with INPUT_INVALID, so that a script never changes anything by mistake.
 * `how` tells a script how to confirm the change, for example "Pass --yes to import them".
 */
export async function confirm(
  terminal: Terminal,
  { yes, dryRun, json, hasPreview = true }: Options,
  question: string,
  how: string,
): Promise<boolean> {
  if (dryRun) return false;
  if (yes) return true;
  if (terminal.canAsk && !json) return isYes(await readLine(terminal, `\n${question} [y/N] `));
  const reason = json ? '--json cannot ask for confirmation' : 'Not a terminal, so Toolkeep cannot ask';
  throw badArguments(`${reason}. Nothing was changed.`, `${how}${hasPreview ? ', or --dry-run to preview' : ''}.`);
}
