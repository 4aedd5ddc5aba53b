/** Statements in a description that reveal what a tool does, at any position. */

import type { Effect } from '../../../../shared/model/tool.ts';
import type { Evidence } from './evidence.ts';
import { basicForms, sentenceWords } from './words.ts';

const maxText = 4000;

const statements: [effect: Effect, statement: RegExp][] = [
  [
    'destroys',
    /\b(?:permanently (?:delete|remove|erase|destroy)s?|(?:delete|remove|erase|destroy)s? [^.;]{0,40} permanently|(?<!not |never )(?<=(?:is|are) )destructive(?! ?hint)|irreversibl[ey]|can(?:not|'t) be undone|can(?:not|'t) be reversed|(?:results?|data|changes|work|progress) (?:may|will|can|might) be lost)\b/i,
  ],
  [
    'overwrites',
    /\b(?:completely overwrite|overwrites? (?:an |the |any )?existing|will overwrite|replaces? (?:all|the (?:entire|whole)) (?:existing )?contents?|creates? or (?:replaces?|overwrites?)|already exists,? (?:it|they) (?:will be|is|are|gets?) (?:overwritten|replaced))\b/i,
  ],
  [
    'runs code',
    /\b(?:arbitrary|(?:run|runs|execute|executes|evaluate|evaluates|perform|performs|send|sends) any) (?:\w+ ){0,2}(?:commands?|code|scripts?|sql|statements?|queries|javascript|python)\b/i,
  ],
  [
    'overwrites',
    /\b(?:existing|other|missing) (?:\w+ ){1,3}(?:that are )?not (?:present|included|listed|given|provided)\b[^.;]{0,40}\b(?:is|are|will be) (?:removed|deleted|lost)\b/i,
  ],
  ['runs code', /\b(?:insert, ?update,? (?:or|and) ?delete|insert\/update\/delete)\b/i],
  ['runs code', /\brun one of the following\b[^.]{0,40}\bwrite operations\b/i],
  [
    'changes access',
    /^[^.]{0,20}\b(?:modif(?:y|ies)|updates?|changes?|sets?)\b[^.]{0,40}\b(?:access[- ](?:control|settings|level|mode)|permissions)\b/i,
  ],
  ['goes live', /^\W*(?:creat|add|updat|edit|modif|set)\w* (?:a |an |the |new |existing )*(?:dns|domain) records?\b/i],
  ['sends', /\bhttp (?:post|put|patch|delete) request\b/i],
];

/** Returns phrases that show danger. A tool that clearly reads (`reads`) may mention them without doing them. */
export function dangerousPhrases(text: string, reads: boolean): Evidence[] {
  return statements.flatMap(([effect, statement]) => {
    const phrase = statement.exec(text.slice(0, maxText))?.[0];
    return phrase ? [{ effect: reads ? 'changes' : effect, reason: `its description says "${phrase}"` }] : [];
  });
}

/** Objects of "send" that mean a message to someone, rather than the tool's own arguments. */
const sent = /^(?:emails?|mails?|messages?|notifications?|sms|invitations?|invoices?|to)$/;
const clauseEnds = /[.!?;\n]+\s*|,?\s+(?:and|then)\s+/i;
const adverbs = new Set(
  'it also then afterwards afterward finally additionally next this silently permanently'.split(' '),
);

/**
 * Actions stated after the first sentence: "Returns the status. Afterwards deletes the database." Only forms such as
 * "deletes" count, because an imperative may be advice to the agent.
 */
export function hiddenActions(text: string, isDangerous: (verb: string, clause: string[]) => boolean): Evidence[] {
  const found: Evidence[] = [];
  for (const clause of text.slice(0, maxText).split(clauseEnds).slice(1)) {
    const words = sentenceWords(clause.slice(0, 80));
    const index = words.findIndex((word) => !adverbs.has(word));
    const word = words[index] ?? '';
    const said = words.slice(0, index).join(' ');
    if (!/^[a-z]{3,}s$/.test(word) || !words[index + 1] || words.includes('cache')) continue;
    // Skip nouns and negations: "Deletes are restricted to owners", "deletes nothing".
    if (
      /^(?:nothing|are|is|remain|remains|require|requires|need|needs|must|can|may|will)$/.test(words[index + 1] ?? '')
    )
      continue;
    if (words[index + 1] === 'no' && words[index + 2] !== 'longer') continue;
    if (word === 'sends' && !words.some((other) => sent.test(other))) continue;
    const verb = basicForms(word).find((form) => form !== word && isDangerous(form, words));
    if (verb)
      found.push({ effect: 'destroys', reason: `its description says "${[said, word].filter(Boolean).join(' ')}"` });
  }
  return found.slice(0, 2);
}
