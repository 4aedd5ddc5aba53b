/**
 * Scales images in results if the user configured that, or if the client does not take larger ones. The original is saved to a
 * file, and linked.
 */
import { definitionOf } from '../../clients/known-clients.ts';
import type { ResultPaging } from '../../config/schema.ts';
import type { Client, JsonObject } from '../../types.ts';
import { imageSize } from '../images/image-size.ts';
import { scaleImage } from '../images/scale.ts';
import type { SavedFiles } from '../saved-files.ts';
import type { CallResult, Step } from '../step.ts';

export interface ScaleImagesOptions {
  resultPaging(): ResultPaging;
  /** Whether the tool has an MCP App, which needs the result unchanged. */
  hasApp(server: string, tool: string): boolean;
}

type Image = JsonObject & { data: string };

interface Fitted {
  blocks: JsonObject[];
  uri: string;
}

interface Limits {
  /** Pixels of the longer side. */
  side: number;
  /** Base64 characters of all images of a result. */
  characters: number;
}

/** Pixels of the longer side of an image that only has too many characters. */
const readableSide = 2_000;
/** For all images of a result. */
const timeoutMs = 30_000;
/** Structured content is searched for the images down to this depth, and up to this many values. */
const maxDepth = 8;
const maxValues = 10_000;
/** Covers the metadata of ordinary JPEG files, which precede the size. */
const headerCharacters = 256 * 1024;

export function createScaleImages({ resultPaging, hasApp }: ScaleImagesOptions, files: SavedFiles): Step {
  /** The blocks that replace an image, and the address of its original; undefined if the image can stay. */
  async function fitted(image: Image, { side, characters }: Limits, signal: AbortSignal): Promise<Fitted | undefined> {
    const { data } = image;
    const size = imageSize(Buffer.from(data.slice(0, headerCharacters), 'base64'));
    const isTooLarge = size !== undefined && Math.max(size.width, size.height) > side;
    if (!isTooLarge && data.length <= characters) return undefined;
    const maxBytes = (characters / 4) * 3;
    const task = size && {
      base64: data,
      size,
      maxSide: Number.isFinite(side) ? side : readableSide,
      maxBytes,
    };
    const scaled = task && (await scaleImage(task, signal));
    const original = await files.save(data, size ? `image/${size.format}` : String(image.mimeType));
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
    const images = received.filter(isImage).length;
    if (images === 0) return result;
    const each = { ...limits, characters: Math.floor(limits.characters / images) };
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const content: JsonObject[] = [];
    const replaced = new Map<unknown, string>();
    for (const block of received) {
      const smaller = isImage(block) ? await fitted(block, each, inTime) : undefined;
      content.push(...(smaller?.blocks ?? [block]));
      if (smaller) replaced.set(block.data, smaller.uri);
    }
    if (replaced.size === 0) return result;
    const { structuredContent } = result;
    if (structuredContent === undefined) return { ...result, content };
    return { ...result, content, structuredContent: withReplaced(structuredContent, replaced, { left: maxValues }) };
  }

  return async (call, next) => {
    const result = await next();
    const limits = limitsFor(call.client, resultPaging());
    if (limits === undefined || hasApp(call.server, call.tool)) return result;
    return withFittedImages(result, limits, call.signal);
  };
}

const isImage = (block: JsonObject): block is Image => block.type === 'image' && typeof block.data === 'string';

/** Some servers repeat an image in the structured content, which becomes the address of the original. */
function withReplaced(
  value: unknown,
  replaced: ReadonlyMap<unknown, string>,
  budget: { left: number },
  depth = 0,
): unknown {
  if (typeof value === 'string') return replaced.get(value) ?? value;
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  const entries = Object.entries(value);
  budget.left -= entries.length;
  if (budget.left < 0) return value;
  const inner = entries.map(([key, item]) => [key, withReplaced(item, replaced, budget, depth + 1)] as const);
  return Array.isArray(value) ? inner.map(([, item]) => item) : Object.fromEntries(inner);
}

/** The user's limit, otherwise the client's own; undefined for none. */
function limitsFor(client: Client, { maxImageSide }: ResultPaging): Limits | undefined {
  const { side, characters } = definitionOf(client)?.images ?? {};
  const wanted = maxImageSide > 0 ? maxImageSide : side;
  if (wanted === undefined && characters === undefined) return undefined;
  return { side: wanted ?? Number.POSITIVE_INFINITY, characters: characters ?? Number.POSITIVE_INFINITY };
}
