/** Reads the format and the size of an image from its first bytes. */

export interface ImageSize {
  format: 'png' | 'jpeg' | 'webp' | 'gif';
  width: number;
  height: number;
}

/** Undefined for other formats, and for images whose size does not follow their first bytes. */
export function imageSize(bytes: Buffer): ImageSize | undefined {
  const found = png(bytes) ?? webp(bytes) ?? gif(bytes) ?? jpeg(bytes);
  return found && found.width > 0 && found.height > 0 ? found : undefined;
}

function png(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 24 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function webp(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  const format = 'webp' as const;
  switch (bytes.toString('latin1', 8, 16)) {
    case 'WEBPVP8 ':
      return { format, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'WEBPVP8L': {
      const bits = bytes.readUInt32LE(21);
      return { format, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'WEBPVP8X':
      return { format, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

function gif(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined;
  return { format: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/**
 * The size is in the first frame header, which follows other segments. libjpeg reads on after a marker without a length,
 * so a frame header could hide in what looks like its segment.
 */
function jpeg(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] as number;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { format: 'jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    if (!hasLength(marker)) return undefined;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Tables, application data, and comments; all others end the header, are unknown to libjpeg, or have no length. */
const hasLength = (marker: number) =>
  marker === 0xc4 ||
  marker === 0xcc ||
  marker === 0xdb ||
  marker === 0xdd ||
  (marker >= 0xe0 && marker <= 0xef) ||
  marker === 0xfe;
