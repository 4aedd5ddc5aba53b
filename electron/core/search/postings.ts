/** The inverted index: for each term the tools that have it and how strongly. Changed in place, never rebuilt. */
import type { SearchDoc } from './search-doc.ts';
import { type FieldName, fieldNames, type Tuning } from './tuning.ts';
import { isStopWord, splitWords, stemOf } from './words.ts';

/** A term and its postings: two parallel arrays, `size` of their room in use, in no order. */
export interface Term {
  text: string;
  slots: Int32Array;
  /** Frequency over all fields, weighted by field and normalised by its length. */
  strengths: Float32Array;
  size: number;
}

/** A tool in the index. */
export interface Entry {
  slot: number;
  key: string;
  /** Words of the name, joined; equal for `createIssue` and `create_issue`. */
  plainName: string;
  name: Term[];
  server: Term[];
  /** The description's terms in order. */
  description: Term[];
  terms: Term[];
  /** Terms that stand in tags or the category and nowhere else. */
  tagOnly: Term[];
}

export interface Postings {
  readonly entries: (Entry | undefined)[];
  readonly terms: ReadonlyMap<string, Term>;
  readonly size: number;
  /** Entries by `plainName`. */
  named(plainName: string): readonly Entry[];
  add(doc: SearchDoc): Entry;
  remove(entry: Entry): void;
}

/** Enough to find any honest tool; keeps a hostile description from filling the memory. */
const mostWords = {
  name: 24,
  title: 24,
  server: 12,
  description: 400,
  parameterNames: 200,
  parameterTexts: 600,
  tags: 60,
};

export function createPostings(tuning: Tuning): Postings {
  const entries: (Entry | undefined)[] = [];
  const free: number[] = [];
  const terms = new Map<string, Term>();
  const byName = new Map<string, Entry[]>();

  function termOf(text: string): Term {
    let term = terms.get(text);
    if (term === undefined) {
      term = { text, slots: new Int32Array(2), strengths: new Float32Array(2), size: 0 };
      terms.set(text, term);
    }
    return term;
  }

  function post(term: Term, slot: number, strength: number): void {
    if (term.size === term.slots.length) {
      const room = Math.ceil(term.size * 1.5) + 1;
      const slots = new Int32Array(room);
      slots.set(term.slots);
      const strengths = new Float32Array(room);
      strengths.set(term.strengths);
      term.slots = slots;
      term.strengths = strengths;
    }
    term.slots[term.size] = slot;
    term.strengths[term.size] = strength;
    term.size++;
  }

  function unpost(term: Term, slot: number): void {
    const at = term.slots.subarray(0, term.size).indexOf(slot);
    const last = --term.size;
    term.slots[at] = term.slots[last] as number;
    term.strengths[at] = term.strengths[last] as number;
    if (last === 0) terms.delete(term.text);
  }

  return {
    entries,
    terms,
    get size() {
      return entries.length - free.length;
    },
    named: (plainName) => byName.get(plainName) ?? [],

    add(doc) {
      const slot = free.pop() ?? entries.length;
      const strengths = new Map<Term, number>();
      const words = {} as Record<FieldName, Term[]>;
      const texts = textsOf(doc);
      for (const name of fieldNames) {
        const field = tuning.fields[name];
        const raw = splitWords(texts[name], mostWords[name]);
        if (name === 'name' && raw.length === 0) raw.push(doc.name.toLowerCase());
        const found = raw.filter((word) => name === 'name' || !isStopWord(word)).map((word) => termOf(stemOf(word)));
        words[name] = found;
        const one = field.weight / (1 - field.slope + field.slope * (found.length / field.pivot));
        for (const term of found) strengths.set(term, (strengths.get(term) ?? 0) + one);
      }
      for (const [term, strength] of strengths) post(term, slot, strength);
      const elsewhere = new Set(fieldNames.filter((name) => name !== 'tags').flatMap((name) => words[name]));
      const entry: Entry = {
        slot,
        key: doc.key,
        plainName: splitWords(doc.name, mostWords.name).join(' '),
        name: words.name,
        server: words.server,
        description: words.description,
        terms: [...strengths.keys()],
        tagOnly: words.tags.filter((term) => !elsewhere.has(term)),
      };
      entries[slot] = entry;
      byName.set(entry.plainName, [...(byName.get(entry.plainName) ?? []), entry]);
      return entry;
    },

    remove(entry) {
      for (const term of entry.terms) unpost(term, entry.slot);
      entries[entry.slot] = undefined;
      free.push(entry.slot);
      const same = (byName.get(entry.plainName) ?? []).filter((other) => other !== entry);
      if (same.length > 0) byName.set(entry.plainName, same);
      else byName.delete(entry.plainName);
    },
  };
}

function textsOf(doc: SearchDoc): Record<FieldName, string> {
  return {
    name: doc.name,
    title: doc.title ?? '',
    server: doc.server,
    description: doc.description,
    parameterNames: doc.parameters.map((parameter) => parameter.name).join(' '),
    parameterTexts: doc.parameters.map((parameter) => parameter.description).join(' '),
    tags: [...doc.tags, doc.category ?? ''].join(' '),
  };
}
