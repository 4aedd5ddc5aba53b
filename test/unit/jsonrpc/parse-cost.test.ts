/** The estimate of how costly JSON is to parse, from its bytes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createParseCost, isCostlyJson } from '../../../electron/core/jsonrpc/parse-cost.ts';

const items = (count: number, item: (at: number) => unknown) => Array.from({ length: count }, (_, at) => item(at));
const list = (count: number, item: (at: number) => unknown) => `[${items(count, item).join(',')}]`;
const object = (count: number, member: (at: number) => unknown) => `{${items(count, member).join(',')}}`;

/** Each takes at most tens of milliseconds to parse. */
const ordinary: Record<string, string> = {
  'a table with 20,000 rows': list(20_000, (at) => `{"id":${at},"name":"name ${at}","city":"c${at % 300}","ok":true}`),
  '100,000 empty lists': list(100_000, () => '[]'),
  '4,900 levels': `["${'x'.repeat(18_000)}",${'['.repeat(4_900)}${']'.repeat(4_900)}]`,
  'a list of 500,000 numbers': list(500_000, (at) => at / 7),
  'megabytes of base64': JSON.stringify({ data: 'QUJD'.repeat(1_500_000) }),
  'megabytes of text with quotes': JSON.stringify({ text: 'He said: "a, b",\n{'.repeat(200_000) }),
  'JSON as text, whose keys are no keys': JSON.stringify({ text: object(300_000, (at) => `"key ${at}":${at}`) }),
};
/** Each takes at least 50 ms to parse or to read, and most take much longer. */
const costly: Record<string, string> = {
  'an object with 300,000 keys': object(300_000, (at) => `"key ${at}":${at}`),
  'keys with more than 64 characters': object(120_000, (at) => `"${'k'.repeat(64)}${at}":1`),
  'escaped keys': object(300_000, (at) => `"\\u0061${at}":1`),
  'many objects with keys in another order': list(100_000, (at) =>
    object(5, (key) => `"key ${Math.floor(Math.abs(Math.sin(at * 5 + key)) * 1e6) % 26}":1`),
  ),
  'many short strings': list(500_000, (at) => `"s${at}"`),
  'a message of 28 KB with more than 5,000 levels': `["${'x'.repeat(18_000)}",${'['.repeat(5_000)}${']'.repeat(5_000)}]`,
  'deeply nested lists': '['.repeat(1_000_000) + ']'.repeat(1_000_000),
  'deeply nested objects with new keys': `${items(100_000, (at) => `{"k${at}":`).join('')}1${'}'.repeat(100_000)}`,
};

describe('The cost of parsing', () => {
  it.each(Object.keys(ordinary))('is not too high for %s', (name) => {
    expect(isCostlyJson(ordinary[name] as string)).toBe(false);
  });

  it.each(Object.keys(costly))('is too high for %s', (name) => {
    expect(isCostlyJson(costly[name] as string)).toBe(true);
  });

  it('is too high for a text that is too long to estimate at once', () => {
    expect(isCostlyJson(`"${'x'.repeat(9_000_000)}"`)).toBe(true);
  });

  it('does not depend on the chunks in which the bytes arrive', () => {
    const texts = [...Object.values(ordinary), ...Object.values(costly)].map((text) => Buffer.from(text));
    const sizes = fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: texts.length - 1 }), sizes, (index, cycle) => {
        const bytes = texts[index] as Buffer;
        const cost = createParseCost();
        let part = 0;
        for (let from = 0; from < bytes.length && !cost.isTooHigh(); part += 1) {
          const size = Math.max(cycle[part % cycle.length] as number, bytes.length / 5_000);
          cost.add(bytes.subarray(from, from + size));
          from += Math.floor(size);
        }
        expect(cost.isTooHigh()).toBe(index >= Object.keys(ordinary).length);
      }),
      { numRuns: 40 },
    );
  });

  it('is that of the next value after a reset', () => {
    const cost = createParseCost();
    cost.add(Buffer.from(costly['many short strings'] as string));
    cost.reset();
    expect(cost.isTooHigh()).toBe(false);
    cost.add(Buffer.from(ordinary['a table with 20,000 rows'] as string));
    expect(cost.isTooHigh()).toBe(false);
  });
});
