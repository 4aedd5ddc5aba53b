/** Characters that change how a string reads are escaped alike in the terminal and in the window. */
import { describe, expect, it } from 'vitest';
import { safe, safeLines } from '../../../electron/cli/terminal.ts';
import { nameWithEscapes, splitInvisible, withJsonEscapes, withShortBlanks } from '../../../shared/visible-text.ts';

describe('An untrusted string', () => {
  it.each([
    ['turns its direction', '\u202e', '202e'],
    ['isolates a direction', '\u2066', '2066'],
    ['has the Arabic mark', '\u061c', '61c'],
    ['hides in no width', '\u200b', '200b'],
    ['hides in a soft hyphen', '\u00ad', 'ad'],
    ['hides in a filler', '\u3164', '3164'],
    ['hides in tags', '\u{e0041}', 'e0041'],
    ['hides in a selector', '\ufe0f', 'fe0f'],
    ['hides in a control of a rare script', '\u{1bca0}', '1bca0'],
    ['hides in an empty sign', '\u{1d159}', '1d159'],
    ['breaks a line unseen', '\u2028', '2028'],
    ['steers a terminal', '\u001b', '1b'],
    ['steers an old terminal', '\u009b', '9b'],
  ])('that %s is shown with the escaped character in every UI', (_what, character, code) => {
    const text = `a${character}b`;
    const written = `a\\u{${code}}b`;
    expect(safe(text)).toBe(written);
    expect(splitInvisible(text)).toEqual(['a', { code: `U+${code.toUpperCase().padStart(4, '0')}` }, 'b']);
  });

  it('keeps joiners in emoji, and shows joiners in words', () => {
    expect(splitInvisible('👨‍👩‍👧 🏳️‍🌈 👩🏽‍💻')).toEqual(['👨‍👩‍👧 🏳️‍🌈 👩🏽‍💻']);
    expect(safe('1\ufe0f2')).toBe('1\\u{fe0f}2');
    expect(safe('❤️ 1️⃣ ☎️')).toBe('❤️ 1️⃣ ☎️');
    expect(splitInvisible('❤️ 1️⃣ ☎️')).toEqual(['❤️ 1️⃣ ☎️']);
    expect(splitInvisible('pay\u200dpal')).toEqual(['pay', { code: 'U+200D' }, 'pal']);
    expect(splitInvisible('👧\u200dx')).toEqual(['👧', { code: 'U+200D' }, 'x']);
  });

  it('in a name cannot add a line', () => {
    expect(nameWithEscapes('Claude\nServer: github')).toBe('Claude\\u{a}Server: github');
  });

  it.each([
    ['spaces', ' '.repeat(1700), '1700 spaces'],
    ['wide spaces', '\u3000'.repeat(50), '50 spaces'],
    ['tabs and spaces', '\t \u00a0'.repeat(20), '60 spaces'],
    ['line breaks', '\n'.repeat(200), '200 line breaks'],
    ['marks', '\u0300'.repeat(100), '100 marks'],
    ['blank lines', '   \n'.repeat(30), '30 line breaks'],
  ])('has the length of a run of %s instead of the run, which could hide the rest', (_what, run, length) => {
    expect(splitInvisible(`ls -la${run}; rm -rf ~`)).toEqual(['ls -la', { code: `⟨${length}⟩` }, '; rm -rf ~']);
    expect(withShortBlanks(`ls -la${run}; rm -rf ~`)).toBe(`ls -la ⟨${length}⟩ ; rm -rf ~`);
  });

  it('in JSON is escaped without a change of the value', () => {
    const value = { 'a\u009b31m': ['\u202egnp', 'zero\u200bwidth', '\u{e0041}', 'line\nbreak', '漢字'] };
    const json = withJsonEscapes(JSON.stringify(value, null, 2));
    expect(JSON.parse(json)).toEqual(value);
    expect(json).not.toMatch(/[\u0080-\u009f\u200b\u202e\u{e0041}]/u);
  });

  it('keeps its line breaks, tabs and characters of every script', () => {
    const text = 'Zeile\n\tÄ 漢字 עברית हिन्दी 😀';
    expect(safeLines(text, 0)).toBe(text);
    expect(splitInvisible(text)).toEqual([text]);
  });
});
