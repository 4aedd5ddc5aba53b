/** The parts of results that are not kept, and results on disk. */
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openResults, receiverOf } from '../../../electron/core/history/results.ts';

it('In a kept result, a text with the size replaces each picture, sound and binary resource', async () => {
  const results = await openResults(join(tmpdir(), 'never-written'), () => []);
  const call = { callId: 'c', at: 0, server: 's', tool: 't', receiver: 'c' };
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

it('A result belongs to the entry or token of its client, also after the client has connected again', async () => {
  const results = await openResults(join(tmpdir(), 'never-written'), () => []);
  const clients = [
    { id: '1', identity: 'claude-code' },
    { id: '2', identity: undefined },
  ];
  for (const client of clients) {
    const call = { callId: client.id, at: 0, server: 's', tool: 't', receiver: receiverOf(client) };
    results.add(call, { content: [{ type: 'text', text: `for ${client.id}` }] }, (json) => JSON.parse(json));
  }
  const receivedBy = (client: (typeof clients)[number]) =>
    results
      .of(receiverOf(client))
      .map(({ text }) => text)
      .join();
  expect(receivedBy({ id: '3', identity: 'claude-code' })).toContain('for 1');
  expect(receivedBy({ id: '3', identity: undefined })).toBe('');
  expect(receivedBy({ id: '2', identity: undefined })).toContain('for 2');
});

it('A result on disk survives after one that a crash cut off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolkeep-results-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const call = (callId: string) => ({ callId, at: Date.now(), server: 's', tool: 't', receiver: 'c' });
  const open = async () => {
    const results = await openResults(folder, () => []);
    await results.setRetention(1);
    return results;
  };
  for (const id of ['a', 'b']) {
    const results = await open();
    results.add(call(id), { content: [{ type: 'text', text: id }] }, (json) => JSON.parse(json));
    await results.flush();
    const file = join(folder, readdirSync(folder)[0] ?? '');
    if (id === 'a') truncateSync(file, statSync(file).size - 10);
  }
  const again = await open();
  expect(await again.find(call('a'))).toBeUndefined();
  expect(await again.find(call('b'))).toEqual({ result: { content: [{ type: 'text', text: 'b' }] } });
});
