/** Results that break clients or their models, as the client gets them. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const image = (data: unknown, mimeType: unknown) => ({ type: 'image', data, mimeType });
const jpeg = base64('\xff\xd8\xff\xe0 JFIF');
const leftOut = { type: 'text', text: expect.stringMatching(/^\(An image of \d+ bytes, declared as /) };

const results: Record<string, { given: object; content: unknown[] }> = {
  'a good image': { given: { content: [image(png, 'image/png')] }, content: [image(png, 'image/png')] },
  'a JPEG that is called PNG': { given: { content: [image(jpeg, 'image/png')] }, content: [image(jpeg, 'image/jpeg')] },
  'a GIF without a type': {
    given: { content: [image(base64('GIF89a..'), undefined)] },
    content: [image(base64('GIF89a..'), 'image/gif')],
  },
  'a data URL': {
    given: { content: [image(`data:image/png;base64,${png}`, 'image/png')] },
    content: [image(png, 'image/png')],
  },
  'an SVG': { given: { content: [image(base64('<svg/>'), 'image/svg+xml')] }, content: [leftOut] },
  'a page that is called PNG': {
    given: { content: [image(base64('<html>oops</html>'), 'image/png')] },
    content: [leftOut],
  },
  'an image without data': { given: { content: [image(undefined, 'image/png')] }, content: [leftOut] },
  'a content of null': {
    given: { content: null, structuredContent: { total: 36 } },
    content: [{ type: 'text', text: '{"total":36}' }],
  },
  'an empty content': {
    given: { content: [], structuredContent: { total: 36 } },
    content: [{ type: 'text', text: '{"total":36}' }],
  },
  'no content at all': { given: {}, content: [] },
  'a block instead of a list': {
    given: { content: { type: 'text', text: 'x' } },
    content: [{ type: 'text', text: 'x' }],
  },
  'a text instead of a block': {
    given: { content: ['x', { type: 'text', text: 5 }] },
    content: [
      { type: 'text', text: 'x' },
      { type: 'text', text: '5' },
    ],
  },
};

test('Odd results reach the client in a form that it can read', async () => {
  const given = Object.fromEntries(Object.entries(results).map(([name, result]) => [name, result.given]));
  const server = {
    command: process.execPath,
    args: [join(import.meta.dirname, '../../fixtures/given-results.mjs'), JSON.stringify(given)],
  };
  const { call } = await startCore([serverConfig('odd', server)]);
  for (const [name, { content }] of Object.entries(results)) {
    const result = await call('odd', 'give', { name });
    expect(result.content, name).toEqual(content);
  }
});
