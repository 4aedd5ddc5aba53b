/** Turns pairs of strings into pairs of token lists over a vocabulary of the most common words. */
import { wordsOf } from '../../electron/core/search/vectors/word-model.ts';
import type { TextPair } from './data.ts';

export const kinds = ['package', 'query', 'tool', 'definition'] as const;

export interface Examples {
  /** Words by token number, most common first. */
  vocabulary: string[];
  /** The number of pairs that contain each word, for its inverse document frequency. */
  frequencies: Float32Array;
  /** All tokens. The left side of pair p starts at `starts[2 * p]`, its right side at `starts[2 * p + 1]`. */
  tokens: Int32Array;
  starts: Int32Array;
  /** The number of the group of each pair. */
  groups: Int32Array;
  /** The kind of each pair, as an index into `kinds`. */
  kinds: Uint8Array;
  size: number;
}

const maxWords = 60;

/** How much a pair counts toward the frequency of its words. */
const counted: Record<TextPair['kind'], number> = { package: 1, query: 2, tool: 2, definition: 1 / 3 };

/** Words in fewer pairs than `leastPairs` get no vector. */
export function createExamples(pairs: TextPair[], leastPairs: number, maxVocabulary: number): Examples {
  const split = pairs.map((pair) => [wordsOf(pair.left, maxWords), wordsOf(pair.right, maxWords)] as const);
  const counts = new Map<string, number>();
  split.forEach(([left, right], at) => {
    const weight = counted[(pairs[at] as TextPair).kind];
    for (const word of new Set([...left, ...right])) counts.set(word, (counts.get(word) ?? 0) + weight);
  });
  const vocabulary = [...counts]
    .filter(([word, count]) => count >= leastPairs && /\p{L}/u.test(word))
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, maxVocabulary)
    .map(([word]) => word);
  const numbers = new Map(vocabulary.map((word, at) => [word, at]));
  const groupNumbers = new Map<string, number>();
  const tokens: number[] = [];
  const starts: number[] = [];
  const groups: number[] = [];
  const kindNumbers: number[] = [];
  split.forEach(([left, right], at) => {
    const pair = pairs[at] as TextPair;
    const [leftTokens, rightTokens] = [left, right].map((words) =>
      words.map((word) => numbers.get(word)).filter((token) => token !== undefined),
    ) as [number[], number[]];
    if (rightTokens.length === 0 || leftTokens.length + rightTokens.length < 2) return;
    if (leftTokens.length === 0 && pair.kind !== 'package') return;
    starts.push(tokens.length, tokens.length + leftTokens.length);
    tokens.push(...leftTokens, ...rightTokens);
    const group = groupNumbers.get(pair.group) ?? groupNumbers.size;
    groupNumbers.set(pair.group, group);
    groups.push(group);
    kindNumbers.push(kinds.indexOf(pair.kind));
  });
  starts.push(tokens.length);
  return {
    vocabulary,
    frequencies: Float32Array.from(vocabulary, (word) => counts.get(word) as number),
    tokens: Int32Array.from(tokens),
    starts: Int32Array.from(starts),
    groups: Int32Array.from(groups),
    kinds: Uint8Array.from(kindNumbers),
    size: groups.length,
  };
}
