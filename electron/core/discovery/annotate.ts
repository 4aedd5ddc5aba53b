/** What a tool would do, judged from its name, description, schema and the server's own hints (rows B5, B6). */
import type { SafetyLevel, Tool, ToolAnnotations, ToolDefinition } from '../../../shared/model.ts';
import { classify } from './classify.ts';
import { alsoNouns, dangerousEffects, type Effect, readingEnds, signs, type VerbRow, verbRows } from './verbs.ts';
import { basicForms, firstSentence, nameWords, readable, sentenceWords } from './words.ts';

export type Judgement = Pick<Tool, 'annotations' | 'category' | 'complexity' | 'requiresAuth' | 'isDeprecated'>;

/** One sign of what a tool does, with the reason in words a person can read. */
interface Evidence {
  effect: Effect;
  reason: string;
}

/**
 * Judges a tool; pure, offline, the same answer for the same definition. What name, description and schema imply sets
 * the level; the server's own hints can only raise it, or fill in where nothing is implied (`design.md`, Safety).
 */
export function annotate(definition: ToolDefinition): Judgement {
  const text = readable(definition.description ?? '');
  const evidence = gather(definition, text);
  const dangers = evidence.filter((sign) => dangerousEffects.has(sign.effect));
  const hints = definition.annotations ?? {};
  let level: SafetyLevel = 'moderate';
  const reasons = [...new Set(dangers.map((danger) => danger.reason))];
  if (dangers.length > 0) level = 'dangerous';
  else if (evidence.length > 0 && evidence.every((sign) => sign.effect === 'reads')) level = 'safe';
  else if (evidence.length === 0 && hints.readOnlyHint === true) level = 'safe';

  if (hints.destructiveHint === true && hints.readOnlyHint !== true && level !== 'dangerous') {
    level = 'dangerous';
    reasons.push('the server itself calls it destructive');
  }
  if (hints.readOnlyHint === false && level === 'safe') {
    level = 'moderate';
    reasons.push('the server itself says that it changes things');
  }
  if (hints.requiresConfirmation === true && level !== 'dangerous') {
    level = 'dangerous';
    reasons.push('the server itself wants a confirmation');
  }
  if (level === 'moderate' && reasons.length === 0)
    reasons.push(evidence.find((sign) => sign.effect === 'changes')?.reason ?? 'nothing says that it only reads');

  // Sending and spending cannot be taken back, but destroy nothing.
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
  };
  return { annotations, ...classify(definition, text) };
}

function gather(definition: ToolDefinition, text: string): Evidence[] {
  const name = nameWords(definition.name);
  const opening = sentenceWords(firstSentence(text));
  const evidence: Evidence[] = [];
  const add = (effect: Effect | undefined, reason: string) => {
    if (effect) evidence.push({ effect, reason });
  };
  for (const verb of leadingVerbs(name)) {
    const effect = effectOf(verb, name, opening);
    const isNoun = alsoNouns.has(verb) && name.length > 1;
    const readsAfterAll = isNoun && readingEnds.has(name.at(-1) ?? '');
    add(readsAfterAll ? 'reads' : effect, `its name says "${verb}"`);
  }
  const said = openingVerb(opening);
  const saidEffect = said && effectOf(said, name, opening, true);
  // The description counts where it is worse than the name, or where the name says nothing.
  if (saidEffect && (evidence.length === 0 || dangerousEffects.has(saidEffect)))
    add(saidEffect, `its description begins with "${said}"`);
  const start = `${definition.name} ${text.slice(0, 16)}`;
  const first = signs
    .map(([effect, sign]) => ({ effect, sign, at: start.indexOf(sign) }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at)[0];
  if (first && (evidence.length === 0 || dangerousEffects.has(first.effect)))
    add(first.effect, `its description says "${first.sign}"`);
  evidence.push(...phrases(text, evidence), ...parameters(definition, name, text));
  return evidence;
}

/** Statements that say danger wherever they stand in a description. */
const statements: [effect: Effect, statement: RegExp][] = [
  [
    'destroys',
    /\b(?:permanently (?:delete|remove|erase|destroy)s?|irreversibl[ey]|can(?:not|'t) be undone|can(?:not|'t) be reversed)\b/i,
  ],
  ['overwrites', /\b(?:completely overwrite|overwrites? (?:an |the |any )?existing|will overwrite)\b/i],
  [
    'runs code',
    /\b(?:any|arbitrary) (?:\w+ ){0,2}(?:commands?|code|scripts?|sql|statements?|queries|javascript|python)\b/i,
  ],
  ['runs code', /\b(?:insert, ?update,? (?:or|and) ?delete|insert\/update\/delete)\b/i],
  ['sends', /\bhttp (?:post|put|patch|delete) request\b/i],
];

/** A tool that plainly reads may speak of such things without doing them; only what its name leaves open is judged. */
function phrases(text: string, evidence: Evidence[]): Evidence[] {
  if (evidence.length > 0 && evidence.every((sign) => sign.effect === 'reads')) return [];
  const found: Evidence[] = [];
  for (const [effect, statement] of statements) {
    const words = statement.exec(text.slice(0, 4000))?.[0];
    if (words) found.push({ effect, reason: `its description says "${words}"` });
  }
  return found;
}

const codeParameters = new Set([
  'sql',
  'command',
  'cmd',
  'script',
  'javascript',
  'code',
  'shell',
  'bash',
  'commandline',
]);
const choiceParameters = new Set(['operation', 'action', 'method', 'op', 'verb', 'mode', 'command']);
const worstChoices = new Set([
  'delete',
  'remove',
  'drop',
  'destroy',
  'purge',
  'kill',
  'terminate',
  'wipe',
  'send',
  'execute',
  'DELETE',
]);

function parameters(definition: ToolDefinition, name: string[], text: string): Evidence[] {
  const found: Evidence[] = [];
  const properties = definition.inputSchema.properties;
  if (typeof properties !== 'object' || properties === null) return found;
  const runs = name.some((word) =>
    ['run', 'execute', 'exec', 'query', 'eval', 'call', 'invoke', 'cli', 'shell', 'bash', 'terminal'].includes(word),
  );
  for (const [parameter, schema] of Object.entries(properties)) {
    const plain = parameter.toLowerCase().replaceAll(/[_-]/g, '');
    const choices = (schema as { enum?: unknown } | null)?.enum;
    if (Array.isArray(choices)) {
      const worst = choiceParameters.has(plain) && choices.find((choice) => worstChoices.has(String(choice)));
      if (worst) found.push({ effect: 'destroys', reason: `its parameter "${parameter}" offers "${worst}"` });
    } else if (codeParameters.has(plain) && runs) {
      const effect = plain === 'sql' && /\bread[- ]?only\b/i.test(text) ? 'changes' : 'runs code';
      found.push({ effect, reason: `its parameter "${parameter}" is run as it is` });
    }
  }
  return found;
}

const outside =
  /\b(?:web|internet|online|url|http|https|website|api|browser|search engine|remote|email|tweet|cloud)\b/i;

function opensWorld(definition: ToolDefinition, text: string, dangers: Evidence[]): boolean {
  if (dangers.some(({ effect }) => effect === 'sends' || effect === 'spends')) return true;
  const parameterNames = Object.keys((definition.inputSchema.properties as object | undefined) ?? {}).join(' ');
  return outside.test(`${nameWords(definition.name).join(' ')} ${text.slice(0, 1000)} ${parameterNames}`);
}

/** The first verb of a name, and those joined to it by "and" or "or": the nouns after it say nothing (`list_deletes`). */
function leadingVerbs(name: string[]): string[] {
  const first = name.findIndex(isVerb);
  if (first === -1) return [];
  const joined = name.filter(
    (word, index) => index > first && /^(?:and|or)$/.test(name[index - 1] ?? '') && isVerb(word),
  );
  return [name[first] as string, ...joined];
}

function isVerb(word: string): boolean {
  return verbRows.some((row) => row.verbs.has(word));
}

const fillers = new Set(
  `this tool tools a an the that which to used use is can be will you allows allow let lets user users helps function for
   command api endpoint your permanently safely immediately quickly directly automatically forcefully force recursively
   simply please intelligently asynchronously batch bulk securely`.split(/\s+/),
);

/** The verb that a description opens with, in its basic form: "This tool permanently deletes …" → delete. */
function openingVerb(opening: string[]): string | undefined {
  for (const word of opening.slice(0, 8)) {
    const verb = basicForms(word).find(isVerb);
    if (verb) return verb;
    if (!fillers.has(word)) return undefined;
  }
  return undefined;
}

/** The effect of a verb in its surroundings, `said` by the description or else part of the name. */
function effectOf(verb: string, name: string[], opening: string[], said = false): Effect | undefined {
  const fits = ({ verbs, only, except, exceptSaid, inName }: VerbRow) =>
    verbs.has(verb) &&
    !(inName && said) &&
    (!only || name.some((word) => only.has(word)) || (!inName && opening.some((word) => only.has(word)))) &&
    !(except && name.some((word) => except.has(word))) &&
    !(exceptSaid && opening.some((word) => exceptSaid.has(word)));
  return verbRows.find(fits)?.effect;
}
