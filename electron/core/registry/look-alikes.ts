/** Finds an entry with nearly the same name as another one. */

import { editsBetween, skeletonOf } from '../../../shared/look-alike.ts';
import { createSlices } from '../async/slices.ts';

/**
 * Returns another publisher's entry with nearly the same name. It may be newer, because entries contain only the date of
 * their latest version. Entries of the same publisher do not count.
 */
export async function lookAlike(entry: string, others: Iterable<string>): Promise<string | undefined> {
  const slice = createSlices();
  const [namespace] = entry.split('/');
  const own = skeletonOf(entry);
  const most = own.length > 14 ? 2 : 1;
  for (const name of others) {
    if (name.split('/')[0] === namespace || Math.abs(name.length - entry.length) > 4) continue;
    await slice();
    if (editsBetween(own, skeletonOf(name), most) <= most) return name;
  }
  return undefined;
}
