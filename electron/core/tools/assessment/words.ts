/** Splits names and descriptions into words for the assessment of a tool. */

/** The text as the user sees it: compatibility forms folded, invisible characters removed. */
export function readable(text: string): string {
  return text.normalize('NFKC').replace(/\p{Cf}/gu, '');
}

/** In characters. Limited, because names of parameters and titles may have any length. */
const maxName = 1_000;

/** The words of a tool name: `getUser_byID` → get, user, by, id. */
export function nameWords(name: string): string[] {
  return readable(name.slice(0, maxName))
    .replace(/V\d+$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}

export function sentenceWords(sentence: string): string[] {
  // The "terminal state" of a job is not a terminal.
  return (
    sentence
      .toLowerCase()
      .replace(/\bterminal (?=stat)/g, '')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

export function firstSentence(text: string): string {
  const start = text.trimStart().slice(0, 400);
  const end = /[.!?。！？](?:\s|$)|\n\s*\n/.exec(start);
  return end ? start.slice(0, end.index) : start;
}

/** The base forms that a word may have: deletes, deleting → delete. */
export function basicForms(word: string): string[] {
  const forms = [word];
  if (word.endsWith('s')) forms.push(word.slice(0, -1));
  if (word.endsWith('es')) forms.push(word.slice(0, -2));
  if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`);
  if (word.endsWith('ing')) forms.push(word.slice(0, -3), `${word.slice(0, -3)}e`, word.slice(0, -4));
  return forms;
}

/** Verbs that are dangerous even without a separator: `deletefile`, `DELETEALL`, `rmrf`. */
const joinable =
  /^(delete|remove|erase|destroy|purge|wipe|truncate|uninstall|terminate|execute|overwrite|shutdown|send|publish|transfer|purchase)(?!d|r|ers?$|able|ion|sion)[a-z]{2,}$/;

export function joinedVerb(word: string): string | undefined {
  if (/^rmr?f?$|^rmrf/.test(word)) return 'rm';
  return joinable.exec(word)?.[1];
}

/** Whether one word mixes Latin characters with look-alikes from another alphabet. */
export function mixesScripts(text: string): boolean {
  return (text.match(/[\p{L}\p{M}]+/gu) ?? []).some(
    (word) =>
      /\p{Script=Latin}/u.test(word) &&
      /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Armenian}]/u.test(word),
  );
}
