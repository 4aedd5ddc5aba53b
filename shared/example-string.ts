/** A likely string for a parameter: from the format, from a sample in the description, or from the words of the name. */
import type { JsonSchema } from './model/tool.ts';

const byFormat: Record<string, string> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
};

/** The last word of a name decides (`mailFolderId` is an ID); otherwise the first entry that any of its words matches. */
const byWord: [RegExp, string][] = [
  [/secret|password|token|api ?key|credential/, 'YOUR_SECRET'],
  [/e ?mail/, 'name@example.com'],
  [/urls?|uri|link|href|endpoint/, 'https://example.com'],
  [/time ?zone|tz/, 'Europe/Berlin'],
  [/date ?time|timestamp/, '2026-01-31T12:00:00Z'],
  [/dates?|day|since|until/, '2026-01-31'],
  [/folders?|dir|directory|cwd/, '/home/user/project'],
  [/paths?|files?|filename/, '/home/user/notes.md'],
  [/hosts?|hostname|domain/, 'example.com'],
  [/repo|repository/, 'hello-world'],
  [/owner|org|organization|user ?name|login|author|assignees?/, 'octocat'],
  [/branch|ref/, 'main'],
  [/sha|commit/, '9fceb02'],
  [/[ug]?ids?|uuid|key|number/, '42'],
  [/sql/, 'SELECT 1'],
  [/cmd|command/, 'ls'],
  [/code|script/, 'print("hello")'],
  [/query|search|q|keywords?/, 'open issues'],
  [/city|location|place|address/, 'Berlin'],
  [/country/, 'DE'],
  [/language|lang|locale/, 'en'],
  [/currency/, 'EUR'],
  [/symbol|ticker/, 'AAPL'],
  [/colou?r/, '#3366ff'],
  [/version/, '1.0.0'],
  [/labels?|tags?/, 'bug'],
  [/titles?|subject|summary/, 'Crash on startup'],
  [/body|content|text|message|description|comment|prompt|note/, 'The app crashes when it starts.'],
  [/channel/, 'general'],
  [/names?/, 'example'],
];
const wholeWords = byWord.map(([words, value]) => [new RegExp(`(?:^| )(?:${words.source})(?: |$)`), value] as const);

/** A likely string for the parameter `name`. Reads `format`, `description` and `maxLength` of `schema`. */
export function exampleString(name: string, schema: JsonSchema): string {
  const found = byFormat[String(schema.format)] ?? sampleIn(schema.description) ?? likely(name);
  return typeof schema.maxLength === 'number' ? found.slice(0, schema.maxLength) : found;
}

function likely(name: string): string {
  const words = name
    .slice(0, 100)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
  const of = (text: string) => wholeWords.find(([pattern]) => pattern.test(text))?.[1];
  return of(words.slice(words.lastIndexOf(' ') + 1)) ?? of(words) ?? `example ${words}`.trim();
}

const introduction = String.raw`(?:e\.g\.|for example|for instance|such as|examples?:)[,:]?\s*\(?`;
const quoted = new RegExp(String.raw`${introduction}\[?["'\`“]([^"'\`”\n]{1,60})["'\`”]`, 'i');
/** Matches a sample without quotes only if it cannot be an ordinary word. */
const bare = new RegExp(String.raw`${introduction}([^\s,;()"'\`]{0,30}[\d/_:@-][^\s,;()"'\`]{0,30})`, 'i');
const inParentheses = /\(([\w.-]{1,30}\/[\w.-]{1,30})\)/;

function sampleIn(description: unknown): string | undefined {
  if (typeof description !== 'string') return undefined;
  const text = description.slice(0, 1_000);
  if (/\byyyy-mm-dd\b/i.test(text)) return byFormat.date;
  const sample = (quoted.exec(text) ?? bare.exec(text) ?? inParentheses.exec(text))?.[1];
  return sample === undefined || sample === 'and/or' ? undefined : sample.replace(/[.:]$/, '');
}
