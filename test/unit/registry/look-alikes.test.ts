/** Names that look like those of other publishers' entries. */
import { expect, it } from 'vitest';
import { lookAlike } from '../../../electron/core/registry/look-alikes.ts';

const known = ['io.github.modelcontextprotocol/filesystem', 'com.stripe/mcp'];

it.each([
  ['io.github.modelcontextprotocol1/filesystem', 'io.github.modelcontextprotocol/filesystem'],
  ['io.github.modelcontextprotoco1/filesystem', 'io.github.modelcontextprotocol/filesystem'],
  ['io.github.model-context-protocol/file-system', 'io.github.modelcontextprotocol/filesystem'],
  ['corn.stripe/mcp', 'com.stripe/mcp'],
  ['com.str1pe/mcp', 'com.stripe/mcp'],
  ['com.square/mcp', undefined],
  ['com.stripe/mcp-2', undefined],
  ['io.github.other/filesystem', undefined],
])('The name %s looks like %s', async (name, expected) => {
  expect(await lookAlike(name, known)).toBe(expected);
});

it("A publisher's own entries never look like each other", async () => {
  expect(await lookAlike('com.stripe/mcp2', known)).toBeUndefined();
});
