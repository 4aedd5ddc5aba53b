/** Names that imitate those of older entries. */
import { expect, it } from 'vitest';
import { lookAlike } from '../../../electron/core/registry/look-alikes.ts';

const known = [
  { name: 'io.github.modelcontextprotocol/filesystem', publishedAt: 1 },
  { name: 'com.stripe/mcp', publishedAt: 1 },
];

it.each([
  ['io.github.modelcontextprotocol1/filesystem', 'io.github.modelcontextprotocol/filesystem'],
  ['io.github.modelcontextprotoco1/filesystem', 'io.github.modelcontextprotocol/filesystem'],
  ['io.github.model-context-protocol/file-system', 'io.github.modelcontextprotocol/filesystem'],
  ['corn.stripe/mcp', 'com.stripe/mcp'],
  ['com.str1pe/mcp', 'com.stripe/mcp'],
  ['com.square/mcp', undefined],
  ['com.stripe/mcp-2', undefined],
  ['io.github.other/filesystem', undefined],
])('The name %s imitates %s', async (name, expected) => {
  expect(await lookAlike({ name, publishedAt: 2 }, known)).toBe(expected);
});

it('An older entry imitates nothing', async () => {
  expect(await lookAlike({ name: 'com.str1pe/mcp', publishedAt: 0 }, known)).toBeUndefined();
});
