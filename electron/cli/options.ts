/** Shared by several commands: option parsers, the examples in the help text, and the check for unknown subcommands. */
import { type Command, InvalidArgumentError } from 'commander';

/** Parses a whole number from 1 to `maximum`. */
export function wholeNumber(maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1 && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${maximum}.`);
  };
}

/** The examples to show below a command's help. */
export function examples(...lines: string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  toolkeep ${line}`)].join('\n');
}

export const readToolHelp = 'also offer read_tool, which runs only tools that read';

/** Makes a group's default command reject unknown subcommands instead of accepting them as arguments. */
export function refuseUnknownCommands(standard: Command): void {
  standard.allowExcessArguments().hook('preAction', () => {
    const [word] = standard.args;
    if (word !== undefined) standard.parent?.error(`error: unknown command '${word}'`);
  });
}
