/** The choice of the window's language. */
import { describe, expect, it } from 'vitest';
import { pickLanguage } from '../../../shared/pick-language.ts';

const pick = (...tags: string[]) => pickLanguage(tags, (tag) => ['de', 'pt-BR', 'zh-Hant'].includes(tag));

describe('The window', () => {
  it.each([
    ['the language of the system', ['de'], 'de'],
    ['the language without its region', ['de-AT'], 'de'],
    ['the language with its region', ['pt-BR'], 'pt-BR'],
    ['the language with its script', ['zh-Hant-TW'], 'zh-Hant'],
    ['the first known language', ['fr-FR', 'de-CH', 'en'], 'de'],
    ['English before a later language', ['en-GB', 'de'], 'en'],
    ['English if it knows no language of the system', ['pt-PT', 'ja'], 'en'],
    ['English if the system has no language', [], 'en'],
  ])('is in %s', (_what, tags, language) => {
    expect(pick(...tags)).toBe(language);
  });
});
