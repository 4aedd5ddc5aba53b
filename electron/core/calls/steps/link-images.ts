/** Saves images that the client cannot handle to files, and links to them. */
import { textFrom } from '../../../../shared/text-from.ts';
import { createSlices } from '../../async/slices.ts';
import { definitionOf } from '../../clients/known-clients.ts';
import { imageSize } from '../../files/image-size.ts';
import type { JsonObject, ToolCall } from '../../types.ts';
import type { SavedFiles } from '../saved-files.ts';
import type { CallResult } from '../step.ts';

export interface LinkImagesOptions {
  /** Whether the tool has an MCP App, which needs the result unchanged. */
  hasApp(server: string, tool: string): boolean;
}

type Image = JsonObject & { data: string };

/** Further images stay unchanged, because Toolkeep keeps only 200 files. */
const maxImages = 200;
/** Structured content is searched for the images down to this depth, and up to this many values. */
const maxDepth = 8;
const maxValues = 10_000;
/** Covers the metadata of ordinary JPEG files, which precede the size. */
const headerCharacters = 256 * 1024;

export function createLinkImages({ hasApp }: LinkImagesOptions, files: SavedFiles) {
  async function withLinks(result: CallResult, side: number, characters: number): Promise<CallResult> {
    const received = Array.isArray(result.content) ? (result.content as JsonObject[]) : [];
    const replaced = new Map<JsonObject, JsonObject[]>();
    const addresses = new Map<string, string>();
    for (const image of await tooLarge(received.filter(isImage).slice(0, maxImages), side, characters)) {
      const { format } = sizeOf(image) ?? {};
      const original = await files.save(image.data, format ? `image/${format}` : textFrom(image.mimeType));
      // Data that cannot be saved stays in the result.
      if (!original) continue;
      const { link, note } = original;
      replaced.set(image, [{ type: 'text', text: `The image is too large for this client. ${note}` }, link]);
      addresses.set(image.data, String(link.uri));
    }
    if (replaced.size === 0) return result;
    const content = received.flatMap((block) => replaced.get(block) ?? block);
    const { structuredContent } = result;
    if (structuredContent === undefined) return { ...result, content };
    return { ...result, content, structuredContent: withAddresses(structuredContent, addresses) };
  }

  return ({ client, server, tool }: ToolCall, result: CallResult): CallResult | Promise<CallResult> => {
    const limits = definitionOf(client)?.images;
    if (!limits || hasApp(server, tool)) return result;
    const { side = Number.POSITIVE_INFINITY, characters = Number.POSITIVE_INFINITY } = limits;
    return withLinks(result, side, characters);
  };
}

const isImage = (block: JsonObject): block is Image => block.type === 'image' && typeof block.data === 'string';
const sizeOf = ({ data }: Image) => imageSize(Buffer.from(data.slice(0, headerCharacters), 'base64'));

/** The images with more pixels on a side, and the largest others until the rest has at most `characters` of base64. */
async function tooLarge(images: readonly Image[], side: number, characters: number): Promise<Image[]> {
  const pause = createSlices();
  const fitting: Image[] = [];
  const large: Image[] = [];
  for (const image of images) {
    const size = sizeOf(image);
    (size && Math.max(size.width, size.height) > side ? large : fitting).push(image);
    await pause();
  }
  let left = characters;
  for (const image of fitting.sort((a, b) => a.data.length - b.data.length)) {
    left -= image.data.length;
    if (left < 0) large.push(image);
  }
  return large;
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
