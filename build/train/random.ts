/** Pseudo-random numbers that are reproducible with a seed. */

export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number;
  /** A normally distributed number with mean 0 and standard deviation 1. */
  normal(): number;
  shuffle(values: Int32Array): void;
}

/** The generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    below,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    shuffle(values) {
      for (let at = values.length - 1; at > 0; at--) {
        const other = below(at + 1);
        const kept = values[at] as number;
        values[at] = values[other] as number;
        values[other] = kept;
      }
    },
  };
}
