/** Extracts parts of a long result: lines by number, matching lines, or one value of a JSON document. */
import { RE2JS } from 're2js';
import { fail } from '../../../shared/failure.ts';
import { createSlices, ownTurn } from '../async/slices.ts';
import { withinTime } from '../async/time-limit.ts';
import { isCostlyJson } from '../jsonrpc/parse-cost.ts';
import { followPointer } from '../tools/pointer.ts';
import type { JsonObject } from '../types.ts';

const linesAtOnce = 10_000;
/** A search runs in rounds, and Core does other work in between. After the last round, the answer says where to continue. */
const maxRounds = 4;
const roundMs = 30;
const maxExpression = 500;
const maxLine = 2_000;

/** Returns undefined if the arguments select no part. The caller then returns the next part. */
export async function excerptOf(text: string, { pointer, lines, grep, from }: JsonObject): Promise<string | undefined> {
  if (typeof pointer === 'string') return valueAt(text, pointer);
  if (typeof lines === 'string' || typeof lines === 'number') return linesAt(text, String(lines));
  if (typeof grep === 'string' && grep !== '') return matchesIn(text, grep, typeof from === 'number' ? from : 0);
  return undefined;
}

function valueAt(text: string, pointer: string): string {
  if (isCostlyJson(text)) throw fail('INPUT_INVALID', 'The result is too long for "pointer"; use "grep" or "lines".');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw fail('INPUT_INVALID', 'The result is not JSON; use "grep" or "lines".');
  }
  const value = followPointer(document, `#${pointer}`);
  if (value === undefined) throw fail('INPUT_INVALID', `The result has no value at ${JSON.stringify(pointer)}.`, hint);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const hint = { hint: 'A pointer looks like "/items/0/name"; "" is the whole document.' };

async function linesAt(text: string, range: string): Promise<string> {
  const found = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range.trim());
  const first = Number(found?.[1]);
  const last = found?.[2] === undefined ? first : Number(found[2]);
  if (!found || first < 1 || last < first)
    throw fail('INPUT_INVALID', '"lines" must be a range such as "10-40", counted from 1.');
  const start = await startOfLine(text, 0, first - 1);
  if (start === undefined) throw fail('INPUT_INVALID', `The result has fewer than ${first} lines.`);
  return text.slice(start, ((await startOfLine(text, start, last - first + 1)) ?? text.length + 1) - 1);
}

/** The offset after `count` line breaks; undefined if there are fewer. */
async function startOfLine(text: string, from: number, count: number): Promise<number | undefined> {
  const pause = createSlices();
  let at = from;
  for (let line = 0; line < count; line += 1) {
    if (line % linesAtOnce === 0) await pause();
    const end = text.indexOf('\n', at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  return at;
}

/** The matching lines, each with its number. */
async function matchesIn(text: string, expression: string, from: number): Promise<string> {
  if (expression.length > maxExpression)
    throw fail('INPUT_INVALID', `"grep" has ${expression.length} characters; the limit is ${maxExpression}.`);
  const found: string[] = [];
  let line = 1;
  let at = 0;
  const pause = createSlices();
  // Count the lines before `from` without searching them.
  for (let end = text.indexOf('\n'); end >= 0 && end < from; end = text.indexOf('\n', at)) {
    at = end + 1;
    line += 1;
    if (line % linesAtOnce === 0) await pause();
  }
  const start = at;
  let test: ((line: string) => boolean) | undefined;
  let isComplete = false;
  // Compiling and matching take time linear in the text, but the expression determines the factor.
  for (let round = 0; !isComplete && round < maxRounds; round += 1) {
    if (round > 0) await ownTurn();
    const done = withinTime(roundMs, () => {
      test ??= matcher(expression);
      while (at <= text.length) {
        const end = text.indexOf('\n', at);
        const stop = end < 0 ? text.length : end;
        const content = text.slice(at, Math.min(stop, at + maxLine));
        if (test(content)) found.push(`${line}: ${content}`);
        at = stop + 1;
        line += 1;
      }
      return true;
    });
    isComplete = done === true;
  }
  if (!isComplete && at === start)
    throw fail('INPUT_INVALID', `${JSON.stringify(expression)} takes too long; use a simpler expression.`);
  if (!isComplete && at < text.length)
    found.push(`[Searched up to character ${at} of ${text.length}. To continue, add "from": ${at}.]`);
  return found.length > 0 ? found.join('\n') : 'No line matches.';
}

/** Uses a linear-time engine. Searches for plain text if the engine does not support the expression. */
function matcher(expression: string): (line: string) => boolean {
  try {
    const compiled = RE2JS.compile(expression, RE2JS.CASE_INSENSITIVE);
    return (line) => compiled.matcher(line).find();
  } catch {
    const plain = expression.toLowerCase();
    return (line) => line.toLowerCase().includes(plain);
  }
}
