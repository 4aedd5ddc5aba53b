/** Shows the user where a web address leads, and warns if it imitates another site. */
import { domainToUnicode } from 'node:url';
import type { WebAddress } from '../../../shared/model/question.ts';

/**
 * The address as a browser reads it, so that the user sees exactly what will open; undefined unless it is http or
 * https.
 */
export function webAddress(text: unknown): { url: string; address: WebAddress } | undefined {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  const credentials = url.username || url.password ? `${url.username}${url.password ? ':…' : ''}@` : '';
  return {
    url: url.href,
    address: {
      before: `${url.protocol}//${credentials}`,
      host: url.host,
      after: `${url.pathname}${url.search}${url.hash}`,
      warnings: [...warningsOf(url)],
    },
  };
}

function* warningsOf(url: URL): Generator<string> {
  const { hostname, protocol, port, username, password } = url;
  const isLocal = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  const isNumber = /^(?:\d+(?:\.\d+){3}|\[.*\])$/.test(hostname);
  const labels = hostname.split('.').filter((label) => label !== '');
  if (protocol === 'http:' && !isLocal) yield 'The connection is not encrypted: others on the network could read it.';
  if (isLocal) yield 'It leads to a program on this machine.';
  if (username || password) yield `The text before the @ is not the site. The site is ${hostname}.`;
  if (labels.some((label) => label.startsWith('xn--'))) yield imitation(hostname);
  if (isNumber && !isLocal) yield 'It leads to an IP address instead of a site name.';
  if (!isNumber && hidesSite(labels))
    yield `The site is really ${siteOf(labels).join('.')}; ignore the part before it.`;
  const resembled = isNumber ? undefined : labels.slice(0, -1).map(resembledSite).find(Boolean);
  if (resembled) yield `The name resembles “${resembled}” but is not that site.`;
  if (port && !isLocal) yield `It uses the unusual port ${port}.`;
}

/** Second levels under which countries register names, as in `example.co.uk`. */
const sharedSecondLevel = /^(?:ac|co|com|edu|go|gob|gov|govt|ne|net|nom|or|org)$/;
const wellKnownEnding = /^(?:com|net|org|edu|gov|io|dev|app|ai)(?:-|$)/;

/** The labels of the registered name. */
function siteOf(labels: string[]): string[] {
  const [second = '', last = ''] = labels.slice(-2);
  return labels.slice(last.length === 2 && sharedSecondLevel.test(second) ? -3 : -2);
}

/** Whether the labels before the registered name look like another site: many of them, or a common ending such as `com` among them. */
function hidesSite(labels: string[]): boolean {
  const before = labels.slice(0, -siteOf(labels).length);
  return before.length > 2 || before.slice(1).some((label) => wellKnownEnding.test(label));
}

/** A warning about a name with non-ASCII characters, with the name that it resembles. */
function imitation(hostname: string): string {
  const written = domainToUnicode(hostname);
  const alike = plainLetters(written);
  if (written !== '' && /^[\x21-\x7e]+$/.test(alike))
    return `The name contains characters from another alphabet or with accents: “${written}” is not “${alike}” (${foreign(written)}).`;
  const shown = written === '' ? '' : `: “${written}”`;
  return written.split('.').some(mixesAlphabets)
    ? `The name mixes several alphabets, which is typical of imitations of known sites${shown}.`
    : `The name contains characters from another alphabet and may imitate a site that you know${shown}.`;
}

/** The characters that are not ASCII with their codes, because many look the same: `а is U+0430`. */
function foreign(name: string): string {
  const characters = new Set(name.match(/[^\x21-\x7e]/gu));
  return Array.from(characters, (character) => `${character} is U+${codeOf(character)}`).join(', ');
}

const codeOf = (character: string) => character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');

/** Characters that resemble one of a to z in an address bar, which shows lower case only (from Unicode's confusables). */
const looksLike: Record<string, string> = Object.fromEntries(
  Object.entries({
    a: 'аαɑ',
    b: 'ьƅ',
    c: 'сϲᴄ',
    d: 'ԁɗđ',
    e: 'еєҽ',
    f: 'ſƒ',
    g: 'ɡցԍ',
    h: 'һհ',
    i: 'іıɩι',
    j: 'јϳյ',
    k: 'кκĸ',
    l: 'ӏłǀɫ',
    m: 'мᴍ',
    n: 'ոռпη',
    o: 'оοօøо०',
    p: 'рρ',
    q: 'ԛզգ',
    r: 'гᴦ',
    s: 'ѕꜱ',
    t: 'тτŧ',
    u: 'սυʋц',
    v: 'νѵᴠ',
    w: 'ԝшѡω',
    x: 'хχ×',
    y: 'уүγყ',
    z: 'ᴢƶ',
  }).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter])),
);

/** The name with each lookalike character replaced by the ASCII one. */
function plainLetters(name: string): string {
  const bare = name.normalize('NFKD').replace(/\p{M}/gu, '');
  return Array.from(bare, (letter) => looksLike[letter] ?? letter).join('');
}

const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];
const mixesAlphabets = (label: string) => alphabets.filter((alphabet) => alphabet.test(label)).length > 1;

/** Sites whose sign-in pages are worth imitating. Names are compared only with these. */
const knownSites =
  `adobe airbnb amazon americanexpress anthropic apple asana atlassian auth0 azure bankofamerica binance
  bitbucket box capitalone chase chatgpt citibank claude cloudflare coinbase discord docker dropbox ebay facebook fidelity
  figma github gitlab gmail google hetzner hubspot huggingface icloud instagram intuit kraken linear linkedin mailchimp
  mastercard metamask microsoft mongodb netflix netlify notion npmjs okta openai oracle outlook paypal pinterest postman
  pypi reddit revolut salesforce sentry shopify signal slack snowflake spotify steam steampowered stripe supabase telegram
  trello twilio twitter vercel whatsapp wikipedia wise yahoo youtube zendesk zoom`.split(/\s+/);
const known = new Map(knownSites.map((name) => [alike(name), name]));

/** The known site that the label resembles; undefined if the label is the site itself. */
function resembledSite(label: string): string | undefined {
  if (knownSites.includes(label)) return undefined;
  const plain = alike(label);
  return known.get(plain) ?? knownSites.find((name) => name.length >= 6 && isOneSlipFrom(name, plain));
}

/** Replaces characters and pairs that look alike in an address bar with the same character. */
function alike(name: string): string {
  const digits: Record<string, string> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g' };
  return name
    .replace(/[0-9]/g, (digit) => digits[digit] ?? digit)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('-', '');
}

/** True if one character is replaced, missing, added, or swapped with the next one. */
function isOneSlipFrom(name: string, other: string): boolean {
  if (name === other || Math.abs(name.length - other.length) > 1) return false;
  let at = 0;
  while (at < name.length && name[at] === other[at]) at += 1;
  const [a, b] = [name.slice(at), other.slice(at)];
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}
