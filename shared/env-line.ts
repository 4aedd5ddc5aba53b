/** One line of the `.env` format: `KEY=value`, `export KEY=value`, quotes, comments. */

export interface EnvLine {
  name: string;
  /** Without its quotes or comment. */
  value: string;
  quote?: '"' | "'" | undefined;
}

/** Undefined for a line without a variable. */
export function parseEnvLine(line: string): EnvLine | undefined {
  const [, name, text = ''] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*(.*)$/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const [, quote, quoted] = /^(["'])((?:\\\1|(?!\1).)*)\1/.exec(text) ?? [];
  if (quoted !== undefined) return { name, value: quoted, quote: quote as EnvLine['quote'] };
  // A comment needs a preceding space, because passwords may contain `#`.
  const comment = text.search(/\s#/);
  return { name, value: (comment < 0 ? text : text.slice(0, comment)).trim() };
}
