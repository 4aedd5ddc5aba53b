/** Assesses what a tool does from its name, description, schema and the server's hints. */
import type { Effect, SafetyLevel, Tool, ToolAnnotations, ToolDefinition } from '../../../../shared/model/tool.ts';
import { choiceThatDecides } from './choice-levels.ts';
import { offersOnlyReads } from './choices.ts';
import { classify } from './classify.ts';
import { doubts } from './doubts.ts';
import {
  effectOf,
  isDangerousClause,
  isDangerousVerb,
  isUsedAsVerb,
  isVerb,
  laterActions,
  leadingVerbs,
  mainVerb,
  openingVerbs,
  writtenVerb,
} from './effects.ts';
import type { Evidence } from './evidence.ts';
import { type HintHabits, isRepairable, noHabits } from './hints.ts';
import { foreignEffect, isListNoun, isVerbSign, mainSign, signsIn } from './languages.ts';
import { objectsOf } from './objects.ts';
import { parameterEvidence } from './parameters.ts';
import { controlsScreen } from './screen-control.ts';
import { dangerousPhrases, hiddenActions } from './statements.ts';
import {
  alsoNouns,
  dangerousEffects,
  detaching,
  englishToo,
  laterActing,
  mostlyReading,
  readingEnds,
} from './verbs.ts';
import { basicForms, firstSentence, mixesScripts, nameWords, readable, sentenceWords } from './words.ts';

export type Assessment = Pick<Tool, 'annotations' | 'category' | 'complexity' | 'requiresAuth' | 'isDeprecated'>;

/**
 * Assesses a tool without any I/O. Name, description and schema set the safety level; the server's hints can only
 * raise it. A tool without any evidence is moderate.
 */
export function annotate(definition: ToolDefinition, habits: HintHabits = noHabits): Assessment {
  const assessment = assess(definition, habits);
  if (assessment.annotations.safetyLevel !== 'dangerous') return assessment;
  const choice = choiceThatDecides(
    definition.inputSchema,
    (inputSchema) => assess({ ...definition, inputSchema }, habits, [chosenRead]).annotations.safetyLevel,
  );
  return choice ? { ...assessment, annotations: { ...assessment.annotations, choice } } : assessment;
}

const chosenRead: Evidence = { effect: 'reads', reason: 'the call chooses to read' };

function assess(definition: ToolDefinition, habits: HintHabits, chosen: Evidence[] = []): Assessment {
  const text = readable(definition.description ?? '');
  const evidence = [...gather(definition, text, habits), ...chosen];
  const dangers = evidence.filter((sign) => dangerousEffects.has(sign.effect));
  const hints = definition.annotations ?? {};
  const reasons = [...new Set(dangers.map((danger) => danger.reason))];
  let level: SafetyLevel = levelOf(evidence, dangers);
  const raise = (to: SafetyLevel, reason: string) => {
    if (level === 'dangerous' || level === to) return;
    level = to;
    reasons.push(reason);
  };
  if (hints.destructiveHint === true && hints.readOnlyHint === true)
    raise('dangerous', 'the server calls it both read-only and destructive');
  else if (hints.destructiveHint === true)
    raise(isHintWeak(definition, habits) ? 'moderate' : 'dangerous', 'the server calls it destructive');
  if (hints.readOnlyHint === false)
    raise(level === 'safe' ? 'moderate' : level, 'the server says that it changes something');
  if (hints.requiresConfirmation === true) raise('dangerous', 'the server asks for confirmation');
  if (level === 'moderate' && reasons.length === 0)
    reasons.push(evidence.find((sign) => sign.effect === 'changes')?.reason ?? 'nothing shows that it only reads');

  const controls = level !== 'safe' && controlsScreen(definition, nameWords(definition.name), text);
  if (controls) reasons.push('it can click and type anywhere on the screen, including in Toolkeep');

  // Sending and spending cannot be undone, but they do not destroy anything.
  const destroys = dangers.some(({ effect }) => effect !== 'sends' && effect !== 'spends');
  const annotations: ToolAnnotations = {
    readOnlyHint: level === 'safe',
    destructiveHint: destroys || (level === 'dangerous' && dangers.length === 0) || hints.destructiveHint === true,
    idempotentHint: typeof hints.idempotentHint === 'boolean' ? hints.idempotentHint : level === 'safe',
    openWorldHint:
      typeof hints.openWorldHint === 'boolean' ? hints.openWorldHint : opensWorld(definition, text, dangers),
    requiresConfirmation: level === 'dangerous',
    safetyLevel: level,
    reasons,
    effects: effectsOf(level, dangers, hints.destructiveHint === true),
    ...(controls && { controlsScreen: true }),
  };
  return { annotations, ...classify(definition, text) };
}

/** Hints alone may make a tool dangerous. */
function effectsOf(level: SafetyLevel, dangers: Evidence[], isSaidToDestroy: boolean): Effect[] {
  if (dangers.length > 0) return [...new Set(dangers.map(({ effect }) => effect))];
  if (level === 'safe') return ['reads'];
  return [level === 'dangerous' && isSaidToDestroy ? 'destroys' : 'changes'];
}

/** Whether a destructiveHint only means that the tool makes a change that is easy to undo. */
function isHintWeak({ name }: ToolDefinition, habits: HintHabits): boolean {
  const words = nameWords(name);
  return habits.destructiveEverywhere || isRepairable(mainVerb(words), words);
}

function levelOf(evidence: Evidence[], dangers: Evidence[]): SafetyLevel {
  if (dangers.length > 0) return 'dangerous';
  return evidence.length > 0 && evidence.every((sign) => sign.effect === 'reads') ? 'safe' : 'moderate';
}

function gather(definition: ToolDefinition, text: string, { namespace }: HintHabits): Evidence[] {
  const words = nameWords(definition.name);
  const name = words.length > 1 && words[0] === namespace ? words.slice(1) : words;
  // A comma separates objects as "and" does.
  const opening = sentenceWords(firstSentence(withoutLabel(text)).replace(/[,;:()]/g, ' and '));
  const evidence = [...nameEvidence(definition.name, name, opening), ...titleEvidence(definition, name, opening)];
  const add = (effect: Effect | undefined, reason: string) => {
    if (effect) evidence.push({ effect, reason });
  };
  evidence.push(...openingEvidence(definition, name, text, opening, evidence));
  evidence.push(...foreignEvidence(definition.name, name, text, opening, evidence.length === 0));
  evidence.push(...dangerousPhrases(text, plainlyReads(evidence)), ...hiddenActions(text, isDangerousClause));
  const verb = mainVerb(name) ?? '';
  const keepsCode =
    evidence.length > 0 &&
    !/^(?:query|run|test|try|call|invoke|eval|evaluate|interact|start|launch|trigger|schedule|begin|submit|handle|apply)$/.test(
      verb,
    ) &&
    !name.some((word) => /^(?:eval|exec|execute|run)$/.test(word)) &&
    evidence.every(({ effect }) => effect === 'reads' || effect === 'changes');
  evidence.push(
    ...parameterEvidence(definition, {
      keepsCode,
      isUnknown: evidence.length === 0,
      changes: evidence.some(({ effect }) => effect === 'changes'),
      updates: /^(?:update|modify|edit|patch|set|change)$/.test(verb),
      returns: /^(?:get|read|show|retrieve|reveal|fetch)$/.test(verb),
      text,
    }),
  );
  if (revealsKey.test(name.join(' '))) add('reveals secrets', 'its name says that it returns a key or token');
  if (plainlyReads(evidence)) for (const word of actingWords(name)) add('changes', `its name says "${word}"`);
  if (plainlyReads(evidence)) for (const reason of doubts(definition, text)) add('changes', reason);
  if (plainlyReads(evidence))
    for (const said of laterActions(opening)) add('changes', `its description says "${said}"`);
  return evidence;
}

const label = /^\s*(?:\[[^\]]{1,40}\]|\*\*[^*]{1,40}\*\*)[\s:–-]*/;

/** Removes a label at the start, such as "[Beta]" or "**Purpose:**", unless it says what the tool does. */
function withoutLabel(text: string): string {
  const [found = ''] = label.exec(text) ?? [];
  return sentenceWords(found).some((word) => basicForms(word).some(isVerb)) ? text : text.slice(found.length);
}

/** Whether the tool only reads. "Manage teams" only reads if all actions that it offers only read. */
const onlyReads = (verb: string, definition: ToolDefinition) =>
  /^(?:manage|handle|control)$/.test(verb) && offersOnlyReads(definition);

/** Evidence in the verbs that open the description; `before` is the evidence in name and title. */
function openingEvidence(
  definition: ToolDefinition,
  name: string[],
  text: string,
  opening: string[],
  before: Evidence[],
): Evidence[] {
  const verb = mainVerb(name) ?? '';
  const found: Evidence[] = [];
  for (const [index, said] of openingVerbs(text, opening).entries()) {
    const evidence = [...before, ...found];
    const reads = plainlyReads(evidence);
    const isVerbHere = !alsoNouns.has(said) || isUsedAsVerb(said, opening);
    if (reads && !isVerbHere) continue;
    const known = onlyReads(said, definition) ? 'reads' : effectOf(said, name, opening, true);
    const effect = known ?? (reads ? 'changes' : undefined);
    const raises = reads && effect === 'changes' && (index > 0 || known === undefined || alsoNouns.has(said));
    const detaches = (said === 'remove' && detaching.has(verb)) || (said === 'send' && verb === 'archive');
    if (!effect || (detaches && !forGood.test(text))) continue;
    if (raises || saidCounts(effect, verb, evidence))
      found.push({ effect, reason: `its description begins with "${said}"` });
  }
  return found;
}

/** Whether the description counts: if it is worse than the name, or if the name is uninformative. */
function saidCounts(effect: Effect, verb: string, evidence: Evidence[]): boolean {
  if (evidence.length === 0) return true;
  if (mostlyReading.has(verb) && effect === 'changes') return true;
  return dangerousEffects.has(effect);
}

/** Words that mean that something is deleted permanently, not only detached. */
const forGood = /\b(?:forever|permanent(?:ly)?|irrevocabl[ey]|all|every|everything|entire|completely)\b/i;

/** Names of tools that return keys. `list_api_keys` does not match, because it usually returns only names. */
const revealsKey =
  /^(?:\S+ ){0,2}(?:get|read|show|reveal|retrieve|fetch|export|dump) (?:\S+ )?(?:access|api|auth|bearer|refresh|private|secret|ssh|signing|encryption) (?:token|key)s?$/;

const plainlyReads = (evidence: Evidence[]) => evidence.length > 0 && evidence.every((sign) => sign.effect === 'reads');

/** Verbs that show that the name is a noun: a description of "email_threads" may begin with "Lists". */
const plainReading = /^(?:lists?|shows?|fetch(?:es)?|retrieves?|search(?:es)?|returns?|views?)$/;

function nameEvidence(written: string, name: string[], opening: string[]): Evidence[] {
  if (mixesScripts(readable(written)))
    return [{ effect: 'misleads', reason: 'its name mixes alphabets, as names that imitate others do' }];
  return leadingVerbs(name, opening).flatMap((verb) => {
    const last = name.at(-1) ?? '';
    const isRead = objectsOf(opening[0] ?? '', opening).some((object) =>
      object.some((word) => basicForms(word).includes(last)),
    );
    const isNoun =
      (readingEnds.has(last) && !isUsedAsVerb(verb, opening)) ||
      (last !== verb && plainReading.test(opening[0] ?? '') && isRead);
    const readsAfterAll = alsoNouns.has(verb) && name.length > 1 && isNoun;
    const effect = readsAfterAll ? 'reads' : effectOf(verb, name, opening);
    return effect ? [{ effect, reason: `its name says "${writtenVerb(verb, name)}"` }] : [];
  });
}

/** Words after the first that act, in any language: `get_delete_user`. At the end, an English verb is a noun: `get_refund`. */
const actingWords = (name: string[]) =>
  name.slice(1).filter((word, index) => {
    if (isVerb(word))
      return index < name.length - 2 && (laterActing.has(word) || (isDangerousVerb(word) && !isPlainNoun(word)));
    const effect = englishToo.has(word) ? undefined : foreignEffect(word);
    return effect !== undefined && effect !== 'reads';
  });

const isPlainNoun = (verb: string) => verb === 'run' || verb === 'eval';

/** The user reads the title, so it counts if it is worse than the name. */
function titleEvidence({ title, annotations }: ToolDefinition, name: string[], opening: string[]): Evidence[] {
  return [title, annotations?.title].flatMap((shown) => {
    if (typeof shown !== 'string') return [];
    const words = nameWords(shown);
    const verb = words[0];
    const effect = verb && !alsoNouns.has(verb) ? effectOf(verb, [...words, ...name], opening) : undefined;
    if (!verb || !effect || effect === 'reads') return [];
    return [{ effect: isDangerousVerb(verb) ? effect : 'changes', reason: `its title says "${verb}"` }];
  });
}

/** Characters of Turkish and the languages of India, in which the verb ends the sentence. */
const verbLast = /[ığşİ\u0900-\u0dff]/;
const foreignLetter = /(?![a-zA-Z])\p{L}/u;

function foreignEvidence(
  written: string,
  name: string[],
  text: string,
  opening: string[],
  isUnknown: boolean,
): Evidence[] {
  const found: Evidence[] = [];
  const add = (effect: Effect | undefined, word: string, place: string) => {
    if (effect && (isUnknown || dangerousEffects.has(effect))) found.push({ effect, reason: `${place} "${word}"` });
  };
  const isObject = (word: string, index: number) => index > 0 && isListNoun(word);
  for (const [index, word] of name.entries())
    if (!isObject(word, index) && (isUnknown || !englishToo.has(word))) add(foreignEffect(word), word, 'its name says');
  const inName = found.length;
  const said = opening.filter((word) => word !== 'and');
  if (isUnknown || foreignLetter.test(text))
    for (const [index, word] of [
      ...said.slice(0, 3),
      ...(verbLast.test(text) ? said.slice(3).slice(-2) : []),
    ].entries())
      if (!isVerb(word) && !isObject(word, index)) add(foreignEffect(word), word, 'its description says');
  // An English word may begin like a verb in another language ("visa" means "show" in Swedish), so name and description
  // must agree.
  const isEnglish = !foreignLetter.test(written + text);
  if (isEnglish && found.every(({ effect }) => effect === 'reads') && (inName === 0 || found.length === inName))
    found.length = 0;
  for (const place of [written, firstSentence(text).slice(0, 60)]) {
    const sign = mainSign(place);
    if (sign) add(sign.effect, sign.sign, 'its name or description says');
  }
  // Later text may be about something else, but it rules out that the tool only reads.
  const start = text.slice(0, 600);
  const later =
    /[^\x20-\x7e]/.test(text) &&
    signsIn(start).find(({ effect, sign }) => dangerousEffects.has(effect) && isVerbSign(start, sign));
  if (later && !found.some(({ effect }) => dangerousEffects.has(effect)))
    found.push({ effect: 'changes', reason: `its description says "${later.sign}"` });
  return found;
}

const outside =
  /\b(?:web|internet|online|url|http|https|website|api|browser|search engine|remote|email|tweet|cloud)\b/i;

function opensWorld(definition: ToolDefinition, text: string, dangers: Evidence[]): boolean {
  if (dangers.some(({ effect }) => effect === 'sends' || effect === 'spends')) return true;
  const parameterNames = Object.keys((definition.inputSchema.properties as object | undefined) ?? {}).join(' ');
  return outside.test(`${nameWords(definition.name).join(' ')} ${text.slice(0, 1000)} ${parameterNames}`);
}
