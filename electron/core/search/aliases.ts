/** What the person, or the call that followed a search, taught: "for this query, that was the right tool". */
import type { Postings } from './postings.ts';
import { readText } from './query-text.ts';
import { defaultTuning } from './tuning.ts';

/** Plain data, to be kept between runs and shown to the person. */
export interface Alias {
  query: string;
  key: string;
  /** 0 to 1: how sure it is; 1 where nothing is said. */
  strength?: number | undefined;
}

export interface Aliases {
  learn(alias: Alias): void;
  forget(query: string, key?: string): void;
  /** How much the query is like one that was taught, times how sure that is, by key of the tool: above 0, at most 1. */
  raised(query: string, postings: Postings): Map<string, number>;
}

/** The oldest go first beyond this many. */
const mostAliases = 2000;
/** Below this likeness, a lesson says nothing about a query. */
const leastLikeness = 0.5;

interface Lesson extends Alias {
  id: string;
  strength: number;
  stems: Set<string>;
}

export function createAliases(): Aliases {
  const lessons = new Map<string, Lesson>();
  const byStem = new Map<string, Set<Lesson>>();

  function drop(lesson: Lesson): void {
    lessons.delete(lesson.id);
    for (const stem of lesson.stems) {
      const having = byStem.get(stem);
      having?.delete(lesson);
      if (having?.size === 0) byStem.delete(stem);
    }
  }

  return {
    learn({ query, key, strength = 1 }) {
      const stems = stemsOf(query);
      if (stems.size === 0) return;
      const id = `${[...stems].sort().join(' ')}\n${key}`;
      const known = lessons.get(id);
      if (known) drop(known);
      const lesson = { id, query: query.slice(0, 500), key, strength, stems };
      lessons.set(id, lesson);
      for (const stem of stems) {
        const having = byStem.get(stem);
        if (having) having.add(lesson);
        else byStem.set(stem, new Set([lesson]));
      }
      const [oldest] = lessons.values();
      if (oldest && lessons.size > mostAliases) drop(oldest);
    },

    forget(query, key) {
      for (const lesson of [...lessons.values()]) {
        if (lesson.query === query.slice(0, 500) && (key === undefined || lesson.key === key)) drop(lesson);
      }
    },

    raised(query, postings) {
      const raised = new Map<string, number>();
      if (lessons.size === 0) return raised;
      const asked = stemsOf(query);
      const near = new Set<Lesson>();
      for (const stem of asked) for (const lesson of byStem.get(stem) ?? []) near.add(lesson);
      for (const lesson of near) {
        const likeness = likenessOf(asked, lesson.stems, postings);
        if (likeness < leastLikeness) continue;
        raised.set(lesson.key, Math.max(likeness * lesson.strength, raised.get(lesson.key) ?? 0));
      }
      return raised;
    },
  };
}

/** The words of a query that mean something; those of asking only where there are no others. */
export function stemsOf(query: string): Set<string> {
  const words = readText(query, defaultTuning.text).filter((word) => word.weight > 0);
  const telling = words.filter((word) => word.weight > defaultTuning.text.talk);
  return new Set((telling.length > 0 ? telling : words).map((word) => word.stem));
}

/** Shared words over all words, rare words counting more. */
function likenessOf(a: Set<string>, b: Set<string>, postings: Postings): number {
  let shared = 0;
  let all = 0;
  for (const stem of a.union(b)) {
    const worth = Math.log(2 + postings.size / (1 + (postings.term(stem)?.size ?? 0)));
    all += worth;
    if (a.has(stem) && b.has(stem)) shared += worth;
  }
  return all === 0 ? 0 : shared / all;
}
