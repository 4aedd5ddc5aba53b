/** Compares names that a user could confuse. */

/** Characters that look alike in most fonts. */
const alike: [RegExp, string][] = [
  [/0/g, 'o'],
  [/[1|]/g, 'l'],
  [/5/g, 's'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[-_.]/g, ''],
];

/** The name with one character in place of each that looks like it. */
export function skeletonOf(name: string): string {
  const plain = name.slice(0, 120).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return alike.reduce((text, [from, to]) => text.replace(from, to), plain);
}

/** The number of edits that turn `a` into `b`, at most `most + 1`. */
export function editsBetween(a: string, b: string, most: number): number {
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

/** Splits `text` around the shortest part without which it would begin and end like `other`. */
export function differenceTo(text: string, other: string): { before: string; middle: string; after: string } {
  const [mine, theirs] = [Array.from(text), Array.from(other)];
  const shorter = Math.min(mine.length, theirs.length);
  let start = 0;
  while (start < shorter && mine[start] === theirs[start]) start += 1;
  let end = 0;
  while (end < shorter - start && mine[mine.length - 1 - end] === theirs[theirs.length - 1 - end]) end += 1;
  const parts = [mine.slice(0, start), mine.slice(start, mine.length - end), mine.slice(mine.length - end)];
  const [before = '', middle = '', after = ''] = parts.map((part) => part.join(''));
  return { before, middle, after };
}
