/** The objects of a verb in a name or sentence. Exceptions depend on the objects, because a word elsewhere may be anything. */
import { words } from './verb-row.ts';
import { basicForms } from './words.ts';

/** Words that end the objects of a verb. */
const objectEnds = words(
  `from by to in of for with on at into onto as via than using without after before when while if that which who whose so
   because against per under within across between through is are was were be will can must should based matching`,
);
/** Words between two objects. */
const separators = words('and or nor plus then also a an the this that these its their your any each every other');
/** Words at the end of a name that do not say what the tool acts on. */
const suffixes = words('bulk batch multiple many tool mcp api async id ids first again v1 v2 v3');

/** The words of each object of the verb. A verb at the end of a name acts on what precedes it: `cache_clear`. */
export function objectsOf(verb: string, name: string[]): string[][] {
  const at = name.findIndex((word) => basicForms(word).includes(verb));
  if (at === -1) return [];
  const after = phrases(name.slice(at + 1));
  return after.length > 0 ? after : phrases(name.slice(0, at)).slice(-1);
}

function phrases(list: string[]): string[][] {
  const end = list.findIndex((word) => objectEnds.has(word));
  const found: string[][] = [[]];
  for (const word of end === -1 ? list : list.slice(0, end))
    if (separators.has(word)) found.push([]);
    else if (!suffixes.has(word)) found.at(-1)?.push(word);
  return found.filter((phrase) => phrase.length > 0);
}

/** Whether all objects are of these kinds: the noun of each is its last word, or its last two (`console_messages`). */
export function areAll(objects: string[][], kinds: ReadonlySet<string>): boolean {
  return (
    objects.length > 0 &&
    objects.every((object) => kinds.has(object.at(-1) ?? '') || kinds.has(object.slice(-2).join('_')))
  );
}
