/**
 * Scales images in results if the user configured that, or if the client cannot handle larger ones. Saves the original to a
 * file and links to it.
 */

import { textFrom } from '../../../../shared/text-from.ts';
import { createSlices } from '../../async/slices.ts';
import { definitionOf } from '../../clients/known-clients.ts';
import type { ResultPaging } from '../../config/schema.ts';
import { type ImageSize, imageSize } from '../../files/image-size.ts';
import type { Client, JsonObject, ToolCall } from '../../types.ts';
import { scaleImage } from '../images/scale.ts';
import type { SavedFiles } from '../saved-files.ts';
import type { CallResult } from '../step.ts';

export interface ScaleImagesOptions {
  resultPaging(): ResultPaging;
  /** Whether the tool has an MCP App, which needs the result unchanged. */
  hasApp(server: string, tool: string): boolean;
}

type Image = JsonObject & { data: string };

interface Measured {
  image: Image;
  /** Undefined if it cannot be scaled. */
  size: ImageSize | undefined;
  isTooLarge: boolean;
}

interface Fitted {
  blocks: JsonObject[];
  uri: string;
}

interface Limits {
  /** Pixels of the longer side. */
  side: number;
  /** Base64 characters of all images in a result. */
  characters: number;
}

/** Pixels of the longer side of an image whose only problem is its number of characters. */
const readableSide = 2_000;
/** For all images of a result. */
const timeoutMs = 30_000;
/** Further images are linked but not scaled, because scaling takes a thread for each image. */
const maxScaled = 50;
/** Further images stay unchanged, because Toolkeep keeps only 200 files. */
const maxImages = 200;
/** Structured content is searched for the images down to this depth, and up to this many values. */
const maxDepth = 8;
const maxValues = 10_000;
/** Covers the metadata of ordinary JPEG files, which precede the size. */
const headerCharacters = 256 * 1024;

export function createScaleImages({ resultPaging, hasApp }: ScaleImagesOptions, files: SavedFiles) {
  /**
   * Resolves with the blocks that replace an image, and the address of its original; undefined if the original cannot be saved.
   * Without a signal, the image is not scaled.
   */
  async function fitted(
    { image, size }: Measured,
    side: number,
    characters: number,
    signal: AbortSignal | undefined,
  ): Promise<Fitted | undefined> {
    const { data } = image;
    const job = size && {
      base64: data,
      size,
      maxSide: Number.isFinite(side) ? side : readableSide,
      maxBytes: (characters / 4) * 3,
    };
    const scaled = job && signal && (await scaleImage(job, signal));
    const original = await files.save(data, size ? `image/${size.format}` : textFrom(image.mimeType));
    if (original === undefined) return undefined;
    const { link, note } = original;
    const uri = String(link.uri);
    if (!scaled)
      return { uri, blocks: [{ type: 'text', text: `The image is too large for this client. ${note}` }, link] };
    const { base64, mimeType, width, height } = scaled;
    const change = `The image was scaled from ${size.width} × ${size.height} to ${width} × ${height} pixels.`;
    return {
      uri,
      blocks: [{ ...image, data: base64, mimeType }, { type: 'text', text: `${change} ${note}` }, link],
    };
  }

  async function withFittedImages(result: CallResult, limits: Limits, signal: AbortSignal): Promise<CallResult> {
    const received = Array.isArray(result.content) ? (result.content as JsonObject[]) : [];
    const measured = await measure(received.filter(isImage).slice(0, maxImages), limits.side);
    const characters = shareOf(measured, limits.characters);
    const large = measured.filter(({ image, isTooLarge }) => isTooLarge || image.data.length > characters);
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const replaced = new Map<JsonObject, JsonObject[]>();
    const addresses = new Map<string, string>();
    for (const [at, one] of large.entries()) {
      const smaller = await fitted(one, limits.side, characters, at < maxScaled ? inTime : undefined);
      if (!smaller) continue;
      replaced.set(one.image, smaller.blocks);
      addresses.set(one.image.data, smaller.uri);
    }
    if (replaced.size === 0) return result;
    const content = received.flatMap((block) => replaced.get(block) ?? block);
    const { structuredContent } = result;
    if (structuredContent === undefined) return { ...result, content };
    return { ...result, content, structuredContent: withAddresses(structuredContent, addresses) };
  }

  return ({ client, server, tool, signal }: ToolCall, result: CallResult): CallResult | Promise<CallResult> => {
    const limits = limitsFor(client, resultPaging());
    return limits === undefined || hasApp(server, tool) ? result : withFittedImages(result, limits, signal);
  };
}

const isImage = (block: JsonObject): block is Image => block.type === 'image' && typeof block.data === 'string';

async function measure(images: readonly Image[], side: number): Promise<Measured[]> {
  const pause = createSlices();
  const measured: Measured[] = [];
  for (const image of images) {
    const size = imageSize(Buffer.from(image.data.slice(0, headerCharacters), 'base64'));
    measured.push({ image, size, isTooLarge: size !== undefined && Math.max(size.width, size.height) > side });
    await pause();
  }
  return measured;
}

/** How many characters each image may have: small images keep theirs, and the others share the rest. */
function shareOf(images: readonly Measured[], characters: number): number {
  if (!Number.isFinite(characters)) return characters;
  const wanted = images.map(({ image, isTooLarge }) => (isTooLarge ? characters : image.data.length));
  let left = characters;
  for (const [at, length] of wanted.sort((a, b) => a - b).entries()) {
    const share = Math.floor(left / (wanted.length - at));
    if (length > share) return share;
    left -= length;
  }
  return characters;
}

/**
 * Some servers repeat an image in the structured content. Replaces each copy with the original's address. Leaves
 * content with too many values unchanged, because a result without it would violate the tool's output schema.
 */
function withAddresses(structured: unknown, addresses: ReadonlyMap<string, string>): unknown {
  let left = maxValues;
  function replaced(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return addresses.get(value) ?? value;
    if (typeof value !== 'object' || value === null || depth > maxDepth || left < 0) return value;
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    left -= keys?.length ?? (value as unknown[]).length;
    if (left < 0) return value;
    if (!keys) return (value as unknown[]).map((item) => replaced(item, depth + 1));
    return Object.fromEntries(keys.map((key) => [key, replaced((value as JsonObject)[key], depth + 1)]));
  }
  const changed = replaced(structured, 0);
  return left < 0 ? structured : changed;
}

/** The user's limit, otherwise the client's own; undefined for none. */
function limitsFor(client: Client, { maxImageSide }: ResultPaging): Limits | undefined {
  const { side, characters } = definitionOf(client)?.images ?? {};
  const wanted = maxImageSide > 0 ? maxImageSide : side;
  if (wanted === undefined && characters === undefined) return undefined;
  return { side: wanted ?? Number.POSITIVE_INFINITY, characters: characters ?? Number.POSITIVE_INFINITY };
}
