/**
 * Case-insensitive globs for tool names: `*`, `?`, `[a-z]`, `[!x]`, `{one,two}`, and `\` before a literal character.
 *
 * File glob libraries do not fit: their `*` does not match `.` and `..`, so a server could name a tool `..` to escape a
 * rule that disables everything, and they compile to backtracking expressions that a long name can stall.
 */

export type Token =
  | { kind: 'char'; char: string }
  | { kind: 'one' }
  | { kind: 'many' }
  | { kind: 'class'; text: string; negated: boolean; ranges: [string, string][] };

/** One brace-free alternative of a glob. */
export interface Glob {
  tokens: Token[];
  /** Longest run of literal characters: every string that matches contains it. */
  needle: string;
}

const maxAlternatives = 1000;

/** Parses a glob into its alternatives. Throws an Error that says what is wrong with the glob. */
export function parseGlob(source: string): Glob[] {
  return expandBraces(source.toLowerCase()).map((alternative) => {
    const tokens = tokenize(alternative);
    return { tokens, needle: longestRun(tokens) };
  });
}

/** Whether the glob matches `text`, which must be lowercase. Takes at most length × tokens steps. */
export function matchGlob({ tokens: glob, needle }: Glob, text: string): boolean {
  // A substring search quickly rejects most tools.
  if (!text.includes(needle)) return false;
  let at = 0;
  let token = 0;
  let starToken = -1;
  let starAt = 0;
  while (at < text.length) {
    const current = glob[token];
    if (current?.kind === 'many') {
      starToken = token;
      starAt = at;
      token += 1;
    } else if (current && matchesChar(current, text[at] as string)) {
      at += 1;
      token += 1;
    } else if (starToken >= 0) {
      // Only the last star needs to match more characters: extending an earlier star cannot help.
      starAt += 1;
      at = starAt;
      token = starToken + 1;
    } else return false;
  }
  while (glob[token]?.kind === 'many') token += 1;
  return token === glob.length;
}

/** Whether `outer` matches everything that `inner` matches. True is certain; false means not proven. */
export function coversGlob({ tokens: outer }: Glob, { tokens: inner }: Glob): boolean {
  // row[i]: the tokens of `outer` read so far can cover the first i tokens of `inner`.
  let row = inner.map(() => false);
  row.unshift(true);
  for (const token of outer) {
    const next = row.map(() => false);
    if (token.kind === 'many') {
      next[0] = row[0] ?? false;
      for (let i = 1; i <= inner.length; i += 1) next[i] = Boolean(row[i]) || Boolean(next[i - 1]);
    } else {
      for (let i = 1; i <= inner.length; i += 1)
        next[i] = Boolean(row[i - 1]) && coversToken(token, inner[i - 1] as Token);
    }
    row = next;
  }
  return row[inner.length] ?? false;
}

function longestRun(glob: Token[]): string {
  let best = '';
  let run = '';
  for (const token of glob) {
    run = token.kind === 'char' ? run + token.char : '';
    if (run.length > best.length) best = run;
  }
  return best;
}

/** The only string that a glob without wildcards matches. */
export function literalOf(glob: Glob): string | undefined {
  return glob.tokens.every((token) => token.kind === 'char') ? glob.needle : undefined;
}

function matchesChar(token: Token, char: string): boolean {
  if (token.kind === 'char') return token.char === char;
  if (token.kind === 'class') return token.ranges.some(([low, high]) => char >= low && char <= high) !== token.negated;
  return token.kind === 'one';
}

function coversToken(outer: Token, inner: Token): boolean {
  if (inner.kind === 'many') return false;
  if (inner.kind === 'char') return matchesChar(outer, inner.char);
  if (outer.kind === 'one') return true;
  return outer.kind === 'class' && inner.kind === 'class' && outer.text === inner.text;
}

function expandBraces(source: string): string[] {
  const open = findUnescaped(source, 0, '{');
  if (open < 0) return [source];
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let i = open; i < source.length; i += 1) {
    const char = source[i];
    if (char === '\\') i += 1;
    else if (char === '{') depth += 1;
    else if (char === ',' && depth === 1) {
      parts.push(source.slice(start, i));
      start = i + 1;
    } else if (char === '}') {
      depth -= 1;
      if (depth > 0) continue;
      parts.push(source.slice(start, i));
      const tails = expandBraces(source.slice(i + 1));
      const heads = parts.flatMap(expandBraces);
      if (heads.length * tails.length > maxAlternatives)
        throw new Error(`its braces expand to more than ${maxAlternatives} alternatives`);
      return heads.flatMap((head) => tails.map((tail) => source.slice(0, open) + head + tail));
    }
  }
  throw new Error('a "{" is not closed; write \\{ for a literal brace');
}

function tokenize(source: string): Token[] {
  const glob: Token[] = [];
  for (let i = 0; i < source.length; i += 1) {
    const char = source[i] as string;
    if (char === '*') {
      if (glob.at(-1)?.kind !== 'many') glob.push({ kind: 'many' });
    } else if (char === '?') glob.push({ kind: 'one' });
    else if (char === '[') {
      const end = findUnescaped(source, i + 2, ']');
      if (end < 0) throw new Error('a "[" is not closed; write \\[ for a literal bracket');
      glob.push(classOf(source.slice(i + 1, end)));
      i = end;
    } else if (char === '\\') {
      i += 1;
      if (i >= source.length) throw new Error('it ends with a single backslash');
      glob.push({ kind: 'char', char: source[i] as string });
    } else glob.push({ kind: 'char', char });
  }
  return glob;
}

function classOf(text: string): Token {
  const negated = /^[!^]/.test(text);
  const body = [...text.slice(negated ? 1 : 0).matchAll(/\\?(.)(?:-\\?(.))?/gs)];
  const ranges = body.map(([, low = '', high = low]): [string, string] => {
    if (low > high) throw new Error(`the range "${low}-${high}" is reversed`);
    return [low, high];
  });
  if (ranges.length === 0) throw new Error('a "[…]" is empty');
  return { kind: 'class', text, negated, ranges };
}

function findUnescaped(source: string, from: number, wanted: string): number {
  for (let i = from; i < source.length; i += 1) {
    if (source[i] === '\\') i += 1;
    else if (source[i] === wanted) return i;
  }
  return -1;
}
