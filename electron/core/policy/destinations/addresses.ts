/** Finds addresses in a text: mail, web, bank accounts, wallets, telephone numbers, long numbers. */
import { countrySpecs, electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { findPhoneNumbersInText } from 'libphonenumber-js/min';
import { LinkifyIt } from 'linkify-it';
import { destinationName, wordsOf } from '../argument-names.ts';

/** An address in a form that is equal for all ways to write it, and differs for look-alikes. */
export interface Address {
  kind: 'email' | 'web' | 'account' | 'phone' | 'number';
  value: string;
}

const links = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: true, urlAuth: true });
/** Two-letter endings of file names, which are also endings of domains or look like them. */
const fileEnding = /\.(?:cc|cs|db|gz|hs|js|kt|md|ml|pl|ps|py|rb|rs|sh|so|tf|ts|vb)$/i;
const wallet = /\b(?:0x[0-9a-fA-F]{40}|bc1[a-z0-9]{25,60}|[13][1-9A-HJ-NP-Za-km-z]{25,34})\b/g;
const ibanLike = /\b[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}\b/g;
/** As long as the number of a card or an account: in groups of four, or without separators. */
const longNumber =
  /(?<![\w.,-])(?:\d{4}(?:[ .-]\d{4}){2}[ .-]\d{1,7}|\d{4}[ .-]\d{6}[ .-]\d{5}|\d{13,19})(?![\w]|[.,-]\d)/g;
const phoneLike = /\+\d[\d ().\-/]{6,20}/g;

/** More addresses than a user would compare. */
export const maxAddresses = 500;

/** Every address in the text, without duplicates; undefined if there are too many. */
export function addressesIn(text: string): Address[] | undefined {
  const found = new Map<string, Address>();
  const add = (kind: Address['kind'], value: string) => found.set(`${kind} ${value}`, { kind, value });
  const linked = /[@.:/]/.test(text) ? (links.match(text) ?? []) : [];
  const phones = text.match(phoneLike) ?? [];
  if (linked.length > maxAddresses || phones.length > maxAddresses) return undefined;
  for (const link of linked) addLink(link, add);
  for (const phone of phones) for (const { number } of findPhoneNumbersInText(phone)) add('phone', number.number);
  if (!/\d{2}/.test(text)) return [...found.values()];
  let rest = text.replace(wallet, (match) => {
    add('account', match);
    return ' ';
  });
  rest = rest.replace(ibanLike, (match) => {
    const iban = ibanIn(match);
    if (iban === undefined) return match;
    add('account', iban);
    return ' ';
  });
  for (const [match] of rest.matchAll(longNumber)) if (!isTime(match)) add('number', match.replace(/\D/g, ''));
  return found.size > maxAddresses ? undefined : [...found.values()];
}

/** Whether the number is a time before the year 2100 in epoch milliseconds, rather than a card or an account. */
const isTime = (text: string) => /^\d{13}$/.test(text) && Number(text) < Date.UTC(2100);

/** The account number at the start of a text, which may continue with other words. */
function ibanIn(text: string): string | undefined {
  const written = electronicFormatIBAN(text) ?? '';
  const iban = written.slice(0, countrySpecs[written.slice(0, 2)]?.chars ?? 0);
  return isValidIBAN(iban) ? iban : undefined;
}

function addLink(
  { schema, url, text }: { schema: string; url: string; text: string },
  add: (kind: Address['kind'], value: string) => void,
): void {
  if (schema === 'mailto:') {
    return void add('email', mailAddress(url.replace(/^mailto:/i, '')));
  }
  if (schema === '' && fileEnding.test(text)) return;
  const address = webAddress(url);
  if (address !== undefined) add('web', address);
}

const mailbox = String.raw`[^\s<>()[\]:;,"\\@]+@[^\s<>()[\]:;,"\\@/?#%]+`;
/** With a name, a name in quotes, or alone. Matching is linear, other than with a parser for all of RFC 5322. */
const listedMailbox = new RegExp(
  String.raw`(?:(?:[^<>()[\]:;,"\\@\r\n]*|\s*"[^"\\\r\n]*"\s*)<(${mailbox})>|\s*(${mailbox}))\s*(?:,|$)`,
  'y',
);

/**
 * The mail addresses of a list such as `Ann <ann@example.com>, bob@example.com`, in lower case; undefined if the text
 * contains anything else.
 */
export function mailboxesIn(text: string): string[] | undefined {
  if (!text.includes('@')) return undefined;
  const found: string[] = [];
  listedMailbox.lastIndex = 0;
  while (listedMailbox.lastIndex < text.length) {
    const match = listedMailbox.exec(text);
    if (!match) return undefined;
    found.push(mailAddress(match[1] ?? match[2] ?? ''));
  }
  return found;
}

function mailAddress(text: string): string {
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  return `${text.slice(0, at).toLowerCase()}@${URL.parse(`https://${domain}`)?.hostname ?? domain.toLowerCase()}`;
}

/** Hosts on which everybody can publish, so that the path decides who receives the data. */
const shared =
  /(?:^|\.)(?:github\.com|gitlab\.com|bitbucket\.org|githubusercontent\.com|docs\.google\.com|drive\.google\.com|script\.google\.com|forms\.gle|pastebin\.com|discord\.com|hooks\.slack\.com|t\.me|api\.telegram\.org|webhook\.site|medium\.com|notion\.site|sharepoint\.com|dropbox\.com|s3\.amazonaws\.com|storage\.googleapis\.com)$/;

/** The origin of a web address; with its path if everybody can publish on that host. */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || url.host === '') return undefined;
  // Some servers take what follows an `@` for the host, also after a `?`.
  if (/^[^/]*\/\/[^/?#]*[?#][^@]*@/.test(text)) return url.href;
  const site = siteOf(url);
  return shared.test(url.hostname) ? site + url.pathname : site;
}

export const siteOf = ({ protocol, host }: URL): string => `${protocol}//${host}`;

/** The address with its path and with those parts of its query that are named like destinations. */
export function pageAddress(text: string): string | undefined {
  const url = URL.parse(text);
  const address = webAddress(text);
  if (!url || address === undefined || address === url.href) return address;
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => destinationName.test(wordsOf(name))));
  query.sort();
  return siteOf(url) + url.pathname + (query.size > 0 ? `?${query}` : '');
}

/** The site of a web address that names a page of it; undefined if everybody can publish on that site. */
export function siteOfPage(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url || url.host === '' || shared.test(url.hostname)) return undefined;
  const site = siteOf(url);
  return site === address ? undefined : site;
}

/** The web address that is the whole text, in this form; undefined if the text holds anything else. */
export const onlyWebAddress = (text: string, form = webAddress): string | undefined =>
  /^\s*[a-z][a-z\d+.-]*:\/\/[^\s,;|\\]+\s*$/i.test(text) ? form(text.trim()) : undefined;
