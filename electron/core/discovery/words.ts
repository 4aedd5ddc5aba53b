/** Cuts names and descriptions into words, for everything that judges a tool by them. */

/** Text as a reader sees it: compatibility forms folded, invisible characters gone. */
export function readable(text: string): string {
  return text.normalize('NFKC').replace(/\p{Cf}/gu, '');
}

/** The words of a tool name: `getUser_byID` → get, user, by, id. */
export function nameWords(name: string): string[] {
  return readable(name)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

export function sentenceWords(sentence: string): string[] {
  return sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

export function firstSentence(text: string): string {
  const start = text.trimStart().slice(0, 400);
  const end = /[.!?。！？](?:\s|$)|\n\s*\n/.exec(start);
  return end ? start.slice(0, end.index) : start;
}

/** The forms that a verb in a sentence may have in a list of verbs: deletes, deleting → delete. */
export function basicForms(word: string): string[] {
  const forms = [word];
  if (word.endsWith('s')) forms.push(word.slice(0, -1));
  if (word.endsWith('es')) forms.push(word.slice(0, -2));
  if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`);
  if (word.endsWith('ing')) forms.push(word.slice(0, -3), `${word.slice(0, -3)}e`, word.slice(0, -4));
  return forms;
}
