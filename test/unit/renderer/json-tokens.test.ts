/** The colored tokens of JSON text, also where the text was cut off. */
import { describe, expect, it } from 'vitest';
import { jsonTokens } from '../../../renderer/components/json-tokens.ts';

const tokensOf = (text: string) => [...text.matchAll(jsonTokens)].map(([token]) => token);

describe('The tokens of JSON text', () => {
  it('are names with their colon, strings and other values', () => {
    const text = JSON.stringify({ 'a "b"': ['true: 1\\', -1.5e-7, true, null], '': '' }, null, 2);
    expect(tokensOf(text)).toEqual([
      String.raw`"a \"b\"":`,
      String.raw`"true: 1\\"`,
      '-1.5e-7',
      'true',
      'null',
      '"":',
      '""',
    ]);
  });

  it.each([
    ['between words', '"one 2 true'],
    ['after an escaped quote', `"${'\\"'.repeat(50)}`],
    ['within an escape', '"one \\'],
    ['after its first quote', '"'],
  ])('include a string that is cut off %s as one', (_where, cut) => {
    expect(tokensOf(`{\n  "name": ${cut}`)).toEqual(['"name":', cut]);
  });
});
