/** What several commands share: kinds of options, the examples below a help, and words that are no command. */
import { type Command, InvalidArgumentError } from 'commander';

/** Parses a whole number from 1 to `most`. */
export function wholeNumber(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  };
}

/** The examples below a command's help. */
export function examples(...lines: string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  gatehouse ${line}`)].join('\n');
}

/** For the command that a group runs when none is named: a word that is none must not count as its argument. */
export function refuseUnknownCommands(standard: Command): void {
  standard.allowExcessArguments().hook('preAction', () => {
    const [word] = standard.args;
    if (word !== undefined) standard.parent?.error(`error: unknown command '${word}'`);
  });
}
