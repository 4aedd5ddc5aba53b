/**
 * Selects the usable icons of those that a server declares. The others would take up memory while the server is
 * connected.
 */
import { isObject } from '../../../shared/is-object.ts';

/** The maximum size of a picture. */
export const maxIconBytes = 64 * 1024;
/** Base64 takes 4 characters for 3 bytes, percent encoding up to 3 characters for one. */
const maxSource = maxIconBytes * 3;
const maxIcons = 8;

export interface DeclaredIcon {
  /** A `data:` URI or a URL. */
  src: string;
  isDark: boolean;
}

export function declaredIcons(icons: unknown): DeclaredIcon[] {
  return (Array.isArray(icons) ? icons.slice(0, maxIcons) : [])
    .filter(isObject)
    .flatMap(({ src, theme }) =>
      typeof src === 'string' && src.length <= maxSource ? [{ src, isDark: theme === 'dark' }] : [],
    );
}
