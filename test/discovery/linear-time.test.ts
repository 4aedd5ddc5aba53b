/** A server chooses the texts that are judged: none may take more than time in proportion to its length. */
import { expect, it } from 'vitest';
import { annotate, fingerprint } from '../../electron/core/discovery/discovery.ts';
import { findPoison } from '../../electron/core/discovery/poison.ts';
import { problemsOf } from '../../electron/core/discovery/validate.ts';
import { firstSentence } from '../../electron/core/toolbox/text.ts';
import { tool } from './servers.ts';

const judges: Record<string, (text: string) => unknown> = {
  findPoison: (text) =>
    findPoison(tool('add', { description: text }), { others: new Map([['send_email', 'mail']]), own: new Set() }),
  annotate: (text) => annotate(tool('add', { description: text })),
  fingerprint: (text) => fingerprint(tool('add', { description: text })),
  validation: (text) => problemsOf(tool('add', { description: text })),
  summary: (text) => firstSentence(text),
};

/** Beginnings that a pattern may try at every place of the text, and classes that two quantifiers could share. */
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

const small = 8 * 1024;
const times = 8;

/** Of processor time, which a busy machine does not lengthen; the least of some runs. */
function leastMs(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 4; run += 1) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

it.each(Object.keys(judges))('%s takes time in proportion to a hostile text, whatever it is made of', (name) => {
  const judge = judges[name] as (text: string) => unknown;
  const filled = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  const ratios = pieces.map((piece) => {
    const short = leastMs(() => judge(filled(piece, small)));
    const long = leastMs(() => judge(`${filled(piece, small * times)}`));
    // Below a tenth of a millisecond the clock and the collector decide.
    return { piece, ratio: long / Math.max(short, 0.1) };
  });
  const worst = ratios.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  console.log(
    `${name}: text ${times} times as long takes ${worst.ratio.toFixed(1)} times as long at worst, for`,
    worst.piece,
  );
  // In proportion would be 8, by the square 64.
  expect(ratios.filter(({ ratio }) => ratio > 3 * times)).toEqual([]);
});
