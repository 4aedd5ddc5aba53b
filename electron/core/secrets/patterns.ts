/** What looks secret: names of settings and known shapes of tokens. Linear time, since servers choose these texts. */

/** What stands where a secret was. */
export const mask = '••••••';

/** Words in a name that make its value secret; each is matched as whole words of the name. */
const secretWords = new Set(
  'token secret password passwd passphrase pwd pat apikey api_key accesskey access_key secretkey secret_key privatekey private_key credential credentials auth authorization bearer cookie session_key sessionkey signing_key signature key dsn connection_string connectionstring webhook_url'.split(
    ' ',
  ),
);

/** Names that hold one of the words above and yet are not secret. */
const harmlessWords = new Set(
  'path file dir folder url uri endpoint host name id type count limit max budget ttl timeout expiry enabled method mode scheme header provider port public keyboard socket sock agent server flow scope scopes region algorithm'.split(
    ' ',
  ),
);

/** Shapes of tokens that are secret wherever they stand. Each begins with a fixed text, so trying them is cheap. */
const tokenShapes: RegExp[] = [
  /\bgh[pousr]_[A-Za-z0-9]{16,255}/,
  /\bgithub_pat_[A-Za-z0-9_]{20,255}/,
  /\bglpat-[A-Za-z0-9_-]{16,255}/,
  /\bsk-[A-Za-z0-9_-]{16,255}/,
  /\b[rsp]k_(?:live|test)_[A-Za-z0-9]{10,255}/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/,
  /\bxapp-[A-Za-z0-9-]{10,255}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[A-Za-z0-9_-]{30,60}/,
  /\bya29\.[A-Za-z0-9_-]{20,500}/,
  /\beyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,8000}(?:\.[A-Za-z0-9_-]{0,4000})?/,
  /\bhf_[A-Za-z0-9]{20,255}/,
  /\bnpm_[A-Za-z0-9]{30,255}/,
  /\bpypi-[A-Za-z0-9_-]{30,500}/,
  /\bdop_v1_[a-f0-9]{40,128}/,
  /\bsntr[yu]s?_[A-Za-z0-9_=+/-]{20,500}/,
  /\bntn_[A-Za-z0-9]{30,255}/,
  /\bsecret_[A-Za-z0-9]{30,255}/,
  /\blin_(?:api|oauth)_[A-Za-z0-9]{20,255}/,
  /\bfigd_[A-Za-z0-9_-]{20,255}/,
  /\bpat[A-Za-z0-9]{14}\.[a-f0-9]{40,128}/,
  /\bATATT[A-Za-z0-9_=-]{20,500}/,
  /\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}/,
  /\bgsk_[A-Za-z0-9]{20,255}/,
  /\bpplx-[A-Za-z0-9]{20,255}/,
  /\btvly-[A-Za-z0-9-]{16,255}/,
  /\bBSA[A-Za-z0-9_-]{20,64}/,
  /\bfc-[a-f0-9]{24,64}/,
  /\bvercel_[A-Za-z0-9_]{20,255}/,
  /\bsbp_[a-f0-9]{30,128}/,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/,
];
const anyTokenShape = new RegExp(tokenShapes.map((shape) => shape.source).join('|'), 'g');

/** `${…}` and `{{…}}` stand for a value, they are not one. */
const onlyPlaceholder = /^\s{0,99}(?:(?:Bearer|Basic|Token)\s{1,9})?\$\{[^{}]{1,200}\}\s{0,99}$/i;

/** True when a setting of this name should not be shown. Splits camelCase, kebab-case and snake_case. */
export function isSecretName(name: string): boolean {
  if (name.length > 200) return false;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const pairs = words.slice(1).map((word, index) => `${words[index]}_${word}`);
  if (
    [...words, ...pairs].every(
      (word) => !secretWords.has(word) && !word.endsWith('token') && !word.endsWith('password'),
    )
  )
    return false;
  // TOKEN_URL, KEY_FILE and the like name a place; the secret is elsewhere. `connection_string` and `webhook_url` stay.
  const last = words.at(-1) ?? '';
  if (pairs.some((pair) => secretWords.has(pair))) return true;
  return !harmlessWords.has(last) && !(words[0] === 'public' || words[0] === 'max');
}

/** True when `text` holds a token of a known shape. */
export function holdsToken(text: string): boolean {
  anyTokenShape.lastIndex = 0;
  return anyTokenShape.test(text);
}

/** `text` with every token of a known shape masked. */
export function maskTokens(text: string): string {
  return text.replace(anyTokenShape, mask);
}

/**
 * True when this value, under this name, looks like a secret in plain text (issue 4, point 3). Placeholders, empty
 * values, numbers and switches do not.
 */
export function looksSecret(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const text = value.trim();
  if (text === '' || onlyPlaceholder.test(text) || isBlank(text)) return false;
  if (holdsToken(text)) return true;
  if (!isSecretName(name)) return urlHoldsSecret(text);
  return text.length >= 4 && !/^(?:true|false|none|null|oauth|oauth2|bearer|basic|disabled|enabled|auto)$/i.test(text);
}

/** The stand-ins that people are told to replace: `<YOUR_API_KEY>`, REPLACE_ME, `xxx`. */
export function isBlank(value: string): boolean {
  const text = value.trim();
  if (text.length > 200 || text === '') return false;
  return (
    /^<[^<>]{1,198}>$/.test(text) ||
    /^(?:x{3,}|\*{3,}|\.{3,}|…)$/i.test(text) ||
    /^\[[^[\]]{1,100}\]$/.test(text) ||
    /\b(?:replace|change|insert|enter|put|paste|add)[-_ ]?(?:me|this|with|your|here)\b/i.test(
      text.replaceAll('_', ' '),
    ) ||
    /(?:^|[^a-z])your[-_ ](?:[a-z0-9]{1,30}[-_ ]){0,6}(?:key|token|secret|password|id|here|pat|url|credentials?)(?:[^a-z]|$)/i.test(
      text,
    ) ||
    /^(?:todo|tbd|fixme|changeme|placeholder|dummy|example)$/i.test(text)
  );
}

/** True when a URL carries a password or a secret-looking query value. */
export function urlHoldsSecret(text: string): boolean {
  const url = parseUrl(text);
  if (!url) return false;
  if (url.password !== '' && !onlyPlaceholder.test(decode(url.password))) return true;
  return [...url.searchParams].some(
    ([name, value]) => holdsToken(value) || (isSecretName(name) && looksSecret(name, value)),
  );
}

/** The URL in `text`; undefined when it is none. Texts beyond 8,000 characters are not looked at. */
export function parseUrl(text: string): URL | undefined {
  if (text.length > 8000 || !/^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(text)) return undefined;
  return URL.parse(text) ?? undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
