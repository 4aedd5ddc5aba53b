/** Who says whether a person is asked: the rule, and only where it says nothing the judgement of the tool. */
import { expect, test } from 'vitest';
import { asksFirst, type ToolView } from '../../shared/model.ts';

test.each([
  ['auto', true, true],
  ['auto', false, false],
  ['always', false, true],
  ['never', true, false],
] as const)('with confirm %s and a judgement of %s it is %s (B8)', (confirm, requiresConfirmation, asked) => {
  const annotations = { requiresConfirmation } as ToolView['annotations'];
  expect(asksFirst({ confirm, annotations })).toBe(asked);
});
