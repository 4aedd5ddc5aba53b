/** Splitting output into lines, for any chunks that the pipe delivers. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter } from '../../../electron/core/jsonrpc/line-splitter.ts';

const line = fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\n', ''));

test('The lines do not depend on the chunks, even if a chunk ends within a character', () => {
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat({ max: 40 })), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const seen: string[] = [];
      const splitter = createLineSplitter(1_000_000, {
        line: (bytes) => void seen.push(bytes.toString()),
        tooLong: () => seen.push('too long'),
      });
      let from = 0;
      for (const cut of cuts) {
        splitter.push(bytes.subarray(from, from + cut));
        from += cut;
      }
      splitter.push(bytes.subarray(Math.min(from, bytes.length)));
      splitter.end();
      expect(seen).toEqual(lines.map((text) => Buffer.from(text).toString()));
    }),
  );
});

test('A last line without a line break is emitted, unless it is empty', () => {
  const seen: string[] = [];
  const splitter = createLineSplitter(100, { line: (bytes) => void seen.push(bytes.toString()), tooLong: () => {} });
  splitter.push(Buffer.from('one\ntw'));
  splitter.push(Buffer.from('o'));
  splitter.end();
  splitter.end();
  expect(seen).toEqual(['one', 'two']);
});

test('A line beyond the limit is reported once, and no further line is emitted', () => {
  const seen: string[] = [];
  const splitter = createLineSplitter(10, {
    line: (bytes) => void seen.push(bytes.toString()),
    tooLong: () => seen.push('too long'),
  });
  splitter.push(Buffer.from('0123456789\nabcdef'));
  splitter.push(Buffer.from('ghijk'));
  splitter.push(Buffer.from('more\nlines\n'));
  splitter.end();
  expect(seen).toEqual(['0123456789', 'too long']);
});
