/** Recognizes the names of secrets. Runs in linear time, because servers choose the names. */

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

/** Programs use the same few names again and again. */
const known = new Map<string, boolean>();
const maxKnown = 1_000;
const maxLength = 100;

/** True when the value of a setting with this name must not be shown. Splits camelCase, kebab-case and snake_case. */
export function isSecretName(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  const isSecret = namesSecret(name);
  if (known.size >= maxKnown) known.clear();
  if (name.length <= maxLength) known.set(name, isSecret);
  return isSecret;
}

function namesSecret(name: string): boolean {
  const parts = wordsOf(name);
  const last = parts.at(-1) ?? '';
  const pairs = parts.slice(1).map((word, index) => `${parts[index]}_${word}`);
  if (pairs.some((pair) => secretWords.has(pair))) return true;
  if (harmlessEnds.has(last)) return false;
  if (last === 'key' || last === 'keys') return parts.length > 1 && !recordKeys.has(parts.at(-2) as string);
  return parts.some((word) => secretWords.has(word) || /(?:token|password|apikey|secret)$/.test(word));
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
