/**
 * A short run of generated inputs; `npm run bench -- fuzz` runs more of them and measures the time.
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

it.each(areas)(
  'Generated $name cause no failure, leak no secret and pass no check wrongly',
  async (area) => {
    const { failures } = await fuzz(area, 1, Math.ceil(3_000 * area.share));
    expect(failures).toEqual([]);
    for (const seed of known[area.name] ?? []) expect((await fuzz(area, seed, 1)).failures).toEqual([]);
  },
  120_000,
);
