/** Splitting output into lines, for any chunks that the pipe delivers. */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter } from '../../../electron/core/jsonrpc/line-splitter.ts';
import { limits } from '../../../shared/limits.ts';

const line = fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\n', ''));

test('The lines do not depend on the chunks, even if a chunk ends within a character', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 100 }), fc.array(fc.nat({ max: 40 })), async (lines, cuts) => {
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
      const turns = Math.ceil(lines.length / limits.turn.lines);
      for (let turn = 1; turn < turns || seen.length < lines.length; turn += 1) await setImmediate();
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

test('A burst of lines is emitted in several turns, in order, and its source pauses meanwhile', async () => {
  const count = 10 * limits.turn.lines;
  const lines = Array.from({ length: count }, (_, at) => String(at));
  const seen: string[] = [];
  let inThisTurn = 0;
  let most = 0;
  const source = Readable.from([Buffer.from(`${lines.slice(0, -1).join('\n')}\n`), Buffer.from(String(count - 1))]);
  const splitter = createLineSplitter(
    1_000,
    {
      line(bytes) {
        seen.push(bytes.toString());
        if (inThisTurn === 0) global.setImmediate(() => (inThisTurn = 0));
        inThisTurn += 1;
        most = Math.max(most, inThisTurn);
        if (seen.length === limits.turn.lines + 1) expect(source.isPaused()).toBe(true);
      },
      tooLong: () => {},
    },
    source,
  );
  const { promise, resolve } = Promise.withResolvers<void>();
  source.on('data', splitter.push).on('end', () => {
    splitter.end();
    resolve();
  });
  await promise;
  expect(seen).toEqual(lines);
  expect(most).toBeLessThanOrEqual(limits.turn.lines);
});
