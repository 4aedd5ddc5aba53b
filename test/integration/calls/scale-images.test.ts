/**
 * Images in results, as they reach clients with and without limits. The codecs run in the thread that the build made.
 *
 * @module-tag exhaustive
 */

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scaleImage } from '../../../electron/core/calls/images/scale.ts';
import { createSavedFiles } from '../../../electron/core/calls/saved-files.ts';
import { createScaleImages } from '../../../electron/core/calls/steps/scale-images.ts';
import { imageSize } from '../../../electron/core/files/image-size.ts';
import type { Client, JsonObject } from '../../../electron/core/types.ts';
import { testHost } from '../../fixtures/host.ts';
import {
  decoded,
  jpeg,
  jpegHiddenBy,
  png,
  pngWith,
  pngWithSecondHeader,
  webp,
  webpWithFrame,
} from '../../fixtures/images.ts';

const paging = { maxCharacters: 0, structured: false, maxImageSide: 0, except: [] };
const image = (bytes: Buffer, mimeType = 'image/png') => ({ type: 'image', data: bytes.toString('base64'), mimeType });
const gif = (size: number) => image(Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(size)]), 'image/gif');

interface Given {
  name?: string;
  maxImageSide?: number;
  tool?: string;
  signal?: AbortSignal;
  structuredContent?: JsonObject;
}

/** The blocks that a client of this name receives. */
async function received(
  blocks: JsonObject[],
  { name = 'agent', maxImageSide = 0, tool = 'look', signal = new AbortController().signal, ...more }: Given = {},
) {
  const host = testHost();
  onTestFinished(host.dispose);
  const files = createSavedFiles(host);
  onTestFinished(() => files.close());
  const options = {
    resultPaging: () => ({ ...paging, maxImageSide }),
    hasApp: (_: string, t: string) => t === 'chart',
  };
  const result = { content: blocks, ...more };
  const client: Client = { id: 'a', name, stated: name, identity: name, mode: 'lazy', scope: {}, capabilities: {} };
  const call = { client, server: 'camera', tool, arguments: {}, signal };
  const changed = await createScaleImages(options, files)(call, result);
  return { isSame: changed === result, blocks: changed.content as JsonObject[], changed };
}
const sizeOf = (block: JsonObject | undefined) => imageSize(Buffer.from(String(block?.data), 'base64'));
const pixelsOf = (block: JsonObject | undefined) => decoded(Buffer.from(String(block?.data), 'base64'));
const savedBytes = (block: JsonObject | undefined) => readFileSync(fileURLToPath(String(block?.uri)));

describe('An image', () => {
  it.each([
    ['a PNG', () => png(1_500, 750), 'png', 'image/png'],
    ['a JPEG', () => jpeg(1_500, 750), 'jpeg', 'image/jpeg'],
    ['a WebP', () => webp(1_500, 750), 'jpeg', 'image/jpeg'],
  ])(
    'that is %s is scaled to the side that the user chose, and the original is linked',
    async (_, make, format, mimeType) => {
      const original = await make();
      const { blocks } = await received([{ ...image(original), _meta: { kept: 1 } }], { maxImageSide: 500 });
      const [scaled, note, link] = blocks;
      expect(sizeOf(scaled)).toEqual({ format, width: 500, height: 250 });
      expect(scaled).toMatchObject({ type: 'image', mimeType, _meta: { kept: 1 } });
      expect(note?.text).toMatch(/^The image was scaled from 1500 × 750 to 500 × 250 pixels. Saved \d+ KB of image/);
      expect(link).toMatchObject({ type: 'resource_link', size: original.length });
      expect(savedBytes(link).equals(original)).toBe(true);
    },
  );

  it('that is a GIF with too many pixels is only linked, and a smaller one is not touched', async () => {
    const gifWith = (width: number, height: number) => {
      const screen = Buffer.alloc(7);
      screen.writeUInt16LE(width, 0);
      screen.writeUInt16LE(height, 2);
      return Buffer.concat([Buffer.from('GIF89a'), screen, Buffer.from(';')]);
    };
    const large = gifWith(2_500, 40);
    const { blocks } = await received([image(large, 'image/gif')], { name: 'Visual Studio Code' });
    expect(blocks[0]?.text).toMatch(/^The image is too large for this client. Saved \d+ KB of image\/gif/);
    expect(savedBytes(blocks[1]).equals(large)).toBe(true);
    const small = image(gifWith(2_000, 2_000), 'image/gif');
    expect((await received([small], { name: 'Visual Studio Code' })).isSame).toBe(true);
  });

  it('that the structured content repeats is replaced there by the address of the original', async () => {
    const large = image(png(1_000, 10));
    const structuredContent = { shots: [{ ...large, at: 1 }, { data: 'other' }] };
    const { changed, blocks } = await received([large], { maxImageSide: 500, structuredContent });
    expect(changed.structuredContent).toEqual({
      shots: [{ ...large, data: blocks[2]?.uri, at: 1 }, { data: 'other' }],
    });
  });

  it('is not touched for a client without limits, when the user chose none', async () => {
    expect((await received([image(png(5_000, 50))])).isSame).toBe(true);
  });

  it('within the limits is not touched', async () => {
    expect((await received([image(png(1_000, 500))], { maxImageSide: 1_000 })).isSame).toBe(true);
  });

  it('of a tool with an app is not touched', async () => {
    expect((await received([image(png(3_000, 10))], { maxImageSide: 1_000, tool: 'chart' })).isSame).toBe(true);
  });

  it('is scaled for VS Code to the side that all its models take', async () => {
    const { blocks } = await received([image(png(2_400, 300))], { name: 'Visual Studio Code' });
    expect(sizeOf(blocks[0])).toMatchObject({ width: 2_000, height: 250 });
  });

  it('becomes small enough for Claude Desktop, which refuses results of more than one megabyte', async () => {
    const photo = png(1_000, 700, 60);
    expect(photo.length).toBeGreaterThan(1_000_000);
    const { blocks } = await received([image(photo), image(photo)], { name: 'claude-ai' });
    const images = blocks.filter(({ type }) => type === 'image');
    expect(images).toHaveLength(2);
    expect(images.reduce((sum, { data }) => sum + String(data).length, 0)).toBeLessThan(900_000);
    expect(sizeOf(images[0])?.format).toBe('jpeg');
  });

  it('that fits together with the others is not touched, whatever their number', async () => {
    const [half, dot] = [gif(300_000), gif(60)];
    expect((await received([half, dot, half, dot], { name: 'claude-ai' })).isSame).toBe(true);
    expect((await received(Array<JsonObject>(20_000).fill(gif(30)), { name: 'claude-ai' })).isSame).toBe(true);
  });

  it('that is small stays, and the others share the rest', async () => {
    const photo = image(png(1_000, 700, 60));
    const { blocks } = await received([gif(200_000), photo, gif(60)], { name: 'claude-ai' });
    expect(blocks.map(({ type, mimeType }) => mimeType ?? type)).toEqual([
      ...['image/gif', 'image/jpeg', 'text', 'image/png', 'image/gif'],
    ]);
    expect(String(blocks[1]?.data).length).toBeGreaterThan(100_000);
  });

  it('after the fiftieth to be scaled is linked, and after the two hundredth is not touched', async () => {
    const images = Array.from({ length: 205 }, () => image(png(300, 2)));
    const { blocks } = await received(images, { maxImageSide: 200 });
    expect(blocks.filter(({ type }) => type === 'resource_link')).toHaveLength(200);
    expect(blocks.filter(({ text }) => String(text).startsWith('The image was scaled'))).toHaveLength(50);
    expect(blocks.slice(-5)).toEqual(images.slice(-5));
  });

  it.each([
    ['a list', Array<number>(20_000).fill(1)],
    ['lists', Array.from({ length: 200 }, () => Array<number>(200).fill(1))],
    ['an object', Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1]))],
  ])('stays in structured content with too many values in %s', async (_, many) => {
    const large = image(png(1_000, 10));
    const { changed, blocks } = await received([large], {
      maxImageSide: 500,
      structuredContent: { first: large.data, many },
    });
    expect(blocks[2]?.type).toBe('resource_link');
    expect(changed.structuredContent).toEqual({ first: large.data, many });
  });

  it('that is transparent stays so', async () => {
    const transparent = pngWith(800, 400, Buffer.alloc((800 * 4 + 1) * 400));
    const { blocks } = await received([image(transparent)], { maxImageSide: 400 });
    expect(sizeOf(blocks[0])).toEqual({ format: 'png', width: 400, height: 200 });
    const { data } = await pixelsOf(blocks[0]);
    expect(data.every((value) => value === 0)).toBe(true);
  });

  it('keeps its colors', async () => {
    const { blocks } = await received([image(png(800, 400))], { maxImageSide: 200 });
    const { data } = await pixelsOf(blocks[0]);
    const at = (x: number, y: number) => [...data.subarray((y * 200 + x) * 4, (y * 200 + x) * 4 + 4)];
    for (const [x, y] of [
      [20, 10],
      [100, 50],
      [180, 90],
    ] as const) {
      const wanted = [(x / 200) * 255, (y / 100) * 255, 128, 255];
      for (const [part, value] of at(x, y).entries())
        expect(Math.abs(value - (wanted[part] as number))).toBeLessThan(8);
    }
  });

  it('of another format is linked for Claude Desktop, if it is too large', async () => {
    const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(900_000)]);
    const { blocks } = await received([image(gif, 'image/gif')], { name: 'claude-ai' });
    expect(blocks[1]).toMatchObject({ type: 'resource_link', mimeType: 'image/gif', size: gif.length });
  });

  it('with another type than it claims is scaled as what it is', async () => {
    const { blocks } = await received([image(await jpeg(1_000, 500), 'image/gif')], { maxImageSide: 500 });
    expect(blocks[0]).toMatchObject({ mimeType: 'image/jpeg' });
    expect(sizeOf(blocks[0])).toMatchObject({ format: 'jpeg', width: 500 });
  });
});

it('Images are scaled again after a temporary problem, such as a lack of file handles', async () => {
  const root = mkdtempSync(join(tmpdir(), 'toolkeep-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const project = join(import.meta.dirname, '../../..');
  const built = join(root, 'dist/image-worker.cjs');
  mkdirSync(built, { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
  const copy = join(root, 'scale.ts');
  copyFileSync(join(project, 'electron/core/calls/images/scale.ts'), copy);
  const { scaleImage }: typeof import('../../../electron/core/calls/images/scale.ts') = await import(copy);
  const size = { format: 'png', width: 800, height: 400 } as const;
  const task = { base64: png(800, 400).toString('base64'), size, maxSide: 400, maxBytes: 100_000 };
  const scaled = () => scaleImage(task, new AbortController().signal);
  expect(await scaled()).toBeUndefined();
  rmdirSync(built);
  copyFileSync(join(project, 'dist/image-worker.cjs'), built);
  expect(await scaled()).toMatchObject({ width: 400, height: 200 });
});

describe('A hostile image', () => {
  const whole = png(2_000, 1_000, 40);
  it.each([
    ['claims more pixels than memory holds', pngWith(65_000, 65_000, Buffer.alloc(1_000))],
    ['has a row less than it claims', pngWith(2_000, 1_000, Buffer.alloc(8_001 * 999))],
    ['is cut off', whole.subarray(0, 30_000)],
    ['has a second, larger header', pngWithSecondHeader(12_000, 12_000)],
    ['has a canvas smaller than its frame', webpWithFrame(16_000, 16_000)],
    ['has other bytes after its header', Buffer.concat([whole.subarray(0, 40), Buffer.alloc(5_000, 7)])],
  ])('that %s is linked instead', async (_, bytes) => {
    const { blocks } = await received([image(bytes)], { maxImageSide: 500 });
    expect(blocks.map(({ type }) => type)).toEqual(['text', 'resource_link']);
    expect(blocks[0]?.text).toMatch(/^The image is too large for this client. Saved/);
    expect(savedBytes(blocks[1]).equals(bytes)).toBe(true);
  });

  it.each([
    ['is empty', Buffer.alloc(0)],
    ['is text', Buffer.from('no image')],
    ['ends in its header', whole.subarray(0, 20)],
    ['is a JPEG whose segments lead nowhere', Buffer.from('ffd8ffe10000ffffffff', 'hex')],
    ['has no pixels', pngWith(0, 0, Buffer.alloc(0))],
  ])('that %s is not touched, since its size is unknown', async (_, bytes) => {
    expect((await received([image(bytes)], { maxImageSide: 500 })).isSame).toBe(true);
  });

  it.each([0x00, 0x01, 0xd0, 0xd7, 0xd8, 0xd9, 0xda, 0xc8, 0xdc, 0xfd])(
    'whose frame header follows the marker %i, in what seems to be its segment, is not touched',
    async (marker) => {
      const bytes = jpegHiddenBy(marker, 12_000);
      expect((await received([image(bytes, 'image/jpeg')], { maxImageSide: 500 })).isSame).toBe(true);
    },
  );

  it.each([
    ['smaller', 500, 100],
    ['larger', 2_000, 2_000],
  ])('whose size was misread as a %s one is not scaled', async (_, width, height) => {
    const size = { format: 'png', width, height } as const;
    const task = { base64: whole.toString('base64'), size, maxSide: 500, maxBytes: 1_000_000 };
    expect(await scaleImage(task, new AbortController().signal)).toBeUndefined();
  });

  it('whose call is cancelled is linked', async () => {
    const { blocks } = await received([image(whole)], { maxImageSide: 500, signal: AbortSignal.abort() });
    expect(blocks.map(({ type }) => type)).toEqual(['text', 'resource_link']);
  });

  it('that is a decompression bomb within the claimed size yields only the claimed pixels', async () => {
    const bomb = pngWith(1_000, 1_000, Buffer.alloc(4_001 * 40_000));
    const { blocks } = await received([image(bomb)], { maxImageSide: 500 });
    if (blocks[0]?.type === 'image') expect(sizeOf(blocks[0])).toMatchObject({ width: 500, height: 500 });
    else expect(blocks[1]?.type).toBe('resource_link');
  });
});
