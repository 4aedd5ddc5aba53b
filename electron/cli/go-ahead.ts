/** One rule for commands that change something: what a flag asked for is done, everything else a person says yes to. */
import { GatehouseError } from '../../shared/failure.ts';
import { isYes, readLine } from './ask.ts';
import { badArguments } from './exit.ts';
import type { Terminal } from './terminal.ts';

export interface GoAhead {
  /** A flag says so already. */
  given: boolean;
  question: string;
  /** How a script says so, for example "Add --yes". */
  how: string;
  /** Only JSON is printed, so there is nothing to see that one could say yes to. */
  json?: boolean | undefined;
}

/** Asks where there is a person; fails with INPUT_INVALID where there is none, so that no script goes on by mistake. */
export async function mayGoAhead(terminal: Terminal, { given, question, how, json }: GoAhead): Promise<boolean> {
  if (given) return true;
  if (terminal.canAsk && !json) return isYes(await readLine(terminal, `\n${question} [y/N] `));
  const why = json ? 'With --json nobody is asked' : 'There is nobody to ask: this is no terminal';
  throw new GatehouseError(badArguments(`${why}, so nothing was changed.`, `${how}, or --dry-run to look only.`));
}
