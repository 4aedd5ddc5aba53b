/** Finds an entry with nearly the same name as another one. */
import { createSlices } from '../async/slices.ts';

/** Characters that look alike in most fonts. */
const alike: [RegExp, string][] = [
  [/0/g, 'o'],
  [/[1|]/g, 'l'],
  [/5/g, 's'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[-_.]/g, ''],
];

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
    if (distance(own, skeletonOf(name), most) <= most) return name;
  }
  return undefined;
}

function skeletonOf(name: string): string {
  return alike.reduce((text, [from, to]) => text.replace(from, to), name.toLowerCase().slice(0, 120));
}

/** The number of edits that turn `a` into `b`, at most `most + 1`. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const change = (before[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const value = Math.min(change, (before[j] as number) + 1, (row[j - 1] as number) + 1);
      row.push(value);
      least = Math.min(least, value);
    }
    if (least > most) return most + 1;
    before = row;
  }
  return before[b.length] as number;
}
