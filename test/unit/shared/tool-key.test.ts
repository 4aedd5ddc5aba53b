/** The key of a tool. */
import { expect, it } from 'vitest';
import { fitsToolKey, parseToolKey, toolKey } from '../../../shared/tool-key.ts';

it('A tool keeps its server and name in its key, with any characters in the name', () => {
  for (const tool of ['read_file', 'std::sort', '::', ':'])
    expect(parseToolKey(toolKey('files', tool))).toEqual({ server: 'files', tool });
});

it('A server with the separator in its name does not fit into a key', () => {
  expect([fitsToolKey('files'), fitsToolKey('a:b'), fitsToolKey('a::b')]).toEqual([true, true, false]);
});
