/** Placeholders in a connection: which there are, and what they stand for at connect time. */

export type Placeholder =
  | { kind: 'variable'; name: string; fallback?: string }
  | { kind: 'secret'; name: string }
  | { kind: 'input'; name: string }
  | { kind: 'file'; path: string }
  | { kind: 'home' }
  | { kind: 'base' }
  | { kind: 'separator' };

const pattern = /\$\{([^{}]{1,1000})\}/g;

/** Reads what stands between `${` and `}`; undefined when it is not ours, so that it stays as it is. */
export function parsePlaceholder(inner: string): Placeholder | undefined {
  const text = inner.trim();
  if (text === 'userHome' || text === 'HOME_DIR') return { kind: 'home' };
  if (text === 'workspaceFolder') return { kind: 'base' };
  if (text === 'pathSeparator' || text === '/') return { kind: 'separator' };
  if (text.startsWith('secret:')) return { kind: 'secret', name: text.slice(7) };
  if (text.startsWith('input:')) return { kind: 'input', name: text.slice(6) };
  if (text.startsWith('file:')) return { kind: 'file', path: text.slice(5) };
  const variable = /^(?:env:)?([A-Za-z_][A-Za-z0-9_().]*)(?::-?([\s\S]*))?$/.exec(text);
  if (!variable?.[1]) return undefined;
  // `${VAR:-d}` and VS Code's `${env:VAR:d}` both give a default; `${command:x}` and the like are not variables.
  const hasFallback = variable[2] !== undefined;
  if (hasFallback && !text.includes(':-') && !text.startsWith('env:')) return undefined;
  return { kind: 'variable', name: variable[1], ...(hasFallback ? { fallback: variable[2] as string } : {}) };
}

/** Every placeholder in `text`, in order. */
export function placeholdersIn(text: string): Placeholder[] {
  return [...text.matchAll(pattern)].flatMap(([, inner = '']) => parsePlaceholder(inner) ?? []);
}

/** `text` with every placeholder replaced by what `lookUp` gives; undefined leaves it as written. */
export function replacePlaceholders(text: string, lookUp: (placeholder: Placeholder) => string | undefined): string {
  return text.replace(pattern, (whole, inner: string) => {
    const placeholder = parsePlaceholder(inner);
    return (placeholder && lookUp(placeholder)) ?? whole;
  });
}
