/** Translates the strings of the app's menus, dialogs and notifications. */
import { english, type Language, loadLanguage as load } from '../../shared/language.ts';
import { translate } from '../../shared/translate.ts';

let language: Language = english;

/** `tags`: the languages of the system, the preferred one first. */
export async function loadLanguage(tags: readonly string[]): Promise<void> {
  language = await load(tags);
}

/** Translates a message. `message` must be a literal, so that it can be extracted. */
export const t = (message: string, values?: Record<string, string | number>): string =>
  translate(language, message, values);
