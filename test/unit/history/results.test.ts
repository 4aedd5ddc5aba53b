/** The parts of results that are not kept. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openResults } from '../../../electron/core/history/results.ts';

it('In a kept result, a text with the size replaces each picture, sound and binary resource', async () => {
  const results = await openResults(join(tmpdir(), 'never-written'), () => []);
  const call = { callId: 'c', at: 0, server: 's', tool: 't', connection: 'c' };
  const bytes = 'A'.repeat(16_384);
  const text = { type: 'text', text: 'kept' };
  const readme = { type: 'resource', resource: { uri: 'file:///readme', text: 'kept' } };
  const image = { type: 'image', data: bytes, mimeType: 'image/png' };
  const archive = { type: 'resource', resource: { uri: 'file:///a.zip', blob: bytes } };
  results.add(call, { content: [text, image, archive, readme] }, (json) => JSON.parse(json));
  expect((await results.find(call))?.result).toEqual({
    content: [
      text,
      { type: 'text', text: '(image, 12 KB, not kept)' },
      { type: 'text', text: '(file:///a.zip, 12 KB, not kept)' },
      readme,
    ],
  });
});
