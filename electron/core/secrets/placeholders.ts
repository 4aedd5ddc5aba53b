/** Parses the placeholders in a connection, such as `${VAR}` and `${secret:name}`. */
import { isReference } from './password-managers.ts';

export type Placeholder =
  | { kind: 'variable'; name: string; fallback?: string }
  | { kind: 'secret'; name: string }
  | { kind: 'input'; name: string }
  | { kind: 'file'; path: string }
  | { kind: 'reference'; to: string }
  | { kind: 'home' }
  | { kind: 'base' }
  | { kind: 'separator' }
  | { kind: 'dollar' }
  | { kind: 'node' };

const pattern = /\$\{([^{}]{1,1000})\}/g;

/** Parses the text between `${` and `}`; undefined for syntax that Toolkeep does not resolve. */
export function parsePlaceholder(inner: string): Placeholder | undefined {
  const text = inner.trim();
  if (text === 'userHome' || text === 'HOME_DIR') return { kind: 'home' };
  if (text === 'workspaceFolder') return { kind: 'base' };
  if (text === 'pathSeparator' || text === '/') return { kind: 'separator' };
  if (text === 'toolkeep:node') return { kind: 'node' };
  if (text === '$') return { kind: 'dollar' };
  if (isReference(text)) return { kind: 'reference', to: text };
  if (text.startsWith('secret:')) return { kind: 'secret', name: text.slice(7) };
  if (text.startsWith('input:')) return { kind: 'input', name: text.slice(6) };
  if (text.startsWith('file:')) return { kind: 'file', path: text.slice(5) };
  const variable = /^(?:env:)?([A-Za-z_][A-Za-z0-9_().]*)(?::-?([\s\S]*))?$/.exec(text);
  if (!variable?.[1]) return undefined;
  // `${VAR:-d}` and VS Code's `${env:VAR:d}` both have a default. `${command:x}` and similar are not variables.
  const hasFallback = variable[2] !== undefined;
  if (hasFallback && !text.includes(':-') && !text.startsWith('env:')) return undefined;
  return { kind: 'variable', name: variable[1], ...(hasFallback ? { fallback: variable[2] as string } : {}) };
}

/** Escapes a text so that resolving its placeholders returns the text unchanged: `${X}` becomes `${$}{X}`. */
export function escapePlaceholders(text: string): string {
  return text.replaceAll('${', '${$}{');
}

/** Returns every placeholder in `text`, in order. */
export function placeholdersIn(text: string): Placeholder[] {
  return [...text.matchAll(pattern)].flatMap(([, inner = '']) => parsePlaceholder(inner) ?? []);
}

/** Replaces each placeholder in `text` with the result of `lookUp`; undefined leaves the placeholder unchanged. */
export function replacePlaceholders(text: string, lookUp: (placeholder: Placeholder) => string | undefined): string {
  return text.replace(pattern, (whole, inner: string) => {
    const placeholder = parsePlaceholder(inner);
    return (placeholder && lookUp(placeholder)) ?? whole;
  });
}
