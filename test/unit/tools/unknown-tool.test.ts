/** The hint about the tools that exist, for a call of one that does not. */
import { expect, it } from 'vitest';
import { hintForTool } from '../../../electron/core/tools/unknown-tool.ts';

const numbered = Array.from({ length: 12 }, (_, at) => `tool_${at}`);

it.each([
  ['create_isue', ['create_issue', 'list'], 'Did you mean "create_issue"? It has: create_issue, list.'],
  ['create_isue', ['list'], 'It has: list.'],
  ['zzz', numbered, `It has: ${numbered.slice(0, 10).join(', ')} and 2 more.`],
  ['create_isue', [], undefined],
])('The name %s among %j: %s', (name, names, hint) => {
  expect(hintForTool(name, names)).toBe(hint);
});
