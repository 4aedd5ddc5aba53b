/** The vectors of the indexed tools, and the search for the tools nearest to a query. */
import { glossesOf } from '../lexicon/glossary.ts';
import { splitWords } from '../lexicon/words.ts';
import type { SearchDoc } from '../search-doc.ts';
import type { VectorStore } from '../vector-store.ts';
import { type Encoder, toUnit } from './encoder.ts';
import { createQuantizedVectors, type QuantizedVectors } from './quantized-vectors.ts';

export type VectorIndex = ReturnType<typeof createVectorIndex>;

export type QueryVector = NonNullable<ReturnType<VectorIndex['queryVector']>>;

export interface VectorIndexOptions {
  /** Weight of a query word's context in the catalog, relative to the word itself; see `Tuning.context`. */
  context: number;
  /** Slots of the tools that contain the word. */
  slotsOf(word: string): { slots: Int32Array; size: number } | undefined;
  /** Vectors of earlier runs. */
  store?: Pick<VectorStore, 'find' | 'add'>;
}

/** Only the beginning of a tool and of a query is encoded. */
const maxCharacters = { tool: 800, description: 500, question: 500 };
/** Maximum number of tools whose vectors define the context of a word. */
const maxContextTools = 12;
/** If the model knows a smaller share of a query's words than this, vector similarity counts less. */
const leastKnown = 0.6;
/** Maximum number of contexts in the cache. */
const maxContexts = 2_000;

export function createVectorIndex({ context, slotsOf, store }: VectorIndexOptions) {
  const waiting = new Map<number, string>();
  /** A cache, cleared when a vector or posting may have changed. */
  const contexts = new Map<string, Float32Array | undefined>();
  let isClosed = false;
  let lastSlot = -1;
  let model: { encoder: Encoder; vectors: QuantizedVectors; total: Float32Array; size: number } | undefined;

  function drop(slot: number): void {
    waiting.delete(slot);
    contexts.clear();
    if (!model?.vectors.has(slot)) return;
    model.vectors.addTo(model.total, slot, -1);
    model.vectors.delete(slot);
    model.size--;
  }

  /**
   * The features that the tools with the word share, compared with the average tool, as a vector of length 1. Added to a query,
   * it moves the word toward its sense in this catalog.
   */
  function contextOf(word: string): Float32Array | undefined {
    const known = contexts.get(word);
    if (known !== undefined || contexts.has(word)) return known;
    const postings = slotsOf(word);
    if (!model || !postings || postings.size === 0) return undefined;
    const { vectors, total, size } = model;
    const sum = new Float32Array(total.length);
    const step = Math.max(1, postings.size / maxContextTools);
    let count = 0;
    for (let at = 0; at < postings.size; at += step) {
      vectors.addTo(sum, postings.slots[Math.floor(at)] as number, 1);
      count++;
    }
    for (let at = 0; at < sum.length; at++) {
      sum[at] = (sum[at] as number) - (count * (total[at] as number)) / Math.max(1, size);
    }
    const unit = toUnit(sum);
    if (contexts.size >= maxContexts) contexts.clear();
    contexts.set(word, unit);
    return unit;
  }

  /** Encodes the text unless its vector is stored. Returns true if the text has a vector. */
  function encodeInto(
    { encoder, vectors }: { encoder: Encoder; vectors: QuantizedVectors },
    slot: number,
    text: string,
  ) {
    const kept = store?.find(encoder.id, text);
    if (kept?.length === encoder.dimensions) return vectors.setBytes(slot, kept);
    const vector = encoder.encode(text);
    if (!vector) return false;
    vectors.set(slot, vector);
    store?.add(encoder.id, text, vectors.bytesIn(slot));
    return true;
  }

  function addContext(word: string, length: number, sum: Float32Array): void {
    const unit = contextOf(word);
    if (!unit) return;
    const factor = context * length;
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + factor * (unit[at] as number);
  }

  return {
    /** Starts the computation of vectors; undefined drops the queued tools, because there is no model. */
    setEncoder(encoder: Encoder | undefined): void {
      isClosed = encoder === undefined;
      if (isClosed) waiting.clear();
      if (!encoder) return;
      const vectors = createQuantizedVectors(encoder.dimensions);
      model = { encoder, vectors, total: new Float32Array(encoder.dimensions), size: 0 };
    },
    /** Queues the tool for `indexVectors`; it has no vector before that. */
    put(slot: number, doc: SearchDoc): void {
      contexts.clear();
      if (isClosed) return;
      waiting.set(slot, textOf(doc));
      lastSlot = Math.max(lastSlot, slot);
    },
    remove: drop,
    /** Computes vectors of queued tools until the time `until` (`performance.now()`). Returns whether more wait. */
    indexVectors(until: number): boolean {
      if (!model || waiting.size === 0) return false;
      contexts.clear();
      model.vectors.reserve(lastSlot + 1);
      for (const [slot, text] of waiting) {
        waiting.delete(slot);
        if (encodeInto(model, slot, text)) {
          model.vectors.addTo(model.total, slot, 1);
          model.size++;
        }
        if (performance.now() > until) break;
      }
      return waiting.size > 0;
    },
    /** Undefined when there is no encoder or it knows no word of the text. */
    queryVector(text: string) {
      if (!model) return undefined;
      const { encoder, vectors } = model;
      const question = text.slice(0, maxCharacters.question);
      let [words, known] = [0, 0];
      const vector = encoder.encode(`${question} ${glossesOf(question)}`, (word, length, sum) => {
        words++;
        if (length === 0) return;
        known++;
        if (context > 0) addContext(word, length, sum);
      });
      if (!vector) return undefined;
      // In another language, the few words that the model happens to know are misleading.
      const trust = words === 0 ? 1 : Math.min(1, known / words / leastKnown);
      const similarity = (slot: number) => trust * Math.max(0, vectors.dot(vector, slot));
      return {
        /** Cosine similarity to the tool, at least 0. */
        similarity,
        /** About the `count` nearest accepted tools, by a fast approximation. */
        candidates: (count: number, accepts: (slot: number) => boolean) =>
          vectors.approximateNearest(vector, count, accepts),
        /** The `count` nearest of the slots with a similarity of at least `least`, nearest first. */
        nearest: (slots: number[], count: number, least: number) =>
          mostSimilar(slots, similarity, least).slice(0, count),
      };
    },
  };
}

/** The slots with at least the similarity `least`, best first. */
function mostSimilar(slots: number[], similarity: (slot: number) => number, least: number): number[] {
  const rated = slots.map((slot) => ({ slot, value: similarity(slot) })).filter(({ value }) => value >= least);
  return rated.sort((a, b) => b.value - a.value || a.slot - b.slot).map(({ slot }) => slot);
}

function textOf({ server, name, title, description, parameters }: SearchDoc): string {
  const plain = (identifier: string) => splitWords(identifier, 24).join(' ');
  const text = description.slice(0, maxCharacters.description);
  const parameterNames = parameters.map((parameter) => plain(parameter.name));
  return [plain(server), plain(name), title ?? '', text, glossesOf(text), ...parameterNames]
    .join(' ')
    .slice(0, maxCharacters.tool);
}
