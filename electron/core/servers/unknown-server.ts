/** Suggests names for a server that does not exist. */
import { didYouMean } from '../search/similar-names.ts';
import { shortened } from '../tools/truncate.ts';

/** Maximum number of servers in a hint. */
const mostListed = 12;

/** A hint with similar names, or else with all `names`; undefined if there are none. */
export function hintForServer(name: string, names: string[]): string | undefined {
  const listed = names.length > 0 ? `The servers are ${shortened(names, mostListed)}.` : undefined;
  return didYouMean(name, names) ?? listed;
}
