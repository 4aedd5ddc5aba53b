/** The inverted index: for each term the tools that have it and how strongly. Changed in place, never rebuilt. */
import type { SearchDoc } from './search-doc.ts';
import { type Alike, createSpellings } from './spellings.ts';
import { synonymsOf } from './synonyms.ts';
import { type FieldName, fieldNames, type Tuning } from './tuning.ts';
import { isStopWord, joinedWords, splitWords, stemOf } from './words.ts';

/** A term and its postings: two parallel arrays, `size` of their room in use, in no order. */
export interface Term {
  readonly text: string;
  slots: Int32Array;
  /** Frequency over all fields, weighted by field and normalised by its length. */
  strengths: Float32Array;
  size: number;
  /** Marks of the query that runs: which of its terms this one stands for (-1: none), and how well (0 to 1). */
  askedAs: number;
  askedBy: number;
}

/** A tool in the index. */
export interface Entry {
  readonly slot: number;
  readonly key: string;
  /** Words of the name, joined; equal for `createIssue` and `create_issue`. */
  readonly plainName: string;
  /** The same with the server's words before. */
  readonly plainPath: string;
  readonly name: readonly Term[];
  readonly server: readonly Term[];
  /** The description's first terms in order. */
  readonly description: readonly Term[];
  /** Every term once. */
  readonly terms: readonly Term[];
  /** Terms that stand in tags or the category and nowhere else. */
  readonly tagOnly: ReadonlySet<Term> | undefined;
}

export interface Postings {
  /** By slot; a hole where a tool was taken out. */
  readonly entries: readonly (Entry | undefined)[];
  readonly size: number;
  term(text: string): Term | undefined;
  /** The term that two words make when they are written as one. */
  joined(first: string, second: string): Term | undefined;
  /** The terms that may stand for the word of this stem. */
  synonyms(stem: string): readonly Term[];
  /** Terms that begin with the letter, of the length. */
  alike(letter: string, length: number): Alike<Term>;
  /** Entries whose `plainName` or `plainPath` this is. */
  named(plain: string): Iterable<Entry>;
  add(doc: SearchDoc): Entry;
  remove(entry: Entry): void;
}

/** Enough to find any honest tool; keeps a hostile description from filling the memory. */
const mostWords: Record<FieldName, number> = {
  name: 24,
  title: 24,
  server: 12,
  description: 300,
  parameterNames: 120,
  parameterTexts: 400,
  tags: 60,
};
/** How far into the description phrases are looked for. */
const phraseReach = 48;

export function createPostings(tuning: Tuning): Postings {
  const entries: (Entry | undefined)[] = [];
  const free: number[] = [];
  const terms = new Map<string, Term>();
  const spellings = createSpellings<Term>();
  /** Those that queries asked for since a term came or went; at most as many as the table of synonyms has words. */
  const synonyms = new Map<string, readonly Term[]>();
  /** Lists, not sets: most names have one tool, and thousands of small sets are the larger part of an index. */
  const byName = new Map<string, Entry[]>();

  function termOf(text: string): Term {
    const known = terms.get(text);
    if (known !== undefined) return known;
    const room = { slots: new Int32Array(1), strengths: new Float32Array(1) };
    const term: Term = { text, ...room, size: 0, askedAs: -1, askedBy: 0 };
    terms.set(text, term);
    spellings.add(term);
    synonyms.clear();
    return term;
  }

  return {
    entries,
    get size() {
      return entries.length - free.length;
    },
    term: (text) => terms.get(text),
    joined: (first, second) => (spellings.mayBegin(first, second) ? terms.get(stemOf(first + second)) : undefined),
    synonyms(stem) {
      const known = synonyms.get(stem);
      if (known) return known;
      const stems = synonymsOf(stem);
      const found = stems.map((one) => terms.get(one)).filter((term) => term !== undefined);
      if (stems.length > 0) synonyms.set(stem, found);
      return found;
    },
    alike: spellings.alike,
    named: (plain) => byName.get(plain) ?? [],

    add(doc) {
      const slot = free.pop() ?? entries.length;
      const words = {} as Record<FieldName, Term[]>;
      const strengths = new Map<Term, number>();
      const texts = textsOf(doc);
      for (const name of fieldNames) {
        const { weight, pivot, slope } = tuning.fields[name];
        const split = splitWords(texts[name], mostWords[name]);
        // A name may be nothing but stop words (`get_all`); elsewhere they say nothing.
        const kept = name === 'name' ? split : split.filter((word) => !isStopWord(word));
        const found = kept.map((word) => termOf(stemOf(word)));
        const one = weight / (1 - slope + (slope * found.length) / pivot);
        // `GitHub` is two words to the splitter; who asks for "github" must find it too.
        const joined = joinedWords(texts[name], mostWords[name]).map((word) => termOf(stemOf(word)));
        for (const term of [...found, ...joined]) strengths.set(term, (strengths.get(term) ?? 0) + one);
        words[name] = found;
      }
      for (const [term, strength] of strengths) post(term, slot, strength);
      const plainName = splitWords(doc.name, mostWords.name).join(' ');
      const entry: Entry = {
        slot,
        key: doc.key,
        plainName,
        plainPath: `${splitWords(doc.server, mostWords.server).join(' ')} ${plainName}`,
        name: words.name,
        server: words.server,
        description: words.description.slice(0, phraseReach),
        terms: [...strengths.keys()],
        tagOnly: onlyInTags(words),
      };
      entries[slot] = entry;
      for (const name of [entry.plainName, entry.plainPath]) {
        const known = byName.get(name);
        if (known) known.push(entry);
        else byName.set(name, [entry]);
      }
      return entry;
    },

    remove(entry) {
      for (const term of entry.terms) {
        unpost(term, entry.slot);
        if (term.size > 0) continue;
        terms.delete(term.text);
        spellings.remove(term);
        synonyms.clear();
      }
      entries[entry.slot] = undefined;
      free.push(entry.slot);
      for (const name of [entry.plainName, entry.plainPath]) {
        const left = (byName.get(name) ?? []).filter((one) => one !== entry);
        if (left.length > 0) byName.set(name, left);
        else byName.delete(name);
      }
    },
  };
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

function onlyInTags(words: Record<FieldName, Term[]>): ReadonlySet<Term> | undefined {
  if (words.tags.length === 0) return undefined;
  const elsewhere = new Set(fieldNames.filter((name) => name !== 'tags').flatMap((name) => words[name]));
  return new Set(words.tags.filter((term) => !elsewhere.has(term)));
}
