/** Tells a day from the records of calls: what each client did, by the verbs and nouns in the names of tools. */
import { isObject } from '../../../shared/is-object.ts';
import type { CallRecord } from '../../../shared/model/call.ts';
import { type StoryLine, type StorySession, type StoryVerb, storyVerbSchema } from '../../../shared/model/story.ts';
import { parseJson } from '../../../shared/parse-json.ts';

type ToolCallRecord = Extract<CallRecord, { kind: 'call' }>;

/** A client that makes no call for this long starts another session. */
const pauseMs = 30 * 60_000;
const maxExamples = 3;
const maxExampleLength = 60;

const verbs: Partial<Record<StoryVerb, readonly string[]>> = {
  created: ['create', 'add', 'new', 'insert', 'post', 'make', 'open', 'upload'],
  changed: ['update', 'edit', 'set', 'patch', 'modify', 'write', 'put', 'change', 'append', 'replace', 'save'],
  deleted: ['delete', 'remove', 'drop', 'clear', 'purge', 'destroy', 'trash'],
  sent: ['send', 'publish', 'reply', 'mail', 'email', 'pay', 'transfer'],
  moved: ['move', 'rename', 'archive'],
  searched: ['search', 'list', 'find', 'query', 'filter'],
  read: ['get', 'read', 'fetch', 'show', 'view', 'describe', 'retrieve', 'load', 'download'],
};
const verbOf = new Map(
  storyVerbSchema.options.flatMap((verb) => (verbs[verb] ?? []).map((word) => [word, verb] as const)),
);

/** Arguments that name the thing that a call works on, best first. */
const titleNames = ['title', 'name', 'subject', 'summary', 'path', 'page', 'key', 'id', 'to'];

/** `records` are those of one day, newest first. The sessions are in order of their start. */
export function tellDay(records: readonly CallRecord[]): StorySession[] {
  const sessions: { client: string; calls: ToolCallRecord[] }[] = [];
  const open = new Map<string, { client: string; calls: ToolCallRecord[] }>();
  for (const record of records.toReversed()) {
    if (record.kind !== 'call') continue;
    const known = open.get(record.client);
    if (known && record.at - (known.calls.at(-1)?.at ?? 0) <= pauseMs) {
      known.calls.push(record);
      continue;
    }
    const session = { client: record.client, calls: [record] };
    sessions.push(session);
    open.set(record.client, session);
  }
  return sessions.map(({ client, calls }) => ({
    client,
    from: calls[0]?.at ?? 0,
    to: Math.max(...calls.map(({ at, durationMs }) => at + durationMs)),
    lines: linesOf(calls),
  }));
}

function linesOf(calls: readonly ToolCallRecord[]): StoryLine[] {
  const told = calls.map((call) => ({ call, ...wordsFor(call) }));
  const groups = Map.groupBy(told, ({ call, verb, noun }) => JSON.stringify([verb, call.server, noun]));
  const lines = Array.from(groups.values(), (group): StoryLine => {
    const [{ call, verb, noun }] = group as [(typeof told)[number]];
    const isReading = verb === 'read' || verb === 'searched';
    const titles = isReading ? [] : group.flatMap((one) => titleOf(one.call) ?? []);
    const different = new Set(group.map((one) => one.call.arguments)).size;
    const count = verb === 'read' ? different : group.length;
    return {
      verb,
      noun,
      nouns: pluralOf(noun),
      server: call.server,
      count,
      examples: [...new Set(titles)].slice(0, maxExamples),
    };
  });
  const order = storyVerbSchema.options;
  return lines.sort((a, b) => order.indexOf(a.verb) - order.indexOf(b.verb));
}

function wordsFor({ tool, outcome, code }: ToolCallRecord): { verb: StoryVerb; noun: string } {
  if (code === 'CANCELLED') return { verb: 'canceled', noun: tool };
  if (code === 'APPROVAL_DENIED') return { verb: 'denied', noun: tool };
  if (code === 'APPROVAL_TIMEOUT') return { verb: 'unanswered', noun: tool };
  if (outcome === 'refused') return { verb: 'refused', noun: tool };
  if (outcome !== 'ok') return { verb: 'failed', noun: tool };
  const words = tool
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
  const index = words.findIndex((word) => verbOf.has(word));
  const noun = words.slice(index + 1).join(' ');
  const verb = verbOf.get(words[index] ?? '');
  return verb && noun ? { verb, noun: singularOf(noun) } : { verb: 'ran', noun: tool };
}

const singularOf = (noun: string) =>
  /(?:ss|us|is)$/.test(noun) ? noun : noun.replace(/(?<=[^aeiou])ies$/, 'y').replace(/(?<=x|ch|sh)es$|s$/, '');
const pluralOf = (noun: string) =>
  /[^aeiou]y$/.test(noun) ? noun.replace(/y$/, 'ies') : /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;

function titleOf({ arguments: text }: ToolCallRecord): string | undefined {
  const args = parseJson(text);
  if (!isObject(args)) return undefined;
  const title = titleNames.map((name) => args[name]).find((value) => typeof value === 'string' && value !== '');
  if (typeof title !== 'string') return undefined;
  return title.length > maxExampleLength ? `${title.slice(0, maxExampleLength).toWellFormed()}…` : title;
}
