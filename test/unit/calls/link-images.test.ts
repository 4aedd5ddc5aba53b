/** Images in results, as they reach clients with and without limits. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSavedFiles } from '../../../electron/core/calls/saved-files.ts';
import { createLinkImages } from '../../../electron/core/calls/steps/link-images.ts';
import type { Client, JsonObject } from '../../../electron/core/types.ts';
import { testHost } from '../../fixtures/host.ts';
import { jpegHeader, jpegHiddenBy, png, pngWith, webpHeader } from '../../fixtures/images.ts';

const image = (bytes: Buffer, mimeType = 'image/png') => ({ type: 'image', data: bytes.toString('base64'), mimeType });
const gif = (size: number) => image(Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(size)]), 'image/gif');
const gifWith = (width: number, height: number) => {
  const screen = Buffer.alloc(7);
  screen.writeUInt16LE(width, 0);
  screen.writeUInt16LE(height, 2);
  return Buffer.concat([Buffer.from('GIF89a'), screen, Buffer.from(';')]);
};
const vscode = { name: 'Visual Studio Code' };
const claude = { name: 'claude-ai' };

interface Given {
  name?: string;
  tool?: string;
  structuredContent?: JsonObject;
}

/** The blocks that a client of this name receives. */
async function received(blocks: JsonObject[], { name = 'agent', tool = 'look', ...more }: Given = {}) {
  const host = testHost();
  onTestFinished(() => host.dispose());
  const files = createSavedFiles(host);
  const result = { content: blocks, ...more };
  const client: Client = { id: 'a', name, stated: name, identity: name, mode: 'lazy', scope: {}, capabilities: {} };
  const call = { client, server: 'camera', tool, arguments: {}, signal: new AbortController().signal };
  const changed = await createLinkImages({ hasApp: (_, named) => named === 'chart' }, files)(call, result);
  return { isSame: changed === result, blocks: changed.content as JsonObject[], changed };
}
const savedBytes = (block: JsonObject | undefined) => readFileSync(fileURLToPath(String(block?.uri)));

describe('An image', () => {
  it.each([
    ['PNG', png(2_500, 40), 'image/png'],
    ['JPEG', jpegHeader(40, 2_500), 'image/jpeg'],
    ['WebP', webpHeader(2_001, 40), 'image/webp'],
    ['GIF', gifWith(2_500, 40), 'image/gif'],
  ])(
    'that is a %s with more pixels than VS Code takes is saved and linked, whatever its type says',
    async (_, bytes, mimeType) => {
      const { blocks } = await received([{ type: 'text', text: 'Before' }, image(bytes, 'image/bmp')], vscode);
      const [before, note, link] = blocks;
      expect(blocks).toHaveLength(3);
      expect(before?.text).toBe('Before');
      expect(note?.text).toMatch(/^The image is too large for this client\. Saved \d+ KB of image\/\w+ to /);
      expect(link).toMatchObject({ type: 'resource_link', mimeType, size: bytes.length });
      expect(savedBytes(link).equals(bytes)).toBe(true);
    },
  );

  it.each([
    ['PNG', png(2_000, 10)],
    ['JPEG', jpegHeader(2_000, 2_000)],
    ['WebP', webpHeader(2_000, 2_000)],
    ['GIF', gifWith(2_000, 2_000)],
  ])('that is a %s within the limit is not touched', async (_, bytes) => {
    expect((await received([image(bytes)], vscode)).isSame).toBe(true);
  });

  it('that the structured content repeats is replaced there by the address of the original', async () => {
    const large = image(png(3_000, 10));
    const structuredContent = { shots: [{ ...large, at: 1 }, { data: 'other' }] };
    const { changed, blocks } = await received([large], { ...vscode, structuredContent });
    expect(changed.structuredContent).toEqual({
      shots: [{ ...large, data: blocks[1]?.uri, at: 1 }, { data: 'other' }],
    });
  });

  it('is not touched for a client without limits', async () => {
    expect((await received([image(png(5_000, 50))])).isSame).toBe(true);
  });

  it('of a tool with an app is not touched', async () => {
    expect((await received([image(png(3_000, 10))], { ...vscode, tool: 'chart' })).isSame).toBe(true);
  });

  it('is linked for Claude Desktop, which refuses results of more than one megabyte, if it does not fit with smaller ones', async () => {
    const [small, large, dot] = [gif(300_000), gif(400_000), gif(60)];
    const { blocks } = await received([large, small, dot, { type: 'text', text: 'After' }], claude);
    expect(blocks.map(({ type, mimeType }) => mimeType ?? type)).toEqual([
      ...['text', 'image/gif', 'image/gif', 'image/gif', 'text'],
    ]);
    expect(blocks[1]).toMatchObject({ type: 'resource_link', size: 400_006 });
    expect(blocks.slice(2, 4)).toEqual([small, dot]);
  });

  it('that fits together with the others is not touched, whatever their number', async () => {
    const [half, dot] = [gif(300_000), gif(60)];
    expect((await received([half, dot, half, dot], claude)).isSame).toBe(true);
    expect((await received(Array<JsonObject>(20_000).fill(gif(30)), claude)).isSame).toBe(true);
  });

  it('after the two hundredth is not touched', async () => {
    const images = Array.from({ length: 205 }, () => image(png(2_001, 1)));
    const { blocks } = await received(images, vscode);
    expect(blocks.filter(({ type }) => type === 'resource_link')).toHaveLength(200);
    expect(blocks.slice(-5)).toEqual(images.slice(-5));
  });

  it.each([
    ['a list', Array<number>(20_000).fill(1)],
    ['lists', Array.from({ length: 200 }, () => Array<number>(200).fill(1))],
    ['an object', Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]))],
  ])('stays in structured content with too many values in %s', async (_, many) => {
    const large = image(png(3_000, 10));
    const { changed, blocks } = await received([large], { ...vscode, structuredContent: { first: large.data, many } });
    expect(blocks[1]?.type).toBe('resource_link');
    expect(changed.structuredContent).toEqual({ first: large.data, many });
  });

  it.each([
    ['is empty', Buffer.alloc(0)],
    ['is text', Buffer.from('no image')],
    ['ends in its header', png(3_000, 10).subarray(0, 20)],
    ['is a JPEG whose segments lead nowhere', Buffer.from('ffd8ffe10000ffffffff', 'hex')],
    ['has no pixels', pngWith(0, 0, Buffer.alloc(0))],
  ])('that %s is not touched, since its size is unknown', async (_, bytes) => {
    expect((await received([image(bytes)], vscode)).isSame).toBe(true);
  });

  it.each([0x00, 0x01, 0xd0, 0xd7, 0xd8, 0xd9, 0xda, 0xc8, 0xdc, 0xfd])(
    'whose frame header follows the marker %i, in what seems to be its segment, is not touched',
    async (marker) => {
      expect((await received([image(jpegHiddenBy(marker, 12_000), 'image/jpeg')], vscode)).isSame).toBe(true);
    },
  );
});
