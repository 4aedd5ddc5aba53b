/** Vectors by slot in 8 bits per dimension, with exact and nearest-neighbor similarity. */

export type QuantizedVectors = ReturnType<typeof createQuantizedVectors>;

/** Buckets of approximate distances. */
const steps = 4096;

export function createQuantizedVectors(dimensions: number) {
  const codeBytes = Math.ceil(dimensions / 8);
  // 8 bits per dimension and one scale per vector: a quarter of the memory, dot products within 0.01.
  let bytes = new Int8Array(0);
  let scales = new Float32Array(0);
  // Sign bits, for a fast approximate distance.
  let signs = new Uint8Array(0);
  let slots = 0;
  // Reused by all queries: the bucket of each slot, and the slots per bucket.
  let ranks = new Uint16Array(0);
  const counts = new Uint32Array(steps);

  function makeRoom(slot: number): void {
    slots = Math.max(slots, slot + 1);
    reserve(slot + 1);
  }

  /** Allocates at least `count` slots at once, because each smaller array stays in memory until it is collected. */
  function reserve(count: number): void {
    if (count <= scales.length) return;
    const room = Math.max(64, count, Math.ceil(scales.length * 1.5));
    bytes = grown(bytes, new Int8Array(room * dimensions));
    scales = grown(scales, new Float32Array(room));
    signs = grown(signs, new Uint8Array(room * codeBytes));
  }

  /** Fills `ranks` and `counts` with the approximate distances; one table lookup per eight dimensions. */
  function rankAll(vector: Float32Array): void {
    if (ranks.length < slots) ranks = new Uint16Array(scales.length);
    counts.fill(0);
    const most = vector.reduce((sum, value) => sum + Math.abs(value), 0);
    // Distances are whole numbers. The largest is `steps`.
    const step = (steps - 8 * codeBytes) / (2 * most);
    const sums = sumsOf(vector, codeBytes, step);
    countRanks(sums, { scales, signs, ranks, counts, slots, codeBytes });
  }

  /** The slots with `from` <= rank < `to`, nearest first. */
  function between(from: number, to: number): number[] {
    const found: number[] = [];
    for (let slot = 0; slot < slots; slot++) {
      const rank = ranks[slot] as number;
      if (rank >= from && rank < to) found.push(slot);
    }
    return found.sort((a, b) => (ranks[a] as number) - (ranks[b] as number) || a - b);
  }

  function setSigns(slot: number, vector: Float32Array | Int8Array): void {
    signs.fill(0, slot * codeBytes, (slot + 1) * codeBytes);
    for (let at = 0; at < dimensions; at++) {
      const place = slot * codeBytes + (at >> 3);
      if ((vector[at] as number) > 0) signs[place] = (signs[place] as number) | (1 << (at & 7));
    }
  }

  return {
    reserve,
    set(slot: number, vector: Float32Array): void {
      makeRoom(slot);
      const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      scales[slot] = largest / 127;
      setSigns(slot, vector);
      vector.forEach((value, at) => {
        bytes[slot * dimensions + at] = Math.round((value / largest) * 127);
      });
    },
    /** Sets a vector of length 1 from the bytes, which are proportional to it. Returns false if all are 0. */
    setBytes(slot: number, given: Int8Array): boolean {
      const square = given.reduce((sum, value) => sum + value * value, 0);
      if (square === 0) return false;
      makeRoom(slot);
      scales[slot] = 1 / Math.sqrt(square);
      setSigns(slot, given);
      bytes.set(given, slot * dimensions);
      return true;
    },
    delete(slot: number): void {
      if (slot < scales.length) scales[slot] = 0;
    },
    /** The bytes in the slot, which must not be empty. */
    bytesIn: (slot: number): Int8Array => bytes.subarray(slot * dimensions, (slot + 1) * dimensions),
    has: (slot: number): boolean => (scales[slot] ?? 0) > 0,
    /** The dot product with the vector in the slot; 0 for an empty slot. */
    dot(vector: Float32Array, slot: number): number {
      const scale = scales[slot] ?? 0;
      if (scale === 0) return 0;
      let sum = 0;
      for (let at = 0, from = slot * dimensions; at < dimensions; at++) {
        sum += (vector[at] as number) * (bytes[from + at] as number);
      }
      return sum * scale;
    },
    /** Adds `factor` times the vector in the slot to `sum`. */
    addTo(sum: Float32Array, slot: number, factor: number): void {
      const scale = factor * (scales[slot] ?? 0);
      if (scale === 0) return;
      for (let at = 0, from = slot * dimensions; at < dimensions; at++) {
        sum[at] = (sum[at] as number) + scale * (bytes[from + at] as number);
      }
    },
    /** About the `count` accepted slots nearest to the vector, by sign bits, best first. */
    approximateNearest(vector: Float32Array, count: number, accepts: (slot: number) => boolean): number[] {
      rankAll(vector);
      const found: number[] = [];
      let from = 0;
      // Needs several rounds if `accepts` rejects many slots. Calling it costs more than computing distances.
      for (let wanted = count; found.length < count && from < steps; wanted *= 4) {
        let to = from;
        for (let reached = 0; to < steps && reached < wanted; to++) reached += counts[to] as number;
        for (const slot of between(from, to)) if (found.length < count && accepts(slot)) found.push(slot);
        from = to;
      }
      return found;
    },
  };
}

interface Codes {
  scales: Float32Array;
  signs: Uint8Array;
  ranks: Uint16Array;
  counts: Uint32Array;
  slots: number;
  codeBytes: number;
}

/** The inner loop of a query. A separate function, because V8 does not keep a closure's variables in registers. */
function countRanks(sums: Int32Array, { scales, signs, ranks, counts, slots, codeBytes }: Codes): void {
  for (let slot = 0, from = 0; slot < slots; slot++, from += codeBytes) {
    if ((scales[slot] as number) === 0) {
      ranks[slot] = steps;
      continue;
    }
    let rank = steps >> 1;
    for (let at = 0; at < codeBytes; at++) rank -= sums[(at << 8) + (signs[from + at] as number)] as number;
    ranks[slot] = rank;
    counts[rank] = (counts[rank] as number) + 1;
  }
}

/** For each group of eight dimensions and each pattern of signs: the sum of the vector under that pattern, times `step`. */
function sumsOf(vector: Float32Array, codeBytes: number, step: number): Int32Array {
  const sums = new Int32Array(codeBytes * 256);
  for (let code = 0; code < codeBytes; code++) {
    for (let bit = 0; bit < 8; bit++) {
      const value = Math.round((vector[code * 8 + bit] ?? 0) * step);
      // Patterns with this bit as the highest derive from those without it.
      for (let pattern = 0; pattern < 1 << bit; pattern++) {
        const known = code * 256 + pattern;
        const sum = sums[known] as number;
        sums[known] = sum - value;
        sums[known + (1 << bit)] = sum + value;
      }
    }
  }
  return sums;
}

function grown<T extends Int8Array | Uint8Array | Float32Array>(before: T, after: T): T {
  after.set(before);
  return after;
}
