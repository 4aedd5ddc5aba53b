/** The names of registry entries, some of which say only that they are MCP servers. */
import { expect, it } from 'vitest';
import { entryName, entryTitle } from '../../../shared/entry-name.ts';

it.each([
  ['io.github.acme/notes-mcp-server', 'notes'],
  ['com.notion/mcp', 'notion'],
  ['app.linear/server', 'linear'],
  ['mcp', 'mcp'],
])('The name of %s is %s', (entry, name) => expect(entryName(entry)).toBe(name));

it.each([
  ['Acme Notes', 'Acme Notes'],
  ['MCP Server for Notes', 'MCP Server for Notes'],
  ['メモ', 'メモ'],
  ['mcp', 'notion'],
  ['MCP Server', 'notion'],
  [' ', 'notion'],
  [undefined, 'notion'],
])('An entry with the title “%s” is shown as %s', (title, shown) =>
  expect(entryTitle({ name: 'com.notion/mcp', title })).toBe(shown),
);
