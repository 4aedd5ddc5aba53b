/** The inverted index: the tools that contain each term, with weighted frequencies. Updated in place, never rebuilt. */

import { isActionVerb } from '../lexicon/action-verbs.ts';
import { glossesOf } from '../lexicon/glossary.ts';
import { createSpellings } from '../lexicon/spellings.ts';
import { synonymsOf } from '../lexicon/synonyms.ts';
import { isStopWord, joinedWords, splitWords, stemOf } from '../lexicon/words.ts';
import type { SearchDoc } from '../search-doc.ts';
import { type FieldName, fieldNames, type Tuning } from '../tuning.ts';

/** A term and its postings: two parallel unordered arrays, of which the first `size` elements are in use. */
export interface Term {
  readonly text: string;
  slots: Int32Array;
  /** Frequency over all fields, weighted by field and normalized by field length. */
  strengths: Float32Array;
  size: number;
  /** Set while a query runs: the query term that this term matches (-1: none), and how well (0 to 1). */
  queryTerm: number;
  matchFactor: number;
}

/** A tool in the index. */
export interface Entry {
  readonly slot: number;
  readonly key: string;
  /** The words of the name joined by spaces; equal for `createIssue` and `create_issue`. */
  readonly plainName: string;
  /** The words of the server name, then those of the name. */
  readonly plainPath: string;
  readonly name: readonly Term[];
  readonly server: readonly Term[];
  readonly isDangerous: boolean;
  /** The terms of the name that are action verbs; none for a tool that only reads. */
  readonly actions: readonly Term[];
  /** The first terms of the description in order, for phrase matching. */
  readonly description: readonly Term[];
  /** Each distinct term once. */
  readonly terms: readonly Term[];
  /** Terms that occur in tags or the category and in no other field. */
  readonly tagOnly: readonly Term[];
}

export type Postings = ReturnType<typeof createPostings>;

/** Limits the memory that one hostile description can use. Ordinary tools stay below these limits. */
const maxWords: Record<FieldName, number> = {
  name: 24,
  title: 24,
  server: 12,
  description: 300,
  parameterNames: 120,
  parameterTexts: 400,
  tags: 60,
};
/** Only this many characters of a field get glosses. */
const maxGlossed = 300;
/** Words of the description that phrase matching reads. */
const phraseWords = 48;

/** Words beyond `maxTerms` different ones are not indexed. */
export function createPostings(tuning: Tuning, maxTerms = Number.POSITIVE_INFINITY) {
  const entries: (Entry | undefined)[] = [];
  const free: number[] = [];
  const terms = new Map<string, Term>();
  const spellings = createSpellings<Term>();
  /** A cache, cleared when a term is added or removed; bounded by the size of the synonym table. */
  const synonyms = new Map<string, readonly Term[]>();
  /**
   * Arrays rather than sets, because most names belong to one tool, and thousands of small sets would use most of the
   * memory.
   */
  const byName = new Map<string, Entry[]>();

  function termsOf(words: readonly string[]): Term[] {
    return words.map((word) => termOf(stemOf(word))).filter((term) => term !== undefined);
  }

  function termOf(text: string): Term | undefined {
    const known = terms.get(text);
    if (known !== undefined || terms.size >= maxTerms) return known;
    const room = { slots: new Int32Array(1), strengths: new Float32Array(1) };
    const term: Term = { text, ...room, size: 0, queryTerm: -1, matchFactor: 0 };
    terms.set(text, term);
    spellings.add(term);
    synonyms.clear();
    return term;
  }

  return {
    /** By slot; undefined where a tool was removed. */
    entries: entries as readonly (Entry | undefined)[],
    get size(): number {
      return entries.length - free.length;
    },
    term: (text: string): Term | undefined => terms.get(text),
    /** The term for two words written as one. */
    joined: (first: string, second: string): Term | undefined =>
      spellings.mayBegin(first, second) ? terms.get(stemOf(first + second)) : undefined,
    /** The indexed synonyms of this stem. */
    synonyms(stem: string): readonly Term[] {
      const known = synonyms.get(stem);
      if (known) return known;
      const stems = synonymsOf(stem);
      const found = stems.map((one) => terms.get(one)).filter((term) => term !== undefined);
      if (stems.length > 0) synonyms.set(stem, found);
      return found;
    },
    /** Terms of this length that begin with the character. */
    alike: spellings.alike,
    /** Entries with this `plainName` or `plainPath`. */
    named: (plain: string): Iterable<Entry> => byName.get(plain) ?? [],

    add(doc: SearchDoc): Entry {
      const slot = free.pop() ?? entries.length;
      const words = {} as Record<FieldName, Term[]>;
      const strengths = new Map<Term, number>();
      const texts = textsOf(doc);
      for (const name of fieldNames) {
        const { weight, pivot, slope } = tuning.fields[name];
        const split = splitWords(texts[name], maxWords[name]);
        // A name may consist of stop words only (`get_all`).
        const kept = name === 'name' ? split : split.filter((word) => !isStopWord(word));
        const found = termsOf(kept);
        const one = weight / (1 - slope + (slope * found.length) / pivot);
        // Also index `GitHub`, which is split into two words, as one word, so that the query "github" matches it.
        const joined = termsOf(joinedWords(texts[name], maxWords[name]));
        for (const term of [...found, ...joined]) strengths.set(term, (strengths.get(term) ?? 0) + one);
        words[name] = found;
      }
      for (const [term, strength] of strengths) addPosting(term, slot, strength);
      const nameWords = splitWords(doc.name, maxWords.name);
      const plainName = nameWords.join(' ');
      const entry: Entry = {
        slot,
        key: doc.key,
        plainName,
        plainPath: [...splitWords(doc.server, maxWords.server), ...nameWords].join(' '),
        name: words.name,
        server: words.server,
        isDangerous: doc.safety === 'dangerous',
        actions: doc.safety === 'safe' ? none : compact(words.name.filter((term) => isActionVerb(term.text))),
        description: words.description.slice(0, phraseWords),
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

    remove(entry: Entry): void {
      for (const term of entry.terms) {
        removePosting(term, entry.slot);
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

function addPosting(term: Term, slot: number, strength: number): void {
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

function removePosting(term: Term, slot: number): void {
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
    description: withGlosses(doc.description),
    parameterNames: doc.parameters.map((parameter) => parameter.name).join(' '),
    parameterTexts: withGlosses(doc.parameters.map((parameter) => parameter.description).join(' ')),
    tags: [...doc.tags, doc.category ?? ''].join(' '),
  };
}

/** Inserts the glosses after the beginning of the text, so that the limit on words keeps them. */
function withGlosses(text: string): string {
  const glosses = glossesOf(text.slice(0, maxGlossed));
  return glosses === '' ? text : `${text.slice(0, maxGlossed)} ${glosses} ${text.slice(maxGlossed)}`;
}

function onlyInTags(words: Record<FieldName, Term[]>): readonly Term[] {
  if (words.tags.length === 0) return none;
  const elsewhere = new Set(fieldNames.filter((name) => name !== 'tags').flatMap((name) => words[name]));
  return compact(words.tags.filter((term) => !elsewhere.has(term)));
}

const none: readonly Term[] = [];

/** A copy without the space for 16 more elements that V8 adds to the result of `filter`. */
function compact(terms: Term[]): readonly Term[] {
  return terms.length === 0 ? none : terms.slice();
}
