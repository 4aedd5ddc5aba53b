/** Reads a Docker MCP catalog: one YAML file, split into its entries before any is parsed, so that none can hold Core. */
import { Lexer, parse } from 'yaml';
import { fail } from '../../../../shared/failure.ts';
import { limits } from '../../../../shared/limits.ts';
import { createSlices } from '../../async/slices.ts';
import { parseEntry } from '../entry.ts';
import { fromDockerEntry } from './docker-entry.ts';
import { fetchText } from './fetch-entries.ts';

const linesAtOnce = 1000;

/** Catalogs are files; registries are the root of an API. */
export const isDockerCatalog = (url: string): boolean => /\.ya?ml$/i.test(URL.parse(url)?.pathname ?? '');

/** Adds each entry to `into` by name, in the form of other registries. Rejects with REGISTRY_UNREACHABLE. */
export async function fetchDockerCatalog(
  { url, signal }: { url: string; signal: AbortSignal },
  into: Map<string, string>,
): Promise<{ skipped: number }> {
  const { host } = new URL(url);
  const text = await fetchText(new URL(url), signal, limits.registry.pageBytes).catch((error: Error) => {
    throw fail('REGISTRY_UNREACHABLE', `${host} could not be read. ${error.message}`);
  });
  const slice = createSlices();
  let skipped = 0;
  let isCatalog = false;
  for (const found of entriesIn(text ?? '')) {
    await slice();
    if (!found) continue;
    const { key, body } = found;
    isCatalog = true;
    const line = body.length <= limits.registry.yamlEntryBytes ? lineOf(key, body) : undefined;
    const entry = line === undefined ? undefined : parseEntry(JSON.parse(line));
    if (entry && line !== undefined && into.size < limits.registry.entries) into.set(entry.name, line);
    else skipped += 1;
  }
  if (!isCatalog) throw fail('REGISTRY_UNREACHABLE', `${host} has no catalog at this address.`);
  return { skipped };
}

function lineOf(key: string, body: string): string | undefined {
  if (isDeep(body) || isDense(body)) return undefined;
  try {
    // Aliases could make a small text huge, and comparing all keys takes quadratic time.
    const options = { maxAliasCount: 0, uniqueKeys: false, logLevel: 'error' } as const;
    const item = fromDockerEntry(key, parse(body, options));
    const line = item && JSON.stringify(item);
    return line !== undefined && line.length <= limits.registry.entryBytes ? line : undefined;
  } catch {
    return undefined;
  }
}

/** Whether brackets are nested so deeply that parsing them would take long. Brackets in strings count, too. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > 32) return true;
  }
  return false;
}

/** Whether the text has many tokens for its length. The time to parse it depends on them, and on the errors among them. */
function isDense(text: string): boolean {
  let tokens = 0;
  for (const _token of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > limits.registry.yamlEntryTokens) return true;
  }
  return false;
}

/** The entries below `registry:`, by their indentation. Yields undefined after many lines, so that the caller can pause. */
export function* entriesIn(text: string): Generator<{ key: string; body: string } | undefined> {
  let isInside = false;
  let lines = 0;
  let key: string | undefined;
  let start = 0;
  for (let at = 0; at <= text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found;
    const line = text.slice(at, Math.min(end, at + 300)).trimEnd();
    const name = isInside ? /^ {2}(["']?)([\w.-]{1,100})\1:$/.exec(line)?.[2] : undefined;
    const isTop = /^[^\s#]/.test(line) && line !== '---';
    if ((name !== undefined || isTop) && key !== undefined) {
      yield { key, body: text.slice(start, at) };
      key = undefined;
    }
    if (isTop) isInside = /^registry:$/.test(line);
    if (name !== undefined) {
      key = name;
      start = end + 1;
    }
    at = end + 1;
    lines += 1;
    if (lines % linesAtOnce === 0) yield undefined;
  }
  if (key !== undefined) yield { key, body: text.slice(start) };
}
