/** Translations of messages to text. */
import { describe, expect, it } from 'vitest';
import { english, loadLanguage } from '../../../shared/language.ts';
import { translate } from '../../../shared/translate.ts';

const waiting = '{count, plural, one {# question is waiting} other {# questions are waiting}}';
const polish = {
  tag: 'pl',
  catalog: {
    Quit: 'Zakończ',
    [waiting]: '{count, plural, one {# pytanie czeka} few {# pytania czekają} other {# pytań czeka}}',
    'Open {name}': 'Otwórz {nam',
  },
};

describe('A message', () => {
  it('is in the language of the catalog, with its plurals', () => {
    expect(translate(polish, 'Quit')).toBe('Zakończ');
    expect([1, 3, 5].map((count) => translate(polish, waiting, { count }))).toEqual([
      '1 pytanie czeka',
      '3 pytania czekają',
      '5 pytań czeka',
    ]);
  });

  it('is in English if its translation is missing or invalid', () => {
    expect(translate(polish, 'Open {name}', { name: 'a' })).toBe('Open a');
    expect(translate(polish, 'toString')).toBe('toString');
    expect(translate(english, waiting, { count: 1 })).toBe('1 question is waiting');
  });
});

describe('Without a file for any of the system’s languages', () => {
  it('the language is English', async () => {
    expect(await loadLanguage(['qaa', 'qab-QM'])).toEqual(english);
  });
});
