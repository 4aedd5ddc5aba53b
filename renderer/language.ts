/** The language of the window: the first of the system's languages that has a file in `locales/`, else English. */
import { pickLanguage } from '../shared/pick-language.ts';

type Catalog = Readonly<Record<string, string>>;

const loaders = import.meta.glob<Catalog>(['./locales/*.json', '!./locales/en.json'], { import: 'default' });

const fileOf = (tag: string): string => `./locales/${tag}.json`;

export const language = pickLanguage(navigator.languages, (tag) => fileOf(tag) in loaders);

/** The translation of each English message. */
export let catalog: Catalog = {};

/** English has nothing to load. If the file of another language cannot be loaded, the window is in English. */
export async function loadLanguage(): Promise<void> {
  document.documentElement.lang = language;
  const load = loaders[fileOf(language)];
  if (load) catalog = await load().catch(() => ({}));
}
