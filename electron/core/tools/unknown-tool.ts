/** The hint for a call that names a tool that its server does not have. */
import { didYouMean } from '../search/similar-names.ts';
import { shortened } from './truncate.ts';

const listed = 10;

/** Similar names and the server's tools; undefined if it has none. `names`: the tools that the caller may know of. */
export function hintForTool(name: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return [didYouMean(name, names) ?? [], `It has: ${shortened(names, listed)}.`].flat().join(' ');
}
