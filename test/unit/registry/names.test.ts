/**
 * The names of new servers. A publisher chooses them, so Toolkeep removes unsafe characters, and never uses a name
 * that is already taken.
 */
import { expect, it } from 'vitest';
import { serverName } from '../../../electron/core/registry/plan.ts';

it.each([
  ['io.github.acme/notes-mcp-server', [], 'notes'],
  ['io.github.acme/notes', ['notes', 'notes-2'], 'notes-3'],
  ['io.github.acme/GitHub', ['github'], 'GitHub-2'],
  ['com.acme/mcp', [], 'acme'],
  ['..', [], 'server'],
  ['../../etc', [], 'server'],
  ['My notes\n${secret:x}: *', [], 'My-notes-secret-x'],
  ['资料', [], 'server'],
  ['a'.repeat(200), ['a'.repeat(60)], `${'a'.repeat(60)}-2`],
])('A server of %j gets a name that nothing else has', (entry, taken, name) => {
  expect(serverName(entry, new Set(taken))).toBe(name);
});
