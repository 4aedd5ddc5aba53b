/** Replaces the secrets of a confined server by made-up values, of which only Toolkeep knows the real ones. */
import { randomInt } from 'node:crypto';
import type { Launch } from '../connection/spawn-server.ts';
import type { Limits } from '../types.ts';

/** The server has `fake`, which has as many characters as the secret. */
export interface StandIn {
  /** The variable or argument in which the server finds it. */
  name: string;
  real: string;
  fake: string;
  /** The hosts that may receive the real value without a question. */
  allowed: readonly string[];
  /** The places in a request to them that may have it. */
  places: readonly string[];
  /** The hosts that probably receive it. Undefined if any host may. */
  expected: readonly string[] | undefined;
}

/** A secret that the server has itself. */
export interface HeldSecret {
  name: string;
  reason: string;
}

interface Setting {
  name: string;
  text: string;
}

/** Shorter values could be parts of other text. */
const minRandomCharacters = 10;
/** The start of a token that says whose it is, such as `github_pat_` or `sk-`. Some servers check it. */
const tokenPrefix = /^(?:[A-Za-z]{1,8}[-_]){1,2}/;
const computesWith =
  /PRIVATE_?KEY|SECRET_ACCESS_KEY|ACCESS_KEY_SECRET|SIGNING|ENCRYPT|PASSPHRASE|JWT_SECRET|WEBHOOK_SECRET|CLIENT_SECRET/i;
/** Also the password of a mail account, but not the key of a mail service. */
const notOverHttps =
  /(?:MAIL|IMAP|SMTP|POP3|SSH|LDAP|MQTT)_(?:\w+_)?PASS(?:WORD|WD)?$|^(?:PG|POSTGRES|MYSQL|MARIADB|MONGO|REDIS|DB|DATABASE|SQL|SMTP|IMAP|SSH|LDAP)/i;

/** The launch with stand-ins, and the secrets that it keeps. */
export function withStandIns(launch: Launch, limits: Limits) {
  const settings = settingsOf(launch);
  const standIns: StandIn[] = [];
  const held: HeldSecret[] = [];
  // Longer first, because one secret may be a part of another.
  for (const real of [...(limits.values ?? [])].sort((a, b) => b.length - a.length)) {
    const found = real === '' ? undefined : settings.find(({ text }) => text.includes(real));
    if (!found) continue;
    const reason = reasonToHold(found, real, limits);
    if (reason !== undefined) held.push({ name: found.name, reason });
    else standIns.push(standIn(found.name, real, limits));
  }
  const replaced = (text: string) => standIns.reduce((all, { real, fake }) => all.replaceAll(real, fake), text);
  const env = Object.fromEntries(Object.entries(launch.env).map(([name, text]) => [name, replaced(text)]));
  return { launch: { ...launch, args: launch.args.map(replaced), env }, standIns, held };
}

function settingsOf({ env, args }: Launch): Setting[] {
  const ofArgs = args.map((text, index) => {
    const flag = /^(-{1,2}[\w.-]+)=/.exec(text)?.[1] ?? args[index - 1];
    return { name: flag?.startsWith('-') ? flag : `argument ${index + 1}`, text };
  });
  return [...Object.entries(env).map(([name, text]) => ({ name, text })), ...ofArgs];
}

/** Why a stand-in would not work. */
function reasonToHold({ name, text }: Setting, real: string, limits: Limits): string | undefined {
  const { hosts, hold } = limits.secrets?.[name] ?? {};
  if (hold) return 'the configuration says so';
  if (real.includes('\n')) return severalWords;
  if (limits.network.allow.length === 0 && !limits.mayReach) return 'the server has no network';
  if (!limits.mayReach && !hosts?.length) return 'the configuration names no host that receives it';
  if (hosts?.length) return randomCharacters(real) < minRandomCharacters ? tooShort : undefined;
  if (/[\s{}]/.test(real)) return severalWords;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return 'it is part of an address';
  if (computesWith.test(name)) return 'the server may compute with it, instead of sending it';
  if (notOverHttps.test(name)) return 'databases, mail servers and SSH are not reached by HTTPS';
  return randomCharacters(real) < minRandomCharacters ? tooShort : undefined;
}

const severalWords = 'it is not a single word, so the server may read it';
const tooShort = 'it is too short to be recognized';

const prefixOf = (real: string) => {
  const prefix = tokenPrefix.exec(real)?.[0] ?? '';
  return real.length - prefix.length >= 2 * minRandomCharacters ? prefix : '';
};
const randomCharacters = (real: string) => real.slice(prefixOf(real).length).replace(/[^a-z\d]/gi, '').length;

function standIn(name: string, real: string, limits: Limits): StandIn {
  const { hosts: allowed = [], places = ['header:*'] } = limits.secrets?.[name] ?? {};
  const predicted = limits.secretHosts?.(name);
  // Without a question, only the configured hosts receive it.
  const expected = limits.mayReach ? predicted && [...predicted, ...allowed] : allowed;
  return { name, real, fake: fakeOf(real), allowed, places, expected };
}

const lower = 'abcdefghijklmnopqrstuvwxyz';
const alphabets = ['0123456789', 'abcdef', lower.slice(6), lower.toUpperCase(), '_-'];
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Keeps what a server may check and what is no secret: the length, the prefix, the marks between the parts, and which kinds of
 * characters a part has, but not where.
 */
function fakeOf(real: string): string {
  const prefix = prefixOf(real);
  const rest = real.slice(prefix.length);
  if (uuid.test(rest)) return prefix + rest.replace(/[\da-f]/gi, () => randomFrom('0123456789abcdef'));
  return prefix + rest.replace(/[\w-]+/g, (part) => part.replace(/./g, () => randomFrom(alphabetOf(part))));
}

const alphabetOf = (part: string) =>
  alphabets.filter((alphabet) => [...alphabet].some((one) => part.includes(one))).join('');
const randomFrom = (alphabet: string) => alphabet[randomInt(alphabet.length)] ?? '';
