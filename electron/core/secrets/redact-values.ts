/** Redacts one connection's secrets in everything that its server prints or returns as an error. */
import type { Connection } from '../../../shared/model/server.ts';
import { plainSecrets } from './plain-secrets.ts';
import type { ResolvedConnection } from './resolve.ts';
import { looksSecret } from './secret-names.ts';
import { redaction, redactTokens } from './token-patterns.ts';

/** Redacting shorter values would hit ordinary words. */
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
  const forms = new Set(given.flatMap(formsOf).filter((form) => form.length >= minLength));
  const binary = [...new Set(given)].filter((value) => value.length >= minEncodedLength).map(asBinary);
  // Longest first, because a shorter value may be part of a longer one.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  const redactPlain = (text: string) => ordered.reduce((result, form) => result.replaceAll(form, redaction), text);
  return (text) => redactTokens(redactEncoded(redactPlain(text), binary));
}

/** Base64 or Base64url: longer than ordinary words, and not longer than a header with a secret. */
const encodedRun = /(?<![\w+/-])[\w+/-]{11,4096}={0,2}(?![\w+/=-])/g;
const isMixed = (run: string) => /[a-z]/.test(run) && /[A-Z]/.test(run);
const asBinary = (value: string) => Buffer.from(value).toString('latin1');

/** Redacts Base64 that contains a value, such as the user name and password of a `Basic` header. */
function redactEncoded(text: string, values: readonly string[]): string {
  if (values.length === 0) return text;
  // Searching all runs at once is far cheaper, and they hardly ever contain a value.
  const decodedRuns = (text.match(encodedRun) ?? []).flatMap(decodedParts).join('\n');
  const found = values.filter((value) => decodedRuns.includes(value));
  if (found.length === 0) return text;
  return text.replace(encodedRun, (run) =>
    decodedParts(run).some((part) => found.some((value) => part.includes(value))) ? redaction : run,
  );
}

/** The run and its parts, decoded. In a URL or path, the slash before Base64 is no part of it. */
function decodedParts(run: string): string[] {
  if (!isMixed(run)) return [];
  const parts = run.includes('/') ? [run, ...run.split('/').filter((part) => part.length >= minEncodedLength)] : [run];
  return parts.map((part) => Buffer.from(part, 'base64').toString('latin1'));
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
