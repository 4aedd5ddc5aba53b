/** Formats a tool result for the terminal, block by block. */
import { safe, safeLines } from '../terminal.ts';

type Block = Record<string, unknown>;

/** Text appears unchanged; images, audio and files as type and size; structured content only if there is no text. */
export function resultText(result: Record<string, unknown>): string {
  const blocks = (Array.isArray(result.content) ? result.content : []) as Block[];
  const parts = blocks.map(blockText).filter((text) => text !== '');
  if (result.structuredContent !== undefined && !blocks.some((block) => block.type === 'text'))
    parts.push(safeLines(JSON.stringify(result.structuredContent, null, 2), 0));
  return parts.join('\n') || '(no content)';
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'text':
      return safeLines(String(block.text ?? ''), 0).trimEnd();
    case 'image':
    case 'audio':
      return safe(`[${block.type}: ${block.mimeType ?? 'unknown type'}, ${sizeText(block.data)}]`);
    case 'resource_link':
      return safe(`[link: ${block.name ?? block.uri} <${block.uri}>]`);
    case 'resource': {
      const resource = (block.resource ?? {}) as Block;
      if (typeof resource.text === 'string')
        return `${safe(`[resource: ${resource.uri}]`)}\n${safeLines(resource.text, 0)}`;
      return safe(`[resource: ${resource.uri}, ${resource.mimeType ?? 'unknown type'}, ${sizeText(resource.blob)}]`);
    }
    default:
      return safe(JSON.stringify(block));
  }
}

/** Base64 encodes three bytes in four characters. */
function sizeText(base64: unknown): string {
  const bytes = typeof base64 === 'string' ? Math.floor((base64.length * 3) / 4) : 0;
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} kB`;
}
