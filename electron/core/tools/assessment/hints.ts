/** Habits of a server: a hint on all its tools, or a first word of all their names, says nothing about any of them. */
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
  /** The word that nearly all names begin with, if it is not what they do: `ssh_list`, `ssh_tail`. */
  namespace?: string;
}

export const noHabits: HintHabits = { destructiveEverywhere: false };

/** Programs that a server may be about. */
const programs = new Set('ssh sh bash python terminal repl powershell'.split(' '));

/** With fewer tools than this, a pattern is not significant. */
const fewestTools = 4;
/** Some servers omit the hint on a login tool or two. */
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
  const names = definitions.flatMap(({ name }) => (typeof name === 'string' ? [nameWords(name)] : []));
  if (names.length < fewestTools) return undefined;
  for (const [word = '', of] of Map.groupBy(names, ([first]) => first)) {
    if (of.length < nearlyAll * names.length) continue;
    const continued = of.filter(([, second = '']) => isVerb(second));
    if (programs.has(word) || alsoNouns.has(word)) return word;
    if (isVerb(word) && continued.length >= of.length / 2) return word;
  }
  return undefined;
}

/** MCP calls every change "destructive" that is not purely additive. The same tool, or waiting, undoes these. */
const alwaysRepairable = new Set('rename enable toggle unset upsert'.split(' '));
const edits = new Set('update edit modify patch set change reset clear purge remove'.split(' '));
/** Sessions end eventually in any case. */
const ends = new Set('stop end close release'.split(' '));
const sessions = new Set('session sessions monitor recording playback timer watch watcher'.split(' '));

/**
 * Records: another edit restores the old value, and nothing outside is affected. Other nouns may have effects outside:
 * a domain, a price, a role, a running machine.
 */
const records = new Set(
  `activity annotation article autoreply board bookmark cache caption card category cell channel checklist collection
   column comment company contact dashboard deal default defaults description document draft epic field filter folder goal
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
