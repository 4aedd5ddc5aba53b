/** Recognizes secrets by name and value, and dummy values. Runs in linear time, because servers choose these strings. */
import { isSecretName } from '../../../shared/secret-name.ts';
import { secretsInUrl } from './redact-url.ts';
import { holdsToken } from './token-patterns.ts';

/** Values that are settings rather than secrets, whatever their name. */
const settingValue =
  /^(?:true|false|yes|no|on|off|none|null|undefined|oauth2?|bearer|basic|token|disabled|enabled|auto|default|required|optional)$/i;

const bareKey = /^-{0,2}keys?$/i;
/** `-s SECRET`, `-t TOKEN`, `-k KEY`, unless the value is a path or a host name. */
const shortFlag = /^-?[kst]$/;

/** True for names under which every nested value is secret. */
export function isSecretSection(name: string): boolean {
  return /^(?:secrets?|credentials?|passwords?|creds)$/i.test(name);
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
  if (/\$\{[^{}]|\{\{\s{0,9}\w/.test(text) || isBlank(text)) return false;
  if (secretsInUrl(text, looksSecret).length > 0) return true;
  if (!isSecretName(name))
    return (bareKey.test(name) || (shortFlag.test(name) && !/[/.]/.test(text))) && looksRandom(text);
  // PWD is a password in some programs and the working folder in others, but a path is never a password.
  return !settingValue.test(text) && !/^(?:[A-Za-z]:[\\/]|~?\/[\w.-]+\/|\.{1,2}[\\/])/.test(text);
}

/** True for long strings of letters and digits without spaces, which look generated. */
export function looksRandom(text: string): boolean {
  return (
    text.length >= 20 && text.length <= 4000 && /^[\w+/=.~-]+$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text)
  );
}

/** True for a "name" that is a value which the user wrote where the name of a variable or secret belongs. */
export function isValueAsName(name: string): boolean {
  const isWord = (part: string) => /^[A-Za-z]*\d{0,8}[A-Za-z]*$/.test(part);
  return holdsToken(name) || (looksRandom(name) && !name.split(/[^A-Za-z0-9]+/).every(isWord));
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
