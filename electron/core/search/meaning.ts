/** What the tools in the index mean, as vectors: which are near a question, whatever their words are. */
import type { Encoder } from './encoder.ts';
import type { SearchDoc } from './search-doc.ts';
import { splitWords } from './words.ts';

export interface Meaning {
  /** Remembers the tool for `understand`; it is not near to anything before that. */
  put(slot: number, doc: SearchDoc): void;
  remove(slot: number): void;
  /** Takes in what waits until the time is up (`performance.now()`). Says whether more waits. */
  understand(until: number): boolean;
  /** Undefined where the model knows nothing of the text. */
  of(text: string): Sense | undefined;
}

/** The meaning of a question. */
export interface Sense {
  /** Cosine of the angle to the tool, 0 where it is not positive. */
  closeness(slot: number): number;
  /** The closest of the tools that are accepted, none of them farther than `least`. */
  nearest(count: number, least: number, accepts: (slot: number) => boolean): number[];
}

/** A tool is told by its beginning; a question is as well. */
const mostLetters = { tool: 800, question: 500 };
/** How many that look near at first sight are measured, for one that is wanted. */
const oversight = 5;
/** How finely looks are told apart. */
const steps = 4096;

export function createMeaning(encoder: Encoder): Meaning {
  const { dimensions } = encoder;
  const codeBytes = Math.ceil(dimensions / 8);
  const waiting = new Map<number, string>();
  // A byte per dimension and one scale per tool: a quarter of the memory, and closeness within a hundredth.
  let bytes = new Int8Array(0);
  let scales = new Float32Array(0);
  // The signs alone, a bit per dimension: enough to see at once which tools cannot be near.
  let signs = new Uint8Array(0);
  let slots = 0;

  function makeRoom(slot: number): void {
    slots = Math.max(slots, slot + 1);
    if (slot < scales.length) return;
    const room = Math.max(64, slot * 2);
    bytes = grown(bytes, new Int8Array(room * dimensions));
    scales = grown(scales, new Float32Array(room));
    signs = grown(signs, new Uint8Array(room * codeBytes));
  }

  function keep(slot: number, vector: Float32Array): void {
    makeRoom(slot);
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    scales[slot] = largest / 127;
    vector.forEach((value, at) => {
      bytes[slot * dimensions + at] = Math.round((value / largest) * 127);
    });
    signs.fill(0, slot * codeBytes, (slot + 1) * codeBytes);
    vector.forEach((value, at) => {
      const place = slot * codeBytes + (at >> 3);
      if (value > 0) signs[place] = (signs[place] as number) | (1 << (at & 7));
    });
  }

  function closeness(vector: Float32Array, slot: number): number {
    const scale = scales[slot] ?? 0;
    if (scale === 0) return 0;
    let sum = 0;
    for (let at = 0, from = slot * dimensions; at < dimensions; at++)
      sum += (vector[at] as number) * (bytes[from + at] as number);
    return Math.max(0, sum * scale);
  }

  /** The accepted slots that look nearest by their signs: a sum looked up for every eight of them. */
  function likely(vector: Float32Array, count: number, accepts: (slot: number) => boolean): number[] {
    const sums = sumsOf(vector, codeBytes);
    const most = vector.reduce((sum, value) => sum + Math.abs(value), 0);
    const step = steps / (2 * most);
    const ranks = new Uint16Array(slots);
    const ends = new Int32Array(steps + 2);
    for (let slot = 0; slot < slots; slot++) {
      let look = most;
      for (let at = 0, from = slot * codeBytes; at < codeBytes; at++)
        look -= sums[at * 256 + (signs[from + at] as number)] as number;
      const rank = scales[slot] === 0 ? steps : Math.max(0, Math.min(steps - 1, Math.floor(look * step)));
      ranks[slot] = rank;
      ends[rank + 1] = (ends[rank + 1] as number) + 1;
    }
    for (let rank = 0; rank <= steps; rank++) ends[rank + 1] = (ends[rank + 1] as number) + (ends[rank] as number);
    const known = ends[steps] as number;
    const order = new Int32Array(slots);
    for (let slot = 0; slot < slots; slot++) {
      const rank = ranks[slot] as number;
      order[ends[rank] as number] = slot;
      ends[rank] = (ends[rank] as number) + 1;
    }
    // Whether one is accepted costs more than all of this, so only those are asked about that come into question.
    const found: number[] = [];
    for (let at = 0; at < known && found.length < count; at++) {
      const slot = order[at] as number;
      if (accepts(slot)) found.push(slot);
    }
    return found;
  }

  return {
    put(slot, doc) {
      waiting.set(slot, textOf(doc));
    },
    remove(slot) {
      waiting.delete(slot);
      if (slot < scales.length) scales[slot] = 0;
    },
    understand(until) {
      for (const [slot, text] of waiting) {
        waiting.delete(slot);
        const vector = encoder.encode(text);
        if (vector) keep(slot, vector);
        if (performance.now() > until) break;
      }
      return waiting.size > 0;
    },
    of(text) {
      const vector = encoder.encode(text.slice(0, mostLetters.question));
      return (
        vector && {
          closeness: (slot) => closeness(vector, slot),
          nearest: (count, least, accepts) =>
            likely(vector, count * oversight, accepts)
              .map((slot) => ({ slot, close: closeness(vector, slot) }))
              .filter(({ close }) => close >= least)
              .sort((a, b) => b.close - a.close || a.slot - b.slot)
              .slice(0, count)
              .map(({ slot }) => slot),
        }
      );
    },
  };
}

function textOf({ server, name, title, description, parameters }: SearchDoc): string {
  const named = [server, name, ...parameters.map((parameter) => parameter.name)].map((one) =>
    splitWords(one, 24).join(' '),
  );
  const [ofServer, ofTool, ...ofParameters] = named;
  return [ofServer, ofTool, title ?? '', description.slice(0, 500), ...ofParameters]
    .join(' ')
    .slice(0, mostLetters.tool);
}

/** For each eight dimensions and each pattern of their signs, what the vector adds up to under that pattern. */
function sumsOf(vector: Float32Array, codeBytes: number): Float32Array {
  const sums = new Float32Array(codeBytes * 256);
  for (let code = 0; code < codeBytes; code++) {
    for (let bit = 0; bit < 8; bit++) {
      const value = vector[code * 8 + bit] ?? 0;
      // Patterns with this bit as their highest: those without it, and twice the value.
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
