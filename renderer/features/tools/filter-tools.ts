/** Filters the tool list. */
import Fuse from 'fuse.js';
import type { ToolSummary } from '../../../shared/model/tool.ts';
import { hasWords, wordsOf } from '../../components/words.ts';
import { hasState, type ToolFilters } from '../../stores/tools.ts';

/** The index of the text filter, built by the first search. */
export interface ToolIndex {
  /** Finds tools that contain every word, best first. Falls back to a fuzzy search if there are none. */
  search(text: string): ToolSummary[];
}

interface Entry {
  tool: ToolSummary;
  name: string;
  title: string;
  /** The searchable text: name, title, server, tags and summary in lower case. */
  all: string;
}

export function indexTools(tools: readonly ToolSummary[]): ToolIndex {
  let entries: readonly Entry[] | undefined;
  let fuse: Fuse<ToolSummary> | undefined;
  return {
    search(text) {
      const words = wordsOf(text);
      entries ??= tools.map(entryOf);
      const found = entries.filter(({ all }) => hasWords(all, words));
      if (found.length > 0)
        return found
          .map((entry) => ({ tool: entry.tool, score: scoreOf(entry, words) }))
          .sort((a, b) => b.score - a.score)
          .map(({ tool }) => tool);
      fuse ??= new Fuse(tools, { keys: ['name', 'title'], threshold: 0.3, ignoreLocation: true });
      return fuse.search(text).map(({ item }) => item);
    },
  };
}

function entryOf(tool: ToolSummary): Entry {
  const { name, title, server, tags, summary } = tool;
  const all = [name, title, server, ...tags, summary].join('\n').toLowerCase();
  return { tool, name: name.toLowerCase(), title: title.toLowerCase(), all };
}

/** Words in the name count most, then words in the title. */
function scoreOf({ name, title }: Entry, words: readonly string[]): number {
  const typed = words.join('_');
  const exact = name === typed ? 100 : name.startsWith(typed) ? 10 : 0;
  return words.reduce((score, word) => score + (name.includes(word) ? 3 : title.includes(word) ? 1 : 0), exact);
}

/**
 * The tools that match all filters: in order of relevance with a text filter, else in list order. `available`: the IDs of the
 * servers whose tools can be run now.
 */
export function filterTools(
  tools: readonly ToolSummary[],
  index: ToolIndex,
  filters: ToolFilters,
  available: ReadonlySet<string>,
): ToolSummary[] {
  const text = filters.text.trim();
  const found = text ? index.search(text) : tools;
  return found.filter(
    (tool) =>
      (filters.servers.length === 0 || filters.servers.includes(tool.server)) &&
      (!filters.category || tool.category === filters.category) &&
      (!filters.effect || tool.effects.includes(filters.effect)) &&
      (!filters.safety || tool.safetyLevel === filters.safety) &&
      (!filters.tag || tool.tags.includes(filters.tag)) &&
      hasState(tool, filters.state, available) &&
      hasBehavior(tool, filters.behavior),
  );
}

function hasBehavior({ hints }: ToolSummary, behavior: ToolFilters['behavior']): boolean {
  if (behavior === '') return true;
  const isNot = behavior.startsWith('not-');
  return hints.some((hint) => behavior.endsWith(hint)) !== isNot;
}
