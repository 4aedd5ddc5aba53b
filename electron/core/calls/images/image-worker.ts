/** A thread that scales one image and ends. The codecs are WebAssembly, so a malformed image cannot reach other memory. */
import { parentPort, workerData } from 'node:worker_threads';
import { compile as jpegDecoder } from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm';
import { compile as jpegEncoder } from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm';
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js';
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js';
import { compile as pngCodec } from '@jsquash/png/codec/pkg/squoosh_png_bg.wasm';
import decodePng, { init as initPng } from '@jsquash/png/decode.js';
import encodePng, { init as initPngEncoder } from '@jsquash/png/encode.js';
import resize, { initResize } from '@jsquash/resize';
import { compile as resizer } from '@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm';
import { compile as webpDecoder } from '@jsquash/webp/codec/dec/webp_dec.wasm';
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import { type ImageSize, imageSize } from '../../files/image-size.ts';
import type { ScaledImage, ScaleJob } from './scale.ts';

interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

const jpegQuality = 82;
const white = 255;
/** The sides shrink by this factor while the image still has too many bytes. */
const smaller = 0.75;
const minSide = 64;
/** PNG keeps text sharp. An image that is larger as a PNG is probably a photo. */
const maxPngBytes = 1_000_000;

/** Checks the size again, because the caller has seen only the first bytes. */
async function decoded(bytes: Buffer, { format, width, height }: ImageSize): Promise<Pixels> {
  const whole = imageSize(bytes);
  if (whole?.format !== format || whole.width !== width || whole.height !== height)
    throw new Error('The size of the whole image differs from the size in its first bytes.');
  const pixels = await decodedAs(format, bytes);
  // A rotated photo may be decoded with its width and height swapped.
  if (pixels.width * pixels.height !== width * height)
    throw new Error('The decoded image does not have the size in its header.');
  return pixels;
}

async function decodedAs(format: ImageSize['format'], bytes: Buffer): Promise<Pixels> {
  const own = new Uint8Array(bytes).buffer;
  if (format === 'png') {
    await initPng(pngCodec());
    return decodePng(own);
  }
  if (format === 'webp') {
    await initWebp(webpDecoder());
    return decodeWebp(own);
  }
  await initJpegDecoder(jpegDecoder());
  return decodeJpeg(own, { preserveOrientation: true });
}

function fitted(pixels: Pixels, side: number): Promise<Pixels> | Pixels {
  const { width, height } = pixels;
  const factor = side / Math.max(width, height);
  if (factor >= 1) return pixels;
  const size = { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
  // Without `linearRGB` and `premultiply`, scaling takes half the memory and time.
  return resize(pixels, { ...size, method: 'lanczos3', linearRGB: false, premultiply: !isOpaque(pixels) });
}

function isOpaque({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

/** JPEG has no transparency. */
function onWhite({ data, width, height }: Pixels): Pixels {
  const opaque = new Uint8ClampedArray(data);
  for (let at = 0; at < opaque.length; at += 4) {
    const alpha = (data[at + 3] as number) / 255;
    for (let part = at; part < at + 3; part += 1) opaque[part] = (data[part] as number) * alpha + white * (1 - alpha);
    opaque[at + 3] = 255;
  }
  return { data: opaque, width, height };
}

async function asPng(image: Pixels): Promise<Uint8Array> {
  await initPngEncoder(pngCodec());
  return new Uint8Array(await encodePng(image));
}

async function asJpeg(image: Pixels): Promise<Uint8Array> {
  await initJpegEncoder(jpegEncoder());
  return new Uint8Array(await encodeJpeg(onWhite(image), { quality: jpegQuality }));
}

async function scaled({ base64, size, maxSide, maxBytes }: ScaleJob): Promise<ScaledImage> {
  const original = Buffer.from(base64, 'base64');
  const pixels = await decoded(original, size);
  await initResize(resizer());
  const first = Math.min(maxSide, Math.max(pixels.width, pixels.height));
  for (let side = first; side === first || side >= minSide; side *= smaller) {
    const image = await fitted(pixels, side);
    const encoded = (bytes: Uint8Array, mimeType: string): ScaledImage => ({
      base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
      mimeType,
      width: image.width,
      height: image.height,
    });
    // If the first PNG is too large, JPEG saves more than scaling it further down.
    const png = side === first && (size.format === 'png' || !isOpaque(image)) ? await asPng(image) : undefined;
    if (png && png.length <= Math.min(maxBytes, maxPngBytes, original.length)) return encoded(png, 'image/png');
    const jpeg = await asJpeg(image);
    if (png && png.length <= Math.min(maxBytes, jpeg.length)) return encoded(png, 'image/png');
    if (jpeg.length <= maxBytes) return encoded(jpeg, 'image/jpeg');
  }
  throw new Error('The image could not be made small enough.');
}

scaled(workerData as ScaleJob).then(
  (image) => parentPort?.postMessage(image),
  () => parentPort?.postMessage(undefined),
);
