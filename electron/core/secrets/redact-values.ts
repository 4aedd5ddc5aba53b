/** Redacts one connection's secrets in everything that its server prints or returns as an error. */
import { decodedUri } from '../../../shared/decoded-uri.ts';
import type { Connection } from '../../../shared/model/server.ts';
import { encodedForms, redactEncoded } from './base64.ts';
import { plainSecrets } from './plain-secrets.ts';
import type { ResolvedConnection } from './resolve.ts';
import { looksSecret } from './secret-names.ts';
import { redaction, redactTokens } from './token-patterns.ts';

/** Redacting shorter values would also redact ordinary words. */
const minLength = 4;
/** Shorter values could occur in Base64 by chance. */
const minEncodedLength = 6;
/** Names in the shell environment are weak evidence, so only values that are unlikely to be words count. */
const minInheritedLength = 8;

/**
 * Returns a function that redacts every secret of `connection` by its exact value, including its URL-encoded and JSON
 * forms, and tokens of known shapes. `inherited` is the environment that the server inherits.
 */
export function createRedactor(
  connection: ResolvedConnection,
  inherited: Readonly<Record<string, string | undefined>>,
): (text: string) => string {
  const { secrets = [], ...plain } = connection;
  const fromShell = Object.entries(inherited).flatMap(([name, value]) =>
    value !== undefined && value.length >= minInheritedLength && looksSecret(name, value) ? [value] : [],
  );
  const values = [...secrets, ...plainSecrets(plain as Connection).map(({ value }) => value), ...fromShell];
  return createValueRedactor(values);
}

const redactors = new WeakMap<Connection, (text: string) => string>();

/** Returns a function that redacts the secrets that a configuration has in plain text. */
export function redactorOf(connection: Connection): (text: string) => string {
  const redactor = redactors.get(connection) ?? createValueRedactor(plainSecrets(connection).map(({ value }) => value));
  redactors.set(connection, redactor);
  return redactor;
}

/**
 * Returns a function that redacts `values` wherever they occur, in plain, URL-encoded, JSON or Base64 form, and known tokens.
 */
export function createValueRedactor(values: Iterable<string>): (text: string) => string {
  const given = [...values];
  if (given.length === 0) return redactTokens;
  const forms = new Set(given.flatMap(formsOf).filter((form) => form.length >= minLength));
  const encoded = [...new Set(given.filter((value) => value.length >= minEncodedLength).flatMap(encodedForms))];
  // Longest first, because a shorter value may be part of a longer one.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  const redactPlain = (text: string) => ordered.reduce((result, form) => result.replaceAll(form, redaction), text);
  return (text) => redactTokens(redactEncoded(redactPlain(text), encoded));
}

function formsOf(value: string): string[] {
  const lines = value.includes('\n') ? value.split(/\r?\n/).filter((line) => line.length >= 16) : [];
  return [value, encodeURIComponent(value), decodedUri(value), JSON.stringify(value).slice(1, -1), ...lines];
}
