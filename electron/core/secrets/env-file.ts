/** Reads the `.env` format that Cursor, VS Code and others use for `envFile`. */

/** Returns the names and values in `text`: `KEY=value`, `export KEY=value`, quotes, comments. Other lines are skipped. */
export function parseEnvFile(text: string): Record<string, string> {
  const pairs: [string, string][] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*(.*)$/.exec(line);
    if (match?.[1] !== undefined) pairs.push([match[1], unquoted(match[2] ?? '')]);
  }
  return Object.fromEntries(pairs);
}

function unquoted(text: string): string {
  const quote = text[0];
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, 1);
    if (end > 0) {
      const inner = text.slice(1, end);
      return quote === '"' ? inner.replaceAll('\\n', '\n').replaceAll('\\t', '\t') : inner;
    }
  }
  // A comment needs a preceding space, because passwords may contain `#`.
  const comment = text.search(/\s#/);
  return (comment < 0 ? text : text.slice(0, comment)).trim();
}
