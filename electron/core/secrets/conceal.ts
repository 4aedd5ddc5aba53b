/** Taking the secrets of one connection out of whatever its server says: servers like to print what they were given. */
import type { Connection } from '../../../shared/model.ts';
import { looksSecret } from './patterns.ts';
import { plainSecrets } from './plain-secrets.ts';
import type { ResolvedConnection } from './resolve.ts';
import { mask, maskTokens } from './tokens.ts';

/** Shorter ones would mask ordinary words. */
const leastLength = 4;
/** Names in the shell's environment are chosen by nobody in particular, so only values that cannot be words count. */
const leastInherited = 8;

/**
 * Masks every secret of `connection` by its exact value, also as it stands in URLs and JSON, and known tokens besides.
 * `inherited` is the environment that the server gets along with its own.
 */
export function concealer(
  connection: ResolvedConnection,
  inherited: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const { secrets = [], ...plain } = connection;
  const fromShell = Object.entries(inherited).flatMap(([name, value]) =>
    value !== undefined && value.length >= leastInherited && looksSecret(name, value) ? [value] : [],
  );
  const values = [...secrets, ...plainSecrets(plain as Connection).map(({ value }) => value), ...fromShell];
  const forms = new Set(values.flatMap(formsOf).filter((form) => form.length >= leastLength));
  // The longest first, so that none leaves the rest of another standing.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => maskTokens(ordered.reduce((masked, form) => masked.replaceAll(form, mask), text));
}

function formsOf(value: string): string[] {
  const lines = value.includes('\n') ? value.split(/\r?\n/).filter((line) => line.length >= 16) : [];
  return [value, encodeURIComponent(value), decoded(value), JSON.stringify(value).slice(1, -1), ...lines];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
