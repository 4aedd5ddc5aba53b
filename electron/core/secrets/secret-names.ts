/** Recognizes secrets by name and value, and dummy values. Runs in linear time, because servers choose these strings. */
import { secretsInUrl } from './redact-url.ts';
import { holdsToken } from './token-patterns.ts';

const words = (text: string) => new Set(text.split(' '));

/** A name that contains one of these words, or two adjacent words joined like these, names a secret. */
const secretWords = words(
  'token secret secrets password passwords passwd passphrase passcode pass pwd pat apikey accesskey secretkey privatekey credential credentials creds auth authorization bearer jwt cookie signature dsn otp totp pin connectionstring sessionid api_keys api_tokens access_tokens connection_string webhook_url session_id private_key',
);

/** A name that ends in one of these words names a location or a property, not the secret itself. */
const harmlessEnds = words(
  'path file dir directory folder url uri endpoint host hostname name id ids type kind count limit max min budget ttl timeout expiry expires enabled disabled required method mode scheme header headers provider issuer audience port socket sock agent server flow scope scopes region algorithm length size usage version status format policy',
);

/** After one of these words, "key" means the key of a record, not a secret. */
const recordKeys = words(
  'issue sort primary foreign partition public cache object project row hash range index lookup parent board epic field map json group order unique natural storage bucket tool hot shortcut',
);

/** Values that are settings rather than secrets, whatever their name. */
const settingValue =
  /^(?:true|false|yes|no|on|off|none|null|undefined|oauth2?|bearer|basic|token|disabled|enabled|auto|default|required|optional)$/i;

/** True when the value of a setting with this name must not be shown. Splits camelCase, kebab-case and snake_case. */
export function isSecretName(name: string): boolean {
  const parts = wordsOf(name);
  const last = parts.at(-1) ?? '';
  const pairs = parts.slice(1).map((word, index) => `${parts[index]}_${word}`);
  if (pairs.some((pair) => secretWords.has(pair))) return true;
  if (harmlessEnds.has(last)) return false;
  if (last === 'key' || last === 'keys') return parts.length > 1 && !recordKeys.has(parts.at(-2) as string);
  return parts.some((word) => secretWords.has(word) || /(?:token|password|apikey|secret)$/.test(word));
}

/** True for names under which every nested value is secret. */
export function isSecretSection(name: string): boolean {
  return /^(?:secrets?|credentials?|passwords?|creds)$/i.test(name);
}

function wordsOf(name: string): string[] {
  // Longer names are hostile input; truncation bounds their cost.
  return name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/**
 * True when `value`, under `name`, is a plain-text secret. Placeholders, dummy values, empty values and settings such as
 * "true" are not.
 */
export function looksSecret(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const text = value.trim();
  if (text === '') return false;
  if (holdsToken(text)) return true;
  if (/\$\{[^{}]/.test(text) || isBlank(text)) return false;
  if (secretsInUrl(text, looksSecret).length > 0) return true;
  if (!isSecretName(name)) return (isBareKey(name) || isShortFlag(name, text)) && looksRandom(text);
  // PWD is a password in some programs and the working folder in others, but a path is never a password.
  return !settingValue.test(text) && !/^(?:[A-Za-z]:[\\/]|~?\/[\w.-]+\/|\.{1,2}[\\/])/.test(text);
}

function isBareKey(name: string): boolean {
  return /^-{0,2}keys?$/i.test(name);
}

/** `-s SECRET`, `-t TOKEN`, `-k KEY`; the value is not a path or a host name. */
function isShortFlag(name: string, value: string): boolean {
  return /^-?[kst]$/.test(name) && !/[/.]/.test(value);
}

/** True for long strings of letters and digits without spaces, which look generated. */
export function looksRandom(text: string): boolean {
  return (
    text.length >= 20 && text.length <= 4000 && /^[\w+/=.~-]+$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text)
  );
}

/** True for dummy values from documentation: `<YOUR_API_KEY>`, REPLACE_ME, `xxx`. */
export function isBlank(value: string): boolean {
  const text = value.trim();
  if (text.length > 200 || text === '') return false;
  const spoken = text.toLowerCase().replaceAll(/[_-]/g, ' ');
  return (
    /^<[^<>]+>$/.test(text) ||
    /^(?:x{3,}|\*{3,}|\.{3,}|…+)$/i.test(text) ||
    /^(?:todo|tbd|fixme|changeme|placeholder|dummy|example|none)$/i.test(text) ||
    /\b(?:replace|change|insert|enter|put|paste|add|fill) ?(?:me|this|with|your|here|in)\b/.test(spoken) ||
    /\b(?:insert|enter|put|paste|add|replace) (?:[a-z0-9]+ ){0,4}here\b/.test(spoken) ||
    /\byour (?:[a-z0-9]+ ){0,6}(?:key|token|secret|password|id|here|pat|url|credentials?)\b/.test(spoken)
  );
}
