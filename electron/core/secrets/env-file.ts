/** Reads the `.env` format that Cursor, VS Code and others use for `envFile`. */
import { type EnvLine, parseEnvLine } from '../../../shared/env-line.ts';

/** Returns the names and values in `text`. Lines without a variable are skipped. */
export function parseEnvFile(text: string): Record<string, string> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return Object.fromEntries(
    lines.flatMap((line) => {
      const found = parseEnvLine(line);
      return found ? [[found.name, unescaped(found)]] : [];
    }),
  );
}

function unescaped({ value, quote }: EnvLine): string {
  return quote === '"' ? value.replaceAll('\\n', '\n').replaceAll('\\t', '\t') : value;
}
