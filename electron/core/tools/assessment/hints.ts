/** Weighs a server's hints: a server may put the same hint on every tool. */
import type { ToolDefinition } from '../../../../shared/model/tool.ts';

export interface HintHabits {
  /** `destructiveHint` is on nearly all tools that are not read-only, so it tells nothing about one of them. */
  destructiveEverywhere: boolean;
}

export const noHabits: HintHabits = { destructiveEverywhere: false };

/** Fewer tools than this are too few to call it a habit. */
const fewestTools = 4;
/** Some servers leave it out on a login tool or two. */
const nearlyAll = 0.85;

export function hintHabits(definitions: readonly ToolDefinition[]): HintHabits {
  const acting = definitions.filter(({ annotations }) => annotations?.readOnlyHint !== true);
  const destructive = acting.filter(({ annotations }) => annotations?.destructiveHint === true);
  return { destructiveEverywhere: acting.length >= fewestTools && destructive.length >= nearlyAll * acting.length };
}

/** MCP calls every change "destructive" that is not purely additive. These are repaired by the same tool, or by waiting. */
const alwaysRepairable = new Set('rename enable toggle unset upsert'.split(' '));
const edits = new Set('update edit modify patch set change reset clear purge remove'.split(' '));
/** Sessions end sooner or later anyway. */
const ends = new Set('stop end close release'.split(' '));
const sessions = new Set('session sessions monitor recording playback timer watch watcher'.split(' '));

/**
 * Records: another edit brings the old value back, and nothing outside notices. Words that are not here may take effect
 * outside: a domain, a price, a role, a running machine.
 */
const records = new Set(
  `activity annotation article autoreply board bookmark cache caption card category cell channel checklist collection
   column comment company contact dashboard deal default defaults description document draft epic field filter folder goal
   heading highlight hostname item issue label lead link list listing metadata milestone monitor name note notebook objective
   page paragraph placeholder playlist preference preferences profile project property reminder reply section segment
   session shape slide sprint status story subtask summary tab table tag task template text ticket title todo topic view
   watcher webhook widget`.split(/\s+/),
);
/** Words that make an edit more than one of a record. */
const effective = new Set(
  `access account admin auth billing branch certificate credential credentials database deployment dns domain email env
   environment file files firewall invoice key keys lock member members organization owner password payment permission
   permissions policy price product production public role roles rule rules schema secret security server share sharing
   subscription team token user users version visibility workspace`.split(/\s+/),
);

/** Whether a change by `verb`, the verb of a name, of what the `words` of the name mention is easily repaired. */
export function isRepairable(verb: string | undefined, words: readonly string[]): boolean {
  if (verb === undefined) return false;
  if (alwaysRepairable.has(verb)) return true;
  if (ends.has(verb)) return words.some((word) => sessions.has(word));
  const singular = (word: string) => (word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, ''));
  return (
    edits.has(verb) &&
    !words.some((word) => effective.has(word)) &&
    words.some((word) => records.has(word) || records.has(singular(word)))
  );
}
