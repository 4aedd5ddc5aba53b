/** Finds palette entries in which every word of the query occurs; the best matches come first. */
import { t } from '../../text.tsx';

export interface PaletteEntry {
  id: string;
  kind: 'question' | 'view' | 'action' | 'server' | 'tool';
  label: string;
  /** Shown next to the label, and searched. */
  detail?: string;
  /** Searched but not shown. */
  keywords?: string;
  run(): unknown;
}

/** The kinds in words, shown and searched. */
export const kindLabels: Readonly<Record<PaletteEntry['kind'], string>> = {
  question: t('Question'),
  view: t('Go to'),
  action: t('Action'),
  server: t('Server'),
  tool: t('Tool'),
};

export const maxShown = 50;

const whyWord = t('why').toLowerCase();

/** The rest of a query that asks why a tool failed or was refused; undefined for another query. */
export function askedWhy(query: string): string | undefined {
  const [first, ...rest] = query.trimStart().split(/\s+/);
  return first?.toLowerCase() === whyWord && rest.length > 0 ? rest.join(' ') : undefined;
}

/** Whether a query is probably a server that the user pasted: a URL, a snippet or a command line. */
export const isPastedServer = (query: string): boolean =>
  /^\s*(?:https?:\/\/\S|[{["]|(?:npx|uvx|bunx)\s+\S|docker run\s|(?:node|python3?)\s+\S+\.\w|claude mcp add|code --add-mcp)/.test(
    query,
  );

const toolWords = [t('enable'), t('disable'), t('copy')].map((word) => word.toLowerCase());

/** Whether a query asks for an action of a tool. */
export const asksForToolAction = (query: string): boolean =>
  toolWords.some((word) => query.trimStart().toLowerCase().startsWith(`${word} `));

/**
 * Without a query, returns open questions, the entries with the IDs in `recent`, and then all others except tools, because there
 * are too many to browse here.
 */
export function matchEntries(
  entries: readonly PaletteEntry[],
  query: string,
  recent: readonly string[] = [],
): PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    const first = [
      ...entries.filter(({ kind }) => kind === 'question'),
      ...recent.flatMap((id) => entries.find((entry) => entry.id === id) ?? []),
    ];
    return [...new Set([...first, ...entries.filter(({ kind }) => kind !== 'tool')])].slice(0, maxShown);
  }
  return entries
    .flatMap((entry) => {
      const score = scoreOf(entry, words);
      return score === undefined ? [] : { entry, score };
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, maxShown)
    .map(({ entry }) => entry);
}

/** Undefined unless every word occurs. A word counts most at the start of the label, then at the start of a word in the label. */
function scoreOf({ label, detail = '', keywords = '', kind }: PaletteEntry, words: readonly string[]) {
  const name = label.toLowerCase();
  const rest = `${detail} ${keywords} ${kindLabels[kind]}`.toLowerCase();
  let score = kind === 'tool' ? 0 : 0.5;
  for (const word of words) {
    const at = name.indexOf(word);
    if (at === 0) score += name.length === word.length ? 6 : 4;
    else if (at > 0) score += /[\s_-]/.test(name.charAt(at - 1)) ? 3 : 2;
    else if (rest.includes(word)) score += 1;
    else return undefined;
  }
  return score;
}
