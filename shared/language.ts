/** The language of a UI: the first of the system's languages that has a file in `locales/`, else English. */
/// <reference types="vite/types/importMeta.d.ts" />
import { pickLanguage } from './pick-language.ts';

type Catalog = Readonly<Record<string, string>>;

export interface Language {
  readonly tag: string;
  /** The translation of each English message. English has nothing to translate. */
  readonly catalog: Catalog;
}

const loaders = import.meta.glob<Catalog>(['./locales/*.json', '!./locales/en.json'], { import: 'default' });

const fileOf = (tag: string): string => `./locales/${tag}.json`;

export const english: Language = { tag: 'en', catalog: {} };

/**
 * `tags`: the languages of the system, the preferred one first. If the file cannot be loaded, the language keeps its tag
 * and has an empty catalog.
 */
export async function loadLanguage(tags: readonly string[]): Promise<Language> {
  const tag = pickLanguage(tags, (one) => fileOf(one) in loaders);
  const load = loaders[fileOf(tag)];
  return load ? { tag, catalog: await load().catch(() => ({})) } : english;
}
