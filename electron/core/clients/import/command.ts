/** Normalizes command lines: shell wrappers, a whole command line in one string, and quotes. Pure. */

export interface Unwrapped {
  argv: string[];
  note?: string;
}

/** Removes `cmd /c` and splits a command line in one string. `argsWereText`: the arguments were one string. */
export function unwrapCommand(argv: string[], argsWereText = false): Unwrapped {
  const [program = '', ...args] = argv.map((part, index) => (index === 0 ? part.trim() : part));
  const base = program.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
  if (base === 'cmd' || base === 'cmd.exe') {
    const at = args.findIndex((arg) => /^\/[ck]$/i.test(arg));
    const inner = args.slice(at + 1);
    if (at >= 0 && inner.length > 0) {
      return { argv: inner.length === 1 ? splitCommandLine(inner[0] as string) : inner };
    }
  }
  if (argsWereText && args.length === 1) {
    return {
      argv: [program, ...splitCommandLine(args[0] as string)],
      note: 'The arguments were a single string; they were split at spaces.',
    };
  }
  // In "npx -y thing", no slash precedes the first space; in a path with spaces, one does.
  const space = program.search(/\s/);
  if (args.length === 0 && space > 0 && !/[\\/]/.test(program.slice(0, space))) {
    return {
      argv: splitCommandLine(program),
      note: 'The command was a whole command line; it was split at spaces.',
    };
  }
  return { argv: [program, ...args] };
}

/** Splits at spaces outside quotes. Keeps backslashes, which are path separators on Windows. */
export function splitCommandLine(line: string): string[] {
  const parts: string[] = [];
  let current = '';
  let quote = '';
  let open = false;
  for (const char of line) {
    if (quote !== '') {
      if (char === quote) quote = '';
      else current += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      open = true;
    } else if (/\s/.test(char)) {
      if (open || current !== '') parts.push(current);
      current = '';
      open = false;
    } else current += char;
  }
  if (open || current !== '') parts.push(current);
  return parts;
}
