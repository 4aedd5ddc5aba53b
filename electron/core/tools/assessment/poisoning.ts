/**
 * Finds tool poisoning: text in a tool's definition that is meant to mislead the agent. Works offline, and every
 * pattern runs in linear time, because the server chooses the text.
 */
import type { ToolDefinition } from '../../../../shared/model/tool.ts';
import { foreignCommands } from './foreign-commands.ts';
import { findHidden, madeVisible } from './hidden-characters.ts';
import { conceals, forgets, hides, isHonest, type Match, operates, secrets } from './honest-matches.ts';
import { withoutAccents } from './languages.ts';
import { type Parameter, parametersOf } from './schema-parameters.ts';

const maxFindings = 8;
/** In characters. A longer string is scanned in parts that overlap by more than any pattern needs. */
const maxText = 64 * 1024;
const overlap = 4 * 1024;

/**
 * Each finding with its pattern. Honest descriptions must not match, so urging the agent to use the tool is not a finding.
 * A finding of the third form counts only if its sentence also matches `within`.
 */
const patterns: [says: string, pattern: RegExp, within?: RegExp][] = [
  [
    forgets,
    /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,30}\b(?:previous|prior|earlier|above|preceding|other|existing|all|any|your)\b[^.\n]{0,20}\b(?:instructions?|rules?|prompts?|guidelines?|safety|policies|restrictions)\b/i,
  ],
  [
    hides,
    /\b(?:do not|don't|never|must not|without|avoid|no need to)\b[^.\n]{0,20}\b(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|let(?:ting)?|warn(?:ing)?)\b[^.\n]{0,40}\b(?:the |any |to )?(?:users?|humans?|person|people|anyone)\b/i,
  ],
  [
    hides,
    /\b(?:do not|don't|never|must not|without|avoid|no need to)\b[^.\n]{0,20}\b(?:mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|show(?:ing)?)\b[^.\n]{0,40}\b(?:to|from)\b[^.\n]{0,15}\b(?:users?|humans?|person|people|anyone)\b/i,
  ],
  [
    hides,
    /\b(?:without (?:the )?(?:users?'?s?|their) (?:knowledge|noticing|awareness)|(?:keep|hide) (?:this|it|that)[^.\n]{0,20}\bfrom (?:the )?users?|(?:user|person) (?:must|should|does|may) not (?:know|see|notice|be (?:told|informed|aware)))\b/i,
  ],
  [
    operates,
    /<\/?(?:important|system|secret|admin|assistant|hidden)>|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?inst\]|<<\/?sys>>|(?:^|\n)[ \t]{0,8}#{0,4}[ \t]{0,8}(?:system|developer) ?(?:prompt|message|instructions?)?[ \t]{0,8}:/i,
  ],
  [
    operates,
    /\b(?:new|updated|real|secret|hidden) (?:system )?instructions?\s*:|\byou are now (?:a|an|in|the)\b|\b(?:your|the) system prompt\b/i,
  ],
  [
    'interferes with other tools',
    /\b(?:before|after|when(?:ever)?|instead of|prior to)\b[^.\n]{0,15}\b(?:using|calling|invoking|running|executing|you (?:use|call|invoke|run))?\s?\b(?:any|every|all|each)(?: of the)? (?:other )?(?:tools?|functions?|servers?|tool calls?)\b/i,
  ],
  [
    'interferes with other tools',
    /\b(?:overrides?|replaces?|supersedes?|takes? precedence over|disables?|deprecates?)\b[^.\n]{0,20}\b(?:other|all|any|every|previous|existing)\b[^.\n]{0,15}\b(?:tools?|functions?|servers?)\b/i,
  ],
  [
    secrets,
    /(?:^|[\s"'`(~]|~?[\\/])\.(?:ssh|aws|gnupg|kube|netrc|npmrc|pypirc)\b[\\/]?[\w.-]{0,40}|\bid_(?:rsa|ed25519|ecdsa)\b|\/etc\/(?:passwd|shadow|sudoers)\b|\bauthorized_keys\b|\bwallet\.dat\b/i,
  ],
  [
    secrets,
    /\b(?:read(?!-only)(?! environment)|include|pass|send|attach|copy|paste|append|forward|collect|leak|dump)\b[^.\n]{0,60}\b(?<!\b(?:if|lacks?|missing|no|unless|when|without)\s(?:an? |any |oauth |such |the |these |user |valid |your )?)(?:private keys?|(?:api|access|secret) (?:keys?|tokens?)|passwords|credentials|environment variables?|env vars?|\.env\b|seed phrases?|cookies)/i,
  ],
  [
    secrets,
    /\b(?:claude_desktop_config|mcp_config|mcp)\.json\b/i,
    /\b(?:access|append|attach|cat|contents?|copy|fetch|get|include|leak|load|open|pass|paste|print|read|return|send|show|upload)\b/i,
  ],
  [
    'asks for the conversation',
    /\b(?:include|pass|send|attach|copy|paste|append|put|forward|collect|provide|add(?! to all\b)|summari[sz]e)\b[^.\n]{0,50}(?<!\bto )\b(?:(?:full|entire|whole|complete|previous|all|this|the) (?:chat|conversation|dialogue?)(?: history)?|(?:full|entire|whole|complete|previous|all|all the) messages|conversation history|chat history|system prompt|(?:outputs?|results?) of (?:all |every |any )?other tools|list of (?:all )?(?:available )?tools)\b/i,
  ],
  [
    'sends data to an address of its own',
    /\b(?:bcc|cc|(?:send|forward|e?mail|report|redirect|deliver|upload|post)s?)\b[^.\n]{0,60}\s[\w.+-]{1,40}@(?!example\b|test\b|domain\b|company\b|yourdomain\b)[\w-]{1,40}\.[a-z]{2,10}\b/i,
  ],
  ['contains encoded text', /(?:^|[^\w/+=])(?=[A-Z0-9+/]*[a-z])(?=[A-Za-z+/]*[0-9])[A-Za-z0-9+/]{160}/],
  [
    conceals,
    /<!--[^<>]{0,200}?\w{3}(?:[^<>]{0,300}-->)?|[ \t]{120}|\n(?:[ \t]{0,80}\n){25}|\bdisplay:\s?none\b|\bfont-size:\s?0\b/i,
  ],
];

/** Names of parameters that collect the agent's knowledge. No honest tool needs them. */
const greedyParameters =
  /^(?:conversation_?history|chat_?history|chain_?of_?thought|tools?_list|tool_call_history|side_?note|full_?context)$/i;

/** Tool names of other servers, each with its server, and those of the tool's own server, which it may mention. */
export interface Neighbors {
  others: ReadonlyMap<string, string>;
  own: ReadonlySet<string>;
}

const alone: Neighbors = { others: new Map(), own: new Set() };

/** Findings, each with its location and the words that triggered it; empty for an honest tool. */
export function findPoison(definition: ToolDefinition, neighbors: Neighbors = alone): string[] {
  const findings = new Set<string>();
  if (mixesAlphabets(definition.name)) findings.add(`its name mixes characters that look alike: "${definition.name}"`);
  for (const { name } of parametersOf(definition.inputSchema))
    if (greedyParameters.test(name))
      findings.add(`it has a parameter that collects what the agent knows: "${quote(name)}"`);
  const choices = neighbors.others.size > 0 ? new Set(ownWords(definition.inputSchema)) : new Set<string>();
  for (const { place, text } of textsOf(definition)) {
    if (findings.size >= maxFindings) break;
    for (const finding of findInParts(text, neighbors, choices)) findings.add(`${place} ${finding}`);
  }
  // A sentence may be split over several parameters.
  const together = parametersOf(definition.inputSchema).map(descriptionOf).join(' ');
  if (findings.size === 0)
    for (const finding of findInParts(together, alone, choices))
      findings.add(`the text of its parameters together ${finding}`);
  return [...findings].slice(0, maxFindings);
}

/** Findings in a text that agents read like the description of a tool. */
export function findPoisonIn(text: string): string[] {
  return [...new Set(findInParts(text, alone, new Set()))].slice(0, maxFindings);
}

function* findInParts(text: string, neighbors: Neighbors, choices: ReadonlySet<string>): Generator<string> {
  for (let at = 0; at === 0 || at + overlap < text.length; at += maxText - overlap)
    yield* findInText(text.slice(at, at + maxText), neighbors, choices);
}

function* findInText(text: string, neighbors: Neighbors, choices: ReadonlySet<string>): Generator<string> {
  const hidden = findHidden(text);
  if (hidden) yield `contains ${hidden}`;
  // The text as the agent reads it: without hidden characters, and with compatibility forms normalized.
  const plain = text.replace(/\p{Cf}/gu, '').normalize('NFKC');
  // An agent reads a sentence across its line breaks. Blank lines and list items end one.
  const joined = plain.replace(/[ \t]{0,40}\r?\n(?![ \t]{0,40}(?:[\r\n#*>•-]|\d{1,2}[.)]))[ \t]{0,40}/g, ' ');
  const said = new Set<string>();
  for (const [says, pattern, within] of patterns) {
    if (said.has(says)) continue;
    const counts = (match: Match) => (within?.test(match.sentence) ?? true) && !isHonest(says, match);
    const words =
      firstThat(counts, pattern, plain) ?? (joined === plain ? undefined : firstThat(counts, pattern, joined));
    if (words === undefined) continue;
    said.add(says);
    yield `${says}: "${quote(words)}"`;
  }
  for (const { says, words } of foreignCommands(withoutAccents(joined)))
    if (!said.has(says)) yield `${says}: "${quote(words)}"`;
  const mixed = (plain.match(/\p{L}+/gu) ?? []).find(mixesAlphabets);
  if (mixed) yield `contains a word of characters that look alike: "${mixed}"`;
  yield* shadowed(plain, neighbors, choices);
}

/** Further matches of a pattern count without a look at their sentences. */
const maxMatches = 50;

/** The first match in a sentence that counts: a harmless mention must not hide a later one. */
function firstThat(counts: (match: Match) => boolean, pattern: RegExp, text: string): string | undefined {
  if (!pattern.test(text)) return undefined;
  let left = maxMatches;
  for (const match of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
    left -= 1;
    if (left === 0 || counts({ text, sentence: sentenceAround(text, match), words: match[0], pattern }))
      return match[0];
  }
  return undefined;
}

function sentenceAround(text: string, { index, 0: words }: RegExpExecArray): string {
  const before = text.slice(Math.max(index - 200, 0), index);
  const after = text.slice(index + words.length, index + words.length + 200);
  const start = Math.max(before.lastIndexOf('. '), before.lastIndexOf('\n')) + 1;
  const end = after.search(/\.\s|\n/);
  return before.slice(start) + words + (end < 0 ? after : after.slice(0, end));
}

/** Mentions of other servers' tools. Only names that are not ordinary words count: `send_email`, not `search` or `line-based`. */
function* shadowed(text: string, { others, own }: Neighbors, choices: ReadonlySet<string>): Generator<string> {
  if (others.size === 0) return;
  const named = new Set(text.match(/[A-Za-z][A-Za-z0-9]*(?:[_-]+[A-Za-z0-9]+)*/g) ?? []);
  for (const name of named) {
    const server = others.get(name);
    const isWord = !/_|^[a-z]+[A-Z]|-.+-/.test(name) && !text.includes(`\`${name}\``);
    if (server !== undefined && !isWord && !own.has(name) && !choices.has(name))
      yield `mentions "${name}", a tool of the server "${server}"`;
  }
}

/** Words that mix Latin and Cyrillic characters occur only in imitations. */
function mixesAlphabets(word: string): boolean {
  return /\p{Script=Cyrillic}/u.test(word) && /[A-Za-z]/.test(word);
}

function quote(words: string): string {
  const flat = madeVisible(words).replace(/\s+/g, ' ').trim();
  return flat.length > 140 ? `${flat.slice(0, 139)}…` : flat;
}

/** Every string in a definition that an agent reads, with its location. */
function* textsOf(definition: ToolDefinition): Generator<{ place: string; text: string }> {
  if (mayTell(definition.name)) yield { place: 'its name', text: definition.name };
  yield { place: 'its name', text: spaced(definition.name) };
  if (definition.description) yield { place: 'its description', text: definition.description };
  if (definition.title) yield { place: 'its title', text: definition.title };
  const shown = definition.annotations?.title;
  if (typeof shown === 'string') yield { place: 'its title', text: shown };
  yield* schemaTexts(definition.inputSchema, 'its parameters');
  if (definition.outputSchema) yield* schemaTexts(definition.outputSchema, 'its result');
}

function* schemaTexts(value: unknown, place: string): Generator<{ place: string; text: string }> {
  if (typeof value === 'string') yield { place, text: value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'properties' && typeof inner === 'object' && inner !== null) {
      for (const [name, schema] of Object.entries(inner)) {
        const here = `its parameter "${quote(name)}"`;
        if (mayTell(name)) yield { place: 'the name of a parameter', text: name };
        yield { place: 'the name of a parameter', text: spaced(name) };
        yield* schemaTexts(schema, here);
      }
      continue;
    }
    if (mayTell(key)) yield { place: 'a name in its schema', text: key };
    if (!technical.has(key) || (typeof inner === 'string' && severalWords.test(inner)))
      yield* schemaTexts(inner, place);
  }
}

/** Names are identifiers. Blanks, other alphabets and great length make them text. */
const mayTell = (name: string) => name.length > 60 || /[^\x21-\x7e]/.test(name);

/** A name as an agent reads it: `ignore_all_previous_instructions`. */
const spaced = (name: string) => name.replace(/[_-]+/g, ' ');

/** Keywords whose values are no text, unless they contain several words. */
const technical = new Set(['pattern', '$ref', 'format']);
const severalWords = /(?:[A-Za-z]{2,}[\s.,]+){3}/;

const descriptionOf = ({ schema }: Parameter) =>
  typeof schema.description === 'string' ? schema.description.slice(0, 1_000) : '';

/** The names and allowed values of parameters, because a tool may mention its own arguments and actions. */
function* ownWords(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'enum' && Array.isArray(inner)) for (const entry of inner) if (typeof entry === 'string') yield entry;
    if (key === 'properties' && typeof inner === 'object' && inner !== null) yield* Object.keys(inner);
    yield* ownWords(inner);
  }
}
