/** JSON pointers: `#/$defs/x` in schemas. */
import { decodedUri } from '../../../shared/decoded-uri.ts';

/** The value that a local pointer (`#`, `#/$defs/x`) names inside `root`; undefined if there is none. */
export function followPointer(root: unknown, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const raw of reference.slice(1).split('/').slice(1)) {
    const key = decodedUri(raw).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
