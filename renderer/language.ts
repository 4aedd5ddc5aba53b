/** The language of the page. */
import { english, type Language, loadLanguage as load } from '../shared/language.ts';

export let language: Language = english;

/** English has nothing to load. If the file of another language cannot be loaded, the page is in English. */
export async function loadLanguage(): Promise<void> {
  language = await load(navigator.languages);
  document.documentElement.lang = language.tag;
}
