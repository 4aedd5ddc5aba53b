/**
 * The destinations of a call: to whom, where, or on what it acts. A destination is an address, the value of an argument
 * that names one, or what identifies the object of the call.
 */
import type { Destination } from '../../../shared/model/question.ts';
import type { ToolView } from '../../../shared/model/tool.ts';
import { redact } from '../secrets/redact.ts';
import type { JsonObject } from '../types.ts';
import {
  addressName,
  containerName,
  destinationName,
  hookName,
  identifierName,
  ownerName,
  pathName,
  wordsOf,
} from './argument-names.ts';
import {
  type Arguments,
  carriesProgram,
  type Leaf,
  leavesIn,
  nearestName,
  oncePerPlace,
  type Place,
  stringsIn,
} from './argument-values.ts';
import {
  addressesIn,
  mailboxesIn,
  maxAddresses,
  onlyWebAddress,
  pageAddress,
  siteOf,
  webAddress,
} from './destinations/addresses.ts';
import { kindsOfServers } from './known-destinations.ts';

export interface Destinations {
  all: Destination[];
  /** False if a value cannot be compared or kept. Such a call is never known. */
  isComplete: boolean;
  /** False if neither the schema nor the call lets Toolkeep recognize where the call goes. */
  isRecognized: boolean;
}

/** More text than a user sends in a message. Searching it would hold Core. */
const maxText = 100_000;
const maxValue = 500;

type Recognize = 'destination' | 'identifier' | 'nothing';

const incomparable: Destinations = { all: [], isComplete: false, isRecognized: true };

/**
 * Finds the destinations of a call. For a dangerous tool without an argument for a destination, the arguments that
 * identify its object count as such. A call that acts goes to the page of a web address, one that reads to its site.
 */
export function destinationsOf(
  { name, annotations, inputSchema }: Pick<ToolView, 'name' | 'annotations' | 'inputSchema'>,
  args: Arguments,
  meta: Arguments | undefined,
  checks: 'acts' | 'reads' = 'acts',
): Destinations {
  // Under a name of its own, because the arguments may contain `_meta`, too.
  const everything = meta ? { args, _meta: meta } : { args };
  const leaves = leavesIn(everything)?.filter((leaf) => !isConversation(leaf));
  if (!leaves) return incomparable;
  const recognizable = recognizeIn(inputSchema);
  const recognize = annotations.safetyLevel === 'dangerous' ? recognizable : 'destination';
  const tool = annotations.destructiveHint || carriesProgram(args) ? { tool: name } : {};
  const found = new Map<string, Destination>();
  const add = ({ kind, value }: Destination) => found.set(`${kind}\n${value}`, { kind, value, ...tool });
  const nameOf = findNames(recognize);
  const places: string[] = [];
  // A call with only an address sends nothing there, unless the server will.
  const sends = leaves.some(({ argument, value }) => argument !== '_meta' && value !== '' && !isWebAddress(value));
  const formFor = (named: string) => (checks === 'acts' && (sends || hookName.test(named)) ? pageAddress : webAddress);
  let isComplete = true;
  let left = maxText;
  for (const leaf of leaves) {
    const text = textOf(leaf.value);
    if (text === '') continue;
    left -= text?.length ?? 0;
    if (left < 0 || found.size > maxAddresses) return incomparable;
    const named = nameOf(leaf.place);
    if (named === undefined) {
      const addresses = text === undefined ? [] : addressesIn(text);
      if (!addresses) isComplete = false;
      for (const address of addresses ?? []) add(address);
    } else if (text === undefined) {
      // Beyond 2⁵³, different numbers compare as equal.
      isComplete = false;
    } else if (ownerName.test(named) && isComparable(named, text)) {
      places.push(placeNamed(named, normalized(text)));
    } else {
      const { kept, isWhole } = comparable(named, text, formFor(named));
      if (!isWhole) isComplete = false;
      for (const destination of kept) add(destination);
    }
  }
  const nameAround = nearestName((name) => isDestination(name) && !ownerName.test(name));
  const declared = new Set(namesInSchema(inputSchema));
  for (const { value, isKey, place } of stringsIn(everything) ?? []) {
    if (!isKey) continue;
    left -= value.length;
    if (left < 0 || found.size > maxAddresses) return incomparable;
    const named = declared.has(wordsOf(value)) || isDestination(wordsOf(value)) ? undefined : nameAround(place);
    if (named === undefined) for (const address of addressesIn(value) ?? []) add(address);
    else {
      const { kept, isWhole } = comparable(named, value, webAddress);
      if (!isWhole) isComplete = false;
      for (const destination of kept) add(destination);
    }
  }
  if (places.length > 0) add({ kind: 'place', value: places.sort().join(', ') });
  return { all: [...found.values()], isComplete, isRecognized: recognizable !== 'nothing' || found.size > 0 };
}

/** A value with a comma is quoted, so that it cannot imitate another place. */
function placeNamed(name: string, value: string): string {
  return `${name.replace(/[_\-.\s]?(?:id|name)$/, '')} ${/[,"]/.test(value) ? JSON.stringify(value) : value}`;
}

const isWebAddress = (value: unknown) => typeof value === 'string' && /^\s*https?:\/\//i.test(value);

/** Whether the value may be kept, so that a later one can be compared with it. */
const isComparable = (name: string, text: string): boolean =>
  text.length <= maxValue && (redact({ [name]: text }) as Arguments)[name] === text;

/** The destinations in a value that may be kept: of a web address that holds a secret, the site. */
function comparable(name: string, text: string, form: typeof webAddress): { kept: Destination[]; isWhole: boolean } {
  let isWhole = true;
  const kept = destinationsNamed(name, text, form).flatMap(({ kind, value }) => {
    if (isComparable(value === normalized(text) ? name : '', value)) return { kind, value };
    isWhole = false;
    const url = kind === 'web' ? URL.parse(value) : null;
    return url ? { kind, value: siteOf(url) } : [];
  });
  return { kept, isWhole };
}

/** A string or a number as text; undefined for a number that is not exact; empty for anything else. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return '';
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Finds the name that makes a value a destination. The name of a place applies only to the value itself, not to an object. */
function findNames(recognize: Recognize): (place: Place) => string | undefined {
  const destination = nearestName((name) => isDestination(name) && !ownerName.test(name));
  const container = nearestName((name) => containerName.test(name));
  const identifier = nearestName(isIdentifier);
  return oncePerPlace((place) => {
    const own = wordsOf(place.name);
    if (isDestination(own)) return own;
    return destination(place) ?? container(place) ?? (recognize === 'identifier' ? identifier(place) : undefined);
  });
}

/**
 * Whether a client such as Codex or VS Code says in `_meta` in which conversation it calls. That is not where the call goes, and
 * another one in each session.
 */
const isConversation = ({ argument, place, value }: Leaf) =>
  argument === '_meta' && /^(?:thread|conversation)_?id$/.test(wordsOf(place.name)) && /^[\w-]+$/.test(String(value));

/** A `target` is often an element on a page, which only identifies what a dangerous call acts on. */
const isTarget = (name: string) => name === 'target';
const isDestination = (name: string) =>
  !isTarget(name) && (destinationName.test(name) || addressName.test(name) || ownerName.test(name));
const isIdentifier = (name: string) => isTarget(name) || identifierName.test(name);

/**
 * The destinations in the value of a destination argument. If the value holds more than an address, the whole value is a
 * destination too: a known address must not hide what follows it.
 */
function destinationsNamed(name: string, text: string, form: typeof webAddress): Destination[] {
  const mails = mailboxesIn(text);
  if (mails) return mails.map((value) => ({ kind: 'email', value }));
  const web = onlyWebAddress(text, form);
  if (web !== undefined) return [{ kind: 'web', value: web }];
  const addresses = addressesIn(text) ?? [];
  const [only] = addresses;
  if (only && text.replace(/[\s().-]/g, '').toLowerCase() === only.value.toLowerCase()) return [only];
  return [{ kind: kindOf(name), value: normalized(text) }, ...addresses];
}

/** Not NFKC, which would merge look-alikes. */
const normalized = (text: string) => text.trim().normalize('NFC');

const personName =
  /(?:^|[_\-.\s])(?:to|cc|bcc|(?:recipient|receiver|attendee|invitee|participant|guest|member|contact|peer|user|payee|assignee|reviewer|follower|subscriber|customer)s?|beneficiar(?:y|ies)|shared?_?with)(?:$|[_\-.\s])/;

function kindOf(name: string): string {
  if (personName.test(name)) return 'user';
  if (pathName.test(name)) return 'path';
  const kind = name.replace(/[_\-.\s]?(?:ids?|names?|numbers?|handles?|lists?)$/, '').replace(/s$/, '') || name;
  return kindsOfServers.includes(kind) ? `${kind}s` : kind;
}

const recognized = new WeakMap<JsonObject, Recognize>();

/** The kind of arguments by which Toolkeep recognizes where a call goes, at any depth of the schema. */
function recognizeIn(schema: JsonObject): Recognize {
  const earlier = recognized.get(schema);
  if (earlier) return earlier;
  const names = namesInSchema(schema);
  const found = names.some(isDestination) ? 'destination' : names.some(isIdentifier) ? 'identifier' : 'nothing';
  recognized.set(schema, found);
  return found;
}

const maxSchemaNodes = 5_000;
const addressFormats = new Set(['email', 'idn-email', 'uri', 'url', 'iri', 'hostname', 'idn-hostname']);

/** The names of all properties, and for a property with the format of an address, that format. References stay in the schema. */
function namesInSchema(schema: JsonObject): string[] {
  const names: string[] = [];
  const open: unknown[] = [schema];
  for (let next = open.pop(), count = 0; next !== undefined && count < maxSchemaNodes; next = open.pop(), count += 1) {
    if (typeof next !== 'object' || next === null) continue;
    const { properties, format } = next as { properties?: unknown; format?: unknown };
    if (typeof properties === 'object' && properties !== null) names.push(...Object.keys(properties).map(wordsOf));
    if (typeof format === 'string' && addressFormats.has(format)) names.push('url');
    open.push(...Object.values(next));
  }
  return names;
}
