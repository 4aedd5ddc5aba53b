/** Corrects results that break clients: one image with the wrong type makes a model's provider refuse the whole conversation. */
import { isObject } from '../../../shared/is-object.ts';
import { textFrom } from '../../../shared/text-from.ts';
import type { CallResult } from './step.ts';

/** The same object if nothing is wrong with the result. */
export function correctResult(result: CallResult): CallResult {
  const { content: given, structuredContent } = result;
  const blocks = Array.isArray(given) ? given : given === undefined || given === null ? [] : [given];
  const content = blocks.map(correctBlock);
  if (content.length === 0 && structuredContent !== undefined) content.push(textBlock(textFrom(structuredContent)));
  const isSame = Array.isArray(given) && content.length === given.length;
  return isSame && content.every((block, index) => block === given[index]) ? result : { ...result, content };
}

const textBlock = (text: string) => ({ type: 'text', text });

function correctBlock(block: unknown): unknown {
  if (!isObject(block) || typeof block.type !== 'string') return textBlock(textFrom(block));
  if (block.type === 'text' && typeof block.text !== 'string') return { ...block, text: textFrom(block.text ?? '') };
  return block.type === 'image' ? correctImage(block) : block;
}

/** The first bytes of a file, in hexadecimal digits. */
const signatures: [type: string, start: RegExp][] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250/],
];

/** Sets the type that the bytes have. Bytes of no type that models read become a note. */
function correctImage(block: Record<string, unknown>): unknown {
  const [, written = ''] = typeof block.data === 'string' ? block.data.split(/^data:[^,]{0,200},/) : [];
  const data = written === '' ? textFrom(block.data ?? '') : written;
  const start = Buffer.from(data.slice(0, 64), 'base64').toString('hex');
  const type = signatures.find(([, pattern]) => pattern.test(start))?.[0];
  if (type !== undefined && type === block.mimeType && data === block.data) return block;
  if (type !== undefined) return { ...block, data, mimeType: type };
  const size = Math.floor((data.length * 3) / 4);
  const declared = textFrom(block.mimeType ?? 'no type').slice(0, 100);
  return textBlock(
    `(An image of ${size} bytes, declared as ${declared}, is not PNG, JPEG, GIF or WebP, so it was left out.)`,
  );
}
