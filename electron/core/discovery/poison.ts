/**
 * Signs that a tool's texts were written to mislead the agent that reads them (tool poisoning, issue of trust). Offline;
 * every pattern runs in linear time, since a server chooses the text.
 */
import type { ToolDefinition } from '../../../shared/model.ts';
import { findHidden, madeVisible } from './hidden.ts';

const maxFindings = 8;
/** Characters; longer texts are looked at in their first part and told about by validation. */
const maxText = 64 * 1024;

/** What a pattern gives away. Written for honest texts to pass: insistence on the tool's own use is not among them. */
const patterns: [says: string, pattern: RegExp][] = [
  [
    'tells the agent to forget its instructions',
    /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,30}\b(?:previous|prior|earlier|above|preceding|other|existing|all|any|your)\b[^.\n]{0,20}\b(?:instructions?|rules?|prompts?|guidelines?|safety|policies|restrictions)\b/i,
  ],
  [
    'tells the agent to hide something from the person',
    /\b(?:do not|don't|never|must not|without|avoid|no need to)\b[^.\n]{0,20}\b(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|notify(?:ing)?|alert(?:ing)?|disclos(?:e|ing)|show(?:ing)?|let(?:ting)?|warn(?:ing)?)\b[^.\n]{0,40}\b(?:the |any |to )?(?:users?|humans?|person|people|anyone)\b/i,
  ],
  [
    'tells the agent to hide something from the person',
    /\b(?:without (?:the )?(?:users?'?s?|their) (?:knowledge|noticing|awareness)|(?:keep|hide) (?:this|it|that)[^.\n]{0,20}\bfrom (?:the )?users?|(?:user|person) (?:must|should|does|may) not (?:know|see|notice|be (?:told|informed|aware)))\b/i,
  ],
  [
    'speaks to the agent as if it were its operator',
    /<\/?(?:important|system|secret|instructions?|admin|assistant|hidden)>|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?inst\]|<<\/?sys>>|(?:^|\n)[ \t]{0,8}#{0,4}[ \t]{0,8}(?:system|developer) ?(?:prompt|message|instructions?)?[ \t]{0,8}:/i,
  ],
  [
    'speaks to the agent as if it were its operator',
    /\b(?:new|updated|real|secret|hidden) (?:system )?instructions?\s*:|\byou are now (?:a|an|in|the)\b|\b(?:your|the) system prompt\b/i,
  ],
  [
    'meddles with other tools',
    /\b(?:before|after|when(?:ever)?|instead of|prior to)\b[^.\n]{0,15}\b(?:using|calling|invoking|running|executing|you (?:use|call|invoke|run))?\s?\b(?:any|every|all|each)(?: of the)? (?:other )?(?:tools?|functions?|servers?|tool calls?)\b/i,
  ],
  [
    'meddles with other tools',
    /\b(?:overrides?|replaces?|supersedes?|takes? precedence over|disables?|deprecates?)\b[^.\n]{0,20}\b(?:other|all|any|every|previous|existing)\b[^.\n]{0,15}\b(?:tools?|functions?|servers?)\b/i,
  ],
  [
    'asks for secrets',
    /(?:^|[\s"'`(~]|~?[\\/])\.(?:ssh|aws|gnupg|kube|netrc|npmrc|pypirc)\b[\\/]?[\w.-]{0,40}|\bid_(?:rsa|ed25519|ecdsa)\b|\/etc\/(?:passwd|shadow|sudoers)\b|\b(?:claude_desktop_config|mcp_config|mcp)\.json\b|\bauthorized_keys\b|\bwallet\.dat\b/i,
  ],
  [
    'asks for secrets',
    /\b(?:read|include|pass|send|attach|copy|paste|append|forward|collect|leak|dump)\b[^.\n]{0,60}\b(?:private keys?|(?:api|access|secret) (?:keys?|tokens?)|passwords|credentials|environment variables?|env vars?|\.env\b|seed phrases?|cookies)/i,
  ],
  [
    'asks for the conversation',
    /\b(?:include|pass|send|attach|copy|paste|append|put|forward|collect|provide|add|summari[sz]e)\b[^.\n]{0,50}\b(?:(?:full|entire|whole|complete|previous|all|this|the) (?:chat|conversation|messages?|dialogue?)(?: history)?|conversation history|chat history|system prompt|(?:outputs?|results?) of (?:all |every |any )?other tools|list of (?:all )?(?:available )?tools)\b/i,
  ],
  [
    'sends things to an address of its own',
    /\b(?:bcc|cc|(?:send|forward|e?mail|report|redirect|deliver|upload|post)s?)\b[^.\n]{0,60}\s[\w.+-]{1,40}@(?!example\b|test\b|domain\b|company\b|yourdomain\b)[\w-]{1,40}\.[a-z]{2,10}\b/i,
  ],
  ['holds an encoded text', /(?:^|[^\w/+=])(?=[A-Z0-9+/]*[a-z])(?=[A-Za-z+/]*[0-9])[A-Za-z0-9+/]{160}/],
  [
    'hides text from view',
    /<!--[\s\S]{1,2000}?-->|[ \t]{120}|\n(?:[ \t]{0,80}\n){25}|\bdisplay:\s?none\b|\bfont-size:\s?0\b/i,
  ],
];

/** Parameters that an agent would fill with what it knows, and no honest tool needs. */
const greedyParameters =
  /^(?:conversation_?history|chat_?history|chain_?of_?thought|tools?_list|tool_call_history|side_?note|full_?context)$/i;

/** Tool names of the other servers, with the server; and those of the tool's own, which it may well speak of. */
export interface Neighbours {
  others: ReadonlyMap<string, string>;
  own: ReadonlySet<string>;
}

const alone: Neighbours = { others: new Map(), own: new Set() };

/** Findings in plain words, each with the place and the very words that triggered it; empty for an honest tool. */
export function findPoison(definition: ToolDefinition, neighbours: Neighbours = alone): string[] {
  const findings = new Set<string>();
  if (mixesAlphabets(definition.name)) findings.add(`its name mixes letters that look alike: "${definition.name}"`);
  for (const name of Object.keys((definition.inputSchema.properties as object | undefined) ?? {}))
    if (greedyParameters.test(name)) findings.add(`it has a parameter for what the agent knows: "${quote(name)}"`);
  for (const { place, text } of textsOf(definition)) {
    if (findings.size >= maxFindings) break;
    for (const finding of findInText(text.slice(0, maxText), neighbours)) findings.add(`${place} ${finding}`);
  }
  return [...findings].slice(0, maxFindings);
}

function* findInText(text: string, neighbours: Neighbours): Generator<string> {
  const hidden = findHidden(text);
  if (hidden) yield `holds ${hidden}`;
  // As the agent understands it: without what hides, with look-alikes of the same letter folded.
  const plain = text.replace(/\p{Cf}/gu, '').normalize('NFKC');
  const said = new Set<string>();
  for (const [says, pattern] of patterns) {
    const match = pattern.exec(plain);
    if (!match || said.has(says)) continue;
    said.add(says);
    yield `${says}: "${quote(match[0])}"`;
  }
  const mixed = (plain.match(/\p{L}+/gu) ?? []).find(mixesAlphabets);
  if (mixed) yield `holds a word of letters that look alike: "${mixed}"`;
  yield* shadowed(plain, neighbours);
}

/** Names of other servers' tools. Only names that are no ordinary words: `send_email`, not `search`. */
function* shadowed(text: string, { others, own }: Neighbours): Generator<string> {
  if (others.size === 0) return;
  const named = new Set(text.match(/[A-Za-z][A-Za-z0-9]*(?:[_-]+[A-Za-z0-9]+)*/g) ?? []);
  for (const name of named) {
    const server = others.get(name);
    const isWord = !/[_-]|^[a-z]+[A-Z]/.test(name);
    if (server !== undefined && !isWord && !own.has(name))
      yield `speaks of "${name}", a tool of the server "${server}"`;
  }
}

/** Latin and Cyrillic letters in one word: what homoglyphs need and no language does. */
function mixesAlphabets(word: string): boolean {
  return /\p{Script=Cyrillic}/u.test(word) && /[A-Za-z]/.test(word);
}

function quote(words: string): string {
  const flat = madeVisible(words).replace(/\s+/g, ' ').trim();
  return flat.length > 140 ? `${flat.slice(0, 139)}…` : flat;
}

/** Every text of a definition that an agent reads, with its place in plain words. */
function* textsOf(definition: ToolDefinition): Generator<{ place: string; text: string }> {
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
        if (name.length > 60 || /[^\x20-\x7e]/.test(name)) yield { place: 'the name of a parameter', text: name };
        yield* schemaTexts(schema, here);
      }
    } else if (key !== 'pattern' && key !== '$ref' && key !== 'format') yield* schemaTexts(inner, place);
  }
}
