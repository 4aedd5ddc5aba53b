/**
 * Reasons to doubt that a tool only reads, although its name and first sentence say so: parameters whose text may be run,
 * switches and choices that cause changes, and actions later in the description. Each reason makes the tool moderate.
 */
import type { ToolDefinition } from '../../../../shared/model/tool.ts';
import { afterthought, goesOnInAnotherLanguage, happening, isUnreadable } from './afterthoughts.ts';
import { effectOf, isVerb } from './effects.ts';
import { isDangerousElsewhere, isForeignDanger } from './languages.ts';
import { doubtOf } from './parameter-doubts.ts';
import { type Parameter, parametersOf } from './schema-parameters.ts';
import { basicForms, nameWords, readable, sentenceWords } from './words.ts';

/** Matches statements that the tool executes code in its arguments. */
const usesCode =
  /\b(?:via|by|using|through|with|runs?|executes?) (?:your |custom |procedural )?(?:js|javascript|typescript|python|luau?|ruby|bash|shell) (?:code|scripts?|snippets?)\b/i;
const sideEffect = /\bside[- ]effects?:\s*(?!(?:none|no)\b(?![^.]*\b(?:except|but|besides|other|apart|undo)\b))/i;
const alsoActs =
  /(?:\band |[,;] (?:and |then )?)(?:permanently |also |then |immediately )*(?:deletes|removes|purges|erases|wipes|mails|emails|transfers|forwards|pays|closes|sends) (?:it|them|the|all|every|to)\b/i;

/**
 * "And" or "then" in languages that use the same alphabet, before the verb of a second action. Without `\p{L}`, which
 * takes tens of milliseconds to compile when case is ignored.
 */
const secondVerb =
  /\b(?:lalu|kemudian|dan|og|och|und|dann|et|puis|y|luego|e|depois|poi|oraz|potem|potom|ve)\s+(?:(?:l[aeio]s?|sie|es|ihn|den|det|dem|ze|het|je|ją|go)\s+)?([^\s.,;:!?]{4,})/gi;
const inPlainText =
  /\b(?:passwords?|credentials|secrets|private keys?|tokens)\b[^.]{0,30}\bin (?:plain|clear)[- ]?text\b/i;

/** Up to one reason for each parameter, and one for the description. */
export function doubts(definition: ToolDefinition, text: string): string[] {
  const parameters = parametersOf(definition.inputSchema);
  const sends = parameters.some(({ plain }) =>
    /^(?:url|uri|path|endpoint|route|body|data|payload|headers?)$/.test(plain),
  );
  const retrieves = /^(?:fetch|get|read|retrieve|show|view)$/.test(nameWords(definition.name)[0] ?? '');
  const found = parameters.flatMap(
    (parameter) => doubtOf(parameter, { sends, retrieves }) ?? happeningIn(parameter) ?? [],
  );
  found.push(...parametersOf(definition.outputSchema).flatMap((part) => happeningIn(part) ?? []));
  const later = text.slice(0, 4000);
  const phrase =
    [usesCode, sideEffect, alsoActs, inPlainText].flatMap((statement) => statement.exec(later)?.[0] ?? [])[0] ??
    afterthought(text);
  if (phrase) found.push(`its description says "${phrase.replace(/^\W+/, '').trim()}"`);
  else found.push(...foreignAction(later.slice(0, 600)));
  const action = actionAfterEmptyOpening(definition.name, text);
  if (action) found.push(`its description says "${action}" after a sentence that says nothing about it`);
  if (isUnreadable(text) || goesOnInAnotherLanguage(text))
    found.push('its description is in a language that Toolkeep cannot assess');
  return found;
}

/** Finds what the description of a parameter, or of a part of the result, says that happens. */
function happeningIn({ name, schema: { description } }: Parameter): string | undefined {
  const said = typeof description === 'string' && happening(readable(description.slice(0, 500)));
  return said ? `the description of "${name}" says "${said}"` : undefined;
}

function foreignAction(text: string): string[] {
  const joined = [...text.matchAll(secondVerb)].map(([, verb = '']) => verb.toLowerCase()).find(isDangerousElsewhere);
  const word = joined ?? sentenceWords(text).find(isForeignDanger);
  return word ? [`its description says "${word}"`] : [];
}

const maxText = 2_000;

/** The acting verb with which the next sentence begins, if the first sentence names no object of the tool's name. */
function actionAfterEmptyOpening(name: string, text: string): string | undefined {
  const [first = '', next = ''] = text.slice(0, maxText).split(/(?<=[.!?。！？])\s+|\n+/, 2);
  const said = new Set(sentenceWords(first).flatMap(basicForms));
  const isAboutTool = nameWords(name)
    .slice(1)
    .some((word) => basicForms(word).some((form) => said.has(form)));
  const words = sentenceWords(next);
  const verb = basicForms(words[0] ?? '').find(isVerb);
  return verb && !isAboutTool && effectOf(verb, [], words, true) !== 'reads' ? verb : undefined;
}
