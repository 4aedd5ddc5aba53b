/** Determines the effects of verbs in names and descriptions from their context. */

import type { Effect } from '../../../../shared/model/tool.ts';
import { areAll, objectsOf } from './objects.ts';
import { type VerbRow, words } from './verb-row.ts';
import { actingEnds, alsoNouns, dangerousEffects, readingEnds, verbRows } from './verbs.ts';
import { basicForms, joinedVerb } from './words.ts';

/**
 * The verb of a name, and verbs joined to it with "and", "or" or "then". The nouns after the verb do not count
 * (`list_deletes`). If the first verb is also a common noun, a verb at the end counts (`pull_request_write`).
 */
export function leadingVerbs(name: string[], opening: string[] = []): string[] {
  // "Bulk" and "batch" only modify a verb that follows them.
  const first = name.findIndex((word, index) => isVerb(word) && !(word === 'bulk' && isVerb(name[index + 1] ?? '')));
  if (first === -1) {
    const joined = name.map(joinedVerb).find((verb) => verb !== undefined);
    return joined ? [joined] : [];
  }
  const joined = name.filter(
    (word, index) => index > first && /^(?:and|or|then)$/.test(name[index - 1] ?? '') && isVerb(word),
  );
  // A name may end with what finally happens: `untrash_purge`.
  const end = name.at(-1) ?? '';
  if (first < name.length - 1 && isDangerousVerb(end) && !joined.includes(end) && !isReadThing(name, first, opening))
    joined.push(end);
  const verb = name[first] as string;
  const next = name[first + 1] ?? '';
  // A noun can be a verb: `model-eval-create`, `run-comment-delete`. Only a model's `eval` is one.
  const isEval = verb === 'eval' && /^(?:model|llm|agent|prompt)$/.test(name[first - 1] ?? '');
  if (first > 0 && (alsoNouns.has(verb) || isEval) && plainVerbs.has(next)) return [next, ...joined];
  const last = name.at(-1) ?? '';
  // `post-search` starts with an HTTP method, followed by the verb.
  if (httpMethods.has(verb) && isVerb(next) && next !== 'request') return [next, ...joined];
  if (httpMethods.has(verb) && name[first - 1] === 'api') return ['update', ...joined];
  if (alsoNouns.has(verb) && first < name.length - 1 && actingEnds.has(last)) return [last, ...joined];
  return [verb, ...joined];
}

/** Dangerous verbs that are things or states after a verb that reads: `get_trash`, `is_empty`. */
const things = words(
  'trash tweet retweet invite broadcast empty install cleanup rollback drop teardown failover refund payout grant ban',
);
/** Verbs that read and are not nouns. `view_drop` may drop a view, so the description decides. */
const plainReads = words('get fetch show read retrieve describe is has');

/** Whether the name's last word is what its verb reads, and the description does not use it as a verb. */
function isReadThing(name: string[], first: number, opening: string[]): boolean {
  const verb = name[first] ?? '';
  const end = name.at(-1) ?? '';
  if (!things.has(end) || effectOf(verb, name, opening) !== 'reads') return false;
  const isForm = (word: string) => basicForms(word).includes(end);
  const acts = opening.some(
    (word, index) => isForm(word) && (word.endsWith('ing') || /^(?:and|or|then|to)$/.test(opening[index - 1] ?? '')),
  );
  const said = openingVerb(opening);
  if (acts || (said && effectOf(said, name, opening, true) !== 'reads')) return false;
  if (first === name.length - 2) return plainReads.has(verb) || said !== undefined;
  return said !== undefined && objectsOf(said, opening).some((object) => object.some(isForm));
}

/** Verbs that are hardly ever nouns. */
const plainVerbs = words('list get create update delete remove add set find describe');

const httpMethods = new Set(['post', 'put', 'patch']);

/** The word of the name that was read as this verb: `API-post-page` is read as an update. */
export const writtenVerb = (verb: string, name: string[]): string =>
  name.join(' ').includes(verb) ? verb : (name.find((word) => httpMethods.has(word)) ?? verb);

export function mainVerb(name: string[]): string | undefined {
  return leadingVerbs(name)[0];
}

const verbs = new Set(verbRows.flatMap((row) => [...row.verbs]));
export const isVerb = (word: string) => verbs.has(word);

/** Verbs that are dangerous with any object. */
const dangerousVerbs = new Set(
  verbRows.flatMap((row) => (!row.only && !row.inName && dangerousEffects.has(row.effect) ? [...row.verbs] : [])),
);
export const isDangerousVerb = (word: string) => dangerousVerbs.has(word) && !alsoNouns.has(word);

/** Whether a clause that begins with the verb says that the tool does something dangerous. */
export function isDangerousClause(verb: string, clause: string[]): boolean {
  const effect = isDangerousVerb(verb) ? effectOf(verb, clause, clause, true) : undefined;
  return effect !== undefined && dangerousEffects.has(effect);
}

const fillers = new Set(
  `purpose and this tool tools a an the that which to used use is can be will you allows allow let lets user users helps function for
   command api endpoint your permanently safely immediately quickly directly automatically forcefully force recursively
   simply please intelligently asynchronously batch bulk securely`.split(/\s+/),
);

/** Whether a description uses the verb, which is also a noun, as a verb: "Orders a pizza", but not "Order status". */
export function isUsedAsVerb(verb: string, opening: string[]): boolean {
  if (openingVerb(opening) !== verb) return false;
  const next = opening[opening.findIndex((word) => basicForms(word).includes(verb)) + 1];
  return next !== undefined && !readingEnds.has(next) && !nounFollowers.has(next);
}

/** Words that follow a noun. */
const nounFollowers = words('of for in by from with on and or is are was has have that which at');

/** The verb that a description opens with, in its base form: "This tool permanently deletes …" → delete. */
function openingVerb(opening: string[]): string | undefined {
  for (const word of opening.slice(0, 8)) {
    const verb = basicForms(word).find(isVerb);
    if (verb) return verb;
    if (!fillers.has(word)) return undefined;
  }
  return undefined;
}

/** All verbs that a description opens with: "Start/stop/restart an app" has three, "Compose and send" two. */
export function openingVerbs(text: string, opening: string[]): string[] {
  const [listed = ''] = /^\s*\w{3,20}(?:\s?\/\s?\w{3,20}){1,9}/.exec(text.slice(0, 200)) ?? [];
  const others = listed.split('/').flatMap((word) => basicForms(word.trim().toLowerCase()).find(isVerb) ?? []);
  const [, joined = ''] = /^\W*\w+(?:, \w+){0,3},? (?:and|or|then) (?:then )?(\w+)/.exec(text.slice(0, 200)) ?? [];
  const second = basicForms(joined.toLowerCase()).find(isVerb);
  // "Add or remove" edits a set.
  const isEdit = second === 'remove' && opening.includes('add');
  return [...new Set([openingVerb(opening) ?? [], isEdit ? [] : (second ?? []), others].flat())];
}

/** Verbs after "and" or a comma that are hardly ever nouns and act: "Gets the page, clicks a button and submits the form". */
export function laterActions(opening: string[]): string[] {
  return opening.filter((word, index) => {
    if (!/^(?:and|then)$/.test(opening[index - 1] ?? '') || !articles.has(opening[index + 1] ?? '')) return false;
    const verb = basicForms(word).find(isVerb);
    const effect = verb && !alsoNouns.has(verb) ? effectOf(verb, [], opening, true) : undefined;
    return effect !== undefined && effect !== 'reads';
  });
}

const articles = words('a an the this that these it them all every each your their its');

const weighty = words(
  `database databases table tables collection bucket queue index volume disk data user users account accounts member members
   server servers host command commands script scripts code workflow playbook runbook`,
);
/** Whether a name's object is so important that the description cannot play it down. */
const isWeighty = (object: string[]) => weighty.has(object.at(-1) ?? '');

/** The effect of a verb in its context. `said`: the verb comes from the description, not from the name. */
export function effectOf(verb: string, name: string[], opening: string[], said = false): Effect | undefined {
  const group = name.findIndex((word) => word === 'from' || word === 'to');
  const inOpening = objectsOf(verb, opening);
  const inName = objectsOf(verb, name);
  const fits = (row: VerbRow) =>
    row.verbs.has(verb) &&
    !(row.inName && said) &&
    (!row.only ||
      name.some((word) => row.only?.has(word)) ||
      (!row.inName && opening.some((word) => row.only?.has(word)))) &&
    !(row.object && !areAll(inName, row.object)) &&
    !(row.except && areAll(said ? inOpening : inName, row.except)) &&
    !(row.group && group > 0 && areAll([name.slice(group)], row.group)) &&
    !(row.exceptSaid && areAll(inOpening, row.exceptSaid) && !inName.some(isWeighty));
  return verbRows.find(fits)?.effect;
}
