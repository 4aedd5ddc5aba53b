/**
 * Generated inputs of all code that reads external data.
 *
 * @module-tag exhaustive
 */
import { expect, it } from 'vitest';
import { areas, fuzz } from '../fixtures/fuzz/fuzz.ts';

/** Seeds that failed before. */
const known: Record<string, number[]> = {
  'schemas × arguments': [73, 795, 6530],
  'configuration and client files': [423, 613, 20_288_355, 20_296_324, 653_361_648],
  addresses: [18, 21, 56, 20_271_153],
  'HTTP endpoint': [20_262_164],
};

/** CPU time for one input. On a quiet machine, none takes 50 ms; inputs that were once slow took seconds. */
const mostMs = 200;

it.each(areas)(
  'Generated $name cause no failure, leak no secret and pass no check wrongly',
  async (area) => {
    const { failures, longestMs } = await fuzz(area, 1, Math.ceil(3_000 * area.share));
    expect(failures).toEqual([]);
    expect(longestMs).toBeLessThan(mostMs);
    for (const seed of known[area.name] ?? []) expect((await fuzz(area, seed, 1)).failures).toEqual([]);
  },
  120_000,
);
