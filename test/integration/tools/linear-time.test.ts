/**
 * A server supplies the strings that Toolkeep checks, so the time for each check must be linear in the length.
 *
 * @module-tag exhaustive
 */
import { expect, it } from 'vitest';
import { annotate } from '../../../electron/core/tools/assessment/annotate.ts';
import { findPoison } from '../../../electron/core/tools/assessment/poisoning.ts';
import { problemsOf } from '../../../electron/core/tools/discovery/validate.ts';
import { fingerprint } from '../../../electron/core/tools/fingerprint.ts';
import { firstSentence } from '../../../electron/core/tools/truncate.ts';
import { tool } from '../../fixtures/discovery-servers.ts';

const judges: Record<string, (text: string) => unknown> = {
  findPoison: (text) =>
    findPoison(tool('add', { description: text }), { others: new Map([['send_email', 'mail']]), own: new Set() }),
  annotate: (text) => annotate(tool('add', { description: text })),
  fingerprint: (text) => fingerprint(tool('add', { description: text })),
  validation: (text) => problemsOf(tool('add', { description: text })),
  summary: (text) => firstSentence(text),
};

/** Prefixes that a pattern may try at every position, and character classes that two quantifiers may share. */
const pieces = [
  ...[
    '\n',
    '\n\n',
    '\n ',
    ' ',
    ' \t',
    '\r\n',
    '<',
    '<!--',
    '!--',
    '--',
    '</',
    '<|',
    '[/',
    '#',
    'a',
    'A',
    '=',
    '_',
    '-',
  ],
  ...[
    'a_',
    'a-',
    'aB',
    'A0a/',
    'aA0+',
    '~/',
    '/.',
    '.ssh',
    '@',
    'a@',
    'a.a',
    '1',
    'é',
    '\u200b',
    '\u{1f3f4}',
    'я',
    'яa',
  ],
  ...[
    'ignore any ',
    'ignore ',
    'do not tell the ',
    'without ',
    'keep this ',
    'before using ',
    'instead of ',
    'overrides ',
  ],
  ...[
    'send to x ',
    'send x@',
    'read ',
    'include ',
    'new ',
    'your ',
    'any x ',
    'http ',
    'system ',
    'display:',
    'deprecated ',
  ],
];

const small = 4 * 1024;
const times = 32;
/**
 * The same text in one piece and in 32 parts: with linear time, both take equally long; with quadratic time, one piece
 * takes 32 times as long. A text that outgrows the processor's cache takes up to five times as long.
 */
const most = 10;

function msOf(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

it.each(Object.keys(judges))('%s takes linear time for hostile strings of any kind', (name) => {
  const judge = judges[name] as (text: string) => unknown;
  const filled = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  const ratios = pieces.map((piece) => {
    const [short, long] = [filled(piece, small), filled(piece, small * times)];
    let [inParts, whole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    // Below a millisecond, the resolution of the clock and garbage collection dominate.
    const ratio = () => whole / Math.max(inParts, 1);
    // A busy machine only adds time, so the minimum of many runs is the time of the check.
    for (let run = 0; run < 4 || (run < 40 && ratio() > most); run += 1) {
      const parts = () => Array.from({ length: times }, () => judge(short));
      inParts = Math.min(inParts, msOf(parts));
      whole = Math.min(
        whole,
        msOf(() => judge(long)),
      );
    }
    return { piece, ratio: ratio() };
  });
  const worst = ratios.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  console.log(
    `${name}: as much text in one piece takes ${worst.ratio.toFixed(1)} times as long at worst, for`,
    worst.piece,
  );
  expect(ratios.filter(({ ratio }) => ratio > most)).toEqual([]);
});
