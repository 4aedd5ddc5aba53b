/**
 * The icon that a server declares, by which the user recognizes it in lists. An icon can imitate another one, so questions
 * never show it.
 */
import { hash } from 'node:crypto';
import type { Connection } from '../../../../shared/model/server.ts';
import { readBody } from '../../async/read-body.ts';
import { imageSize } from '../../files/image-size.ts';
import { type DeclaredIcon, maxIconBytes } from '../declared-icons.ts';

export interface Icon {
  /** Changes with the icon. */
  id: string;
  /** A `data:` URI. */
  src: string;
}

const maxSide = 512;
/** Discovery does not wait longer for a picture. */
const fetchMs = 1_500;

/**
 * The first usable icon: a PNG, JPEG, WebP or plain SVG from a `data:` URI, or from the origin of the server's own URL. Those for
 * dark themes come last, because the window draws icons on a light background. Never rejects.
 */
export async function readIcon(
  declared: readonly DeclaredIcon[],
  connection: Connection | undefined,
  signal: AbortSignal,
): Promise<Icon | undefined> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(fetchMs)]);
  for (const { src } of declared.toSorted((a, b) => Number(a.isDark) - Number(b.isDark))) {
    const bytes = await bytesOf(src, connection, deadline).catch(() => undefined);
    const type = bytes && typeOf(bytes);
    if (!type) continue;
    const uri = `data:${type};base64,${bytes.toString('base64')}`;
    return { id: hash('sha256', uri, 'base64url').slice(0, 12), src: uri };
  }
  return undefined;
}

async function bytesOf(
  src: string,
  connection: Connection | undefined,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if (src.startsWith('data:')) return bytesOfData(src);
  const url = new URL(src);
  const isOwn = connection && connection.type !== 'stdio' && new URL(connection.url).origin === url.origin;
  if (!isOwn || !/^https?:$/.test(url.protocol)) return undefined;
  // Without the user's sign-in or headers. A redirect would lead to another origin.
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'image/*' } });
  if (response.ok) return readBody(response, maxIconBytes);
  await response.body?.cancel();
  return undefined;
}

function bytesOfData(uri: string): Buffer | undefined {
  const comma = uri.indexOf(',');
  if (comma === -1) return undefined;
  const content = uri.slice(comma + 1);
  const bytes = uri.slice(0, comma).endsWith(';base64')
    ? Buffer.from(content, 'base64')
    : Buffer.from(decodeURIComponent(content));
  return bytes.length <= maxIconBytes ? bytes : undefined;
}

/** The media type of a harmless picture. The declared type does not matter. */
function typeOf(bytes: Buffer): string | undefined {
  const size = imageSize(bytes);
  if (!size) return isPlainSvg(bytes.toString('utf8')) ? 'image/svg+xml' : undefined;
  const isUsable = size.format !== 'gif' && Math.max(size.width, size.height) <= maxSide && !isAnimated(bytes);
  return isUsable ? `image/${size.format}` : undefined;
}

/** Animated PNG and WebP. */
const isAnimated = (bytes: Buffer): boolean => bytes.includes('acTL') || bytes.includes('ANIM');

/** Shapes and gradients. References could nest, and all other elements load, run or animate something. */
const elements = new Set(
  '?xml svg g path circle ellipse rect line polyline polygon defs linearGradient radialGradient stop title desc'.split(
    ' ',
  ),
);

/** Links, handlers, remote paints, escapes that could hide them, and features that take long to draw. */
const refused = /\bhref\b|\son\w+\s*=|url\(\s*(?!["']?#)|image-set|\\|&#|\bfilter\b|stroke-dasharray/i;

/** Whether an SVG has only shapes, gradients and comments. */
function isPlainSvg(text: string): boolean {
  const [before = '', ...comments] = text.split('<!--');
  if (comments.some((comment) => !comment.includes('-->'))) return false;
  const code = before + comments.map((comment) => comment.slice(comment.indexOf('-->') + 3)).join('');
  if (!code.includes('<svg') || !code.includes('"http://www.w3.org/2000/svg"')) return false;
  if (refused.test(code)) return false;
  return [...code.matchAll(/<\/?([^\s/>]*)/g)].every(([, name = '']) => elements.has(name));
}
