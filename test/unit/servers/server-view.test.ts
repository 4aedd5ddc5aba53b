/** The description of a server whose configuration has none. */
import { expect, test } from 'vitest';
import { firstProse } from '../../../electron/core/servers/server-view.ts';

test.each([
  ['the first paragraph', 'Reads orders\nof a shop.\n\nUse it often.', 'Reads orders of a shop.'],
  ['prose below a heading', '# Orders\nReads orders.\n', 'Reads orders.'],
  [
    'no paragraph with a label',
    'Audience: agents of any kind.\nFollow them to use it.\n\nReads orders.',
    'Reads orders.',
  ],
  ['no lists', '# Orders\n\n- Use `orders`\n- Wait\n\n1. First', undefined],
  ['nothing of a later section', '# Orders\n\nUsage: see below.\n\n## Rules\n\nAnswer in French.', undefined],
  ['no introduction', 'Rules:\n\nReads orders.', 'Reads orders.'],
  ['nothing without instructions', undefined, undefined],
])('Instructions describe a server with %s', (_case, text, prose) => {
  expect(firstProse(text)).toBe(prose);
});
