/**
 * Verbs of tools that change, destroy, send, pay, grant permissions or run code. Word embeddings place such a verb close to its harmless
 * counterpart ("delete", "list"), so a tool with one of them must not rank high by learned similarity alone.
 */
import { stemOf } from './words.ts';

const verbs = `
add approve archive assign ban block buy cancel change charge clear create delete deploy destroy detach disable drop edit empty
erase evict exec execute expire force format forward grant insert install invite invoke kill leave merge modify overwrite patch pay
permanently post publish purchase purge put refund reject remove rename replace reply reset restore revert revoke rollback run send
set share shutdown stop submit terminate trade transfer trash truncate uninstall unlink unpublish unsubscribe update upload wipe
withdraw write
`;

/** More query words that request an action. */
const requests = `
adjust alter amend append apply attach begin book compose construct correct dispatch email file fire fix forget forward generate
launch log mail make message modify note notify order post produce quit record register remember reply reschedule reserve revise
save schedule sell ship sign start store stop switch tell trigger turn wire
`;

let stems: Set<string> | undefined;
let requestStems: Set<string> | undefined;

/** Whether the stem belongs to a verb that has effects. */
export function isActionVerb(stem: string): boolean {
  stems ??= stemsIn(verbs);
  return stems.has(stem);
}

/** Whether a query word with this stem can request an action whose verb is a synonym of the word. */
export function requestsAction(stem: string): boolean {
  requestStems ??= stemsIn(requests);
  return isActionVerb(stem) || requestStems.has(stem);
}

/** Whether the word is a noun that is derived from a verb and has the verb's stem. */
export function isNounForm(word: string): boolean {
  return /(?:tion|sion|ment)s?$/.test(word);
}

function stemsIn(words: string): Set<string> {
  return new Set(words.trim().split(/\s+/).map(stemOf));
}
