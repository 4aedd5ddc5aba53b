/** Habits of a server: a hint on all its tools, or a word that begins all their names, is not evidence about any of them. */
import type { ToolDefinition } from '../../../../shared/model/tool.ts';
import { isVerb } from './effects.ts';
import { alsoNouns } from './verbs.ts';
import { nameWords } from './words.ts';

export interface HintHabits {
  /**
   * True if nearly all tools that are not read-only have `destructiveHint`, so that it is not informative about any of
   * them.
   */
  destructiveEverywhere: boolean;
  /** The word that begins nearly all names, if it is not the tools' verb: `ssh` in `ssh_list` and `ssh_tail`. */
  namespace?: string;
}

export const noHabits: HintHabits = { destructiveEverywhere: false };

/** Names of programs that a server may wrap. */
const programs = new Set('ssh sh bash python terminal repl powershell'.split(' '));

/** With fewer tools than this, a pattern is not significant. */
const fewestTools = 4;
/** Only the first names are split, because a very large server would take too long. */
const mostTools = 1_000;
/** In characters: enough for the first two words of a name. */
const maxWords = 64;
/** The share of tools that counts as nearly all. Some servers omit the hint on one or two login tools. */
const nearlyAll = 0.85;

export function hintHabits(definitions: readonly ToolDefinition[]): HintHabits {
  const acting = definitions.filter(({ annotations }) => annotations?.readOnlyHint !== true);
  const destructive = acting.filter(({ annotations }) => annotations?.destructiveHint === true);
  const namespace = sharedFirstWord(definitions);
  return {
    destructiveEverywhere: acting.length >= fewestTools && destructive.length >= nearlyAll * acting.length,
    ...(namespace !== undefined && { namespace }),
  };
}

/** The definitions are unchecked: a name may be missing. A verb is a namespace only if most names continue with a verb. */
function sharedFirstWord(definitions: readonly ToolDefinition[]): string | undefined {
  const names = definitions
    .slice(0, mostTools)
    .flatMap(({ name }) => (typeof name === 'string' ? [nameWords(name.slice(0, maxWords))] : []));
  if (names.length < fewestTools) return undefined;
  for (const [word = '', of] of Map.groupBy(names, ([first]) => first)) {
    if (of.length < nearlyAll * names.length) continue;
    const continued = of.filter(([, second = '']) => isVerb(second));
    if (programs.has(word) || alsoNouns.has(word)) return word;
    if (isVerb(word) && continued.length >= of.length / 2) return word;
  }
  return undefined;
}

/** Verbs whose changes the same tool can undo. In MCP, every change that is not purely additive is "destructive". */
const alwaysRepairable = new Set('rename enable toggle unset upsert'.split(' '));
const edits = new Set('update edit modify patch set change reset clear purge remove'.split(' '));
/** Verbs that are harmless for sessions, which end eventually in any case. */
const ends = new Set('stop end close release'.split(' '));
const sessions = new Set('session sessions monitor recording playback timer watch watcher'.split(' '));

/**
 * Nouns for records: another edit restores the old value, and nothing else is affected. Changes to other things, such as a
 * domain, a price, a role or a running machine, may have further effects.
 */
const records = new Set(
  `activity annotation article autoreply board bookmark cache caption card case category cell channel checklist collection
   column comment company contact customer dashboard deal default defaults description discount document draft epic field filter folder goal
   heading highlight hostname item issue label lead link list listing metadata milestone monitor name note notebook objective
   page paragraph placeholder playlist preference preferences profile project property reminder reply section segment
   session shape slide sprint status story subtask summary tab table tag task template text ticket title todo topic view
   watcher webhook widget`.split(/\s+/),
);
/** Words that indicate that an edit affects more than a record. */
const effective = new Set(
  `access account admin auth billing branch certificate credential credentials database deployment dns domain email env
   environment file files firewall invoice key keys lock member members organization owner password payment permission
   permissions policy price product production public role roles rule rules schema secret security server share sharing
   subscription team token user users version visibility workspace`.split(/\s+/),
);

/** Whether a change is easy to undo: `verb` is the verb of the name, and `words` are all its words. */
export function isRepairable(verb: string | undefined, words: readonly string[]): boolean {
  if (verb === undefined) return false;
  if (alwaysRepairable.has(verb)) return true;
  const isEffective = words.some((word) => effective.has(word));
  if (verb === 'archive' || verb === 'unarchive') return !isEffective;
  if (ends.has(verb)) return words.some((word) => sessions.has(word));
  const singular = (word: string) => (word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, ''));
  return edits.has(verb) && !isEffective && words.some((word) => records.has(word) || records.has(singular(word)));
}
