/** One line of a `.env` file. */
import { describe, expect, it } from 'vitest';
import { parseEnvLine } from '../../../shared/env-line.ts';

describe('A line of a .env file', () => {
  it.each([
    ['KEY=value', 'KEY', 'value'],
    ['  export API.KEY-2 = value  ', 'API.KEY-2', 'value'],
    ['KEY=a=b', 'KEY', 'a=b'],
    ['KEY=pass#word # the comment', 'KEY', 'pass#word'],
    [`KEY="it's # no comment" # the comment`, 'KEY', `it's # no comment`],
    [`KEY='say "a\\nb"'`, 'KEY', 'say "a\\nb"'],
    ['KEY="say \\"hi\\""', 'KEY', 'say \\"hi\\"'],
    ['KEY="C:\\dir\\"', 'KEY', 'C:\\dir\\'],
    ['KEY=""', 'KEY', ''],
    ['KEY="no end', 'KEY', '"no end'],
    ['KEY=', 'KEY', ''],
  ])('%j has a name and a value', (line, name, value) => {
    expect(parseEnvLine(line)).toMatchObject({ name, value });
  });

  it.each(['', '# KEY=value', 'KEY', '=value', '1KEY=value', 'two words=value'])('%j has no variable', (line) => {
    expect(parseEnvLine(line)).toBeUndefined();
  });
});
