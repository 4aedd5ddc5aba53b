/**
 * The place in a request that receives a secret: `header:NAME`, `query:NAME`, or `path:` and the path before it. A host may publish
 * what it gets in another place, such as the text of a message in its address.
 */

/** Whether `allowed` covers the place. `header:*` covers all headers. */
export const isPlace = (place: string, allowed: string): boolean =>
  allowed === place || (allowed === 'header:*' && place.startsWith('header:'));

/** The place as the end of a sentence. */
export function placeText(place: string): string {
  const { kind, name } = partsOfPlace(place);
  if (kind === 'header') return `in the header ${name}`;
  return kind === 'query' ? `in the parameter ${name} of the address` : `in the path after ${name}`;
}

export function partsOfPlace(place: string): { kind: string; name: string } {
  const at = place.indexOf(':');
  return { kind: place.slice(0, at), name: place.slice(at + 1) };
}
