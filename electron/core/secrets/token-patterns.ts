/** Recognizes tokens by their known shapes, wherever they occur. */

/** Replaces a secret. */
export const redaction = '••••••';

/**
 * Tokens that start at a word boundary. Each pattern is a fixed prefix followed by one character class, which bounds the cost
 * of a failed match.
 */
const wordShapes: RegExp[] = [
  /gh[pousr]_[A-Za-z0-9]{16,}/,
  /github_pat_\w{20,}/,
  /gl(?:pat|dt|rt|cbt|ptt)-[\w-]{16,}/,
  /sk-(?=[\w-]{0,60}\d)[\w-]{16,}/,
  /[rsp]k_(?:live|test)_[A-Za-z0-9]{10,}/,
  /whsec_[A-Za-z0-9+/=]{20,}/,
  /xox[abeoprs]-[A-Za-z0-9-]{10,}/,
  /xapp-[A-Za-z0-9-]{10,}/,
  /(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /AIza[\w-]{30,}/,
  /ya29\.[\w-]{20,}/,
  /GOCSPX-[\w-]{20,}/,
  /hf_[A-Za-z0-9]{20,}/,
  /npm_[A-Za-z0-9]{30,}/,
  /pypi-[\w-]{30,}/,
  /do[opr]_v1_[a-f0-9]{40,}/,
  /sntry[su]_[\w=+/-]{20,}/,
  /ntn_[A-Za-z0-9]{30,}/,
  /secret_[A-Za-z0-9]{30,}/,
  /lin_(?:api|oauth)_[A-Za-z0-9]{20,}/,
  /figd_[\w-]{20,}/,
  /pat[A-Za-z0-9]{14}\.[a-f0-9]{40,}/,
  /ATATT[\w=-]{20,}/,
  /SG\.[\w-]{16,64}\.[\w-]{16,}/,
  /gsk_[A-Za-z0-9]{20,}/,
  /xai-[A-Za-z0-9]{20,}/,
  /r8_[A-Za-z0-9]{30,}/,
  /pplx-[A-Za-z0-9]{20,}/,
  /tvly-[A-Za-z0-9-]{16,}/,
  /BSA(?=[\w-]{0,40}\d)[\w-]{20,}/,
  /fc-[a-f0-9]{24,}/,
  /sbp_[a-f0-9]{30,}/,
  /dapi[a-f0-9]{32}/,
  /AGE-SECRET-KEY-[A-Z0-9]{40,}/,
];
/** A JWT may start only at the beginning of a run of its characters, which also bounds the cost. */
const otherShapes: RegExp[] = [
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/,
];
const anyOf = (shapes: RegExp[]) => shapes.map((shape) => shape.source).join('|');
/** Testing the boundary once for all patterns halves the time of a search. */
const anyShape = new RegExp(`\\b(?:${anyOf(wordShapes)})|${anyOf(otherShapes)}`, 'g');

/** The characters of tokens. Every shape except private keys has at least `shortest` such characters in a row. */
const inTokens = new Set(
  Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.-', (c) => c.charCodeAt(0)),
);
const shortest = 15;

/** A cheap check: most strings have no such run, and finding one costs far less than matching every pattern. */
function mayHoldToken(text: string): boolean {
  // Any run of fifteen characters includes a position that is a multiple of fifteen.
  for (let at = shortest - 1; at < text.length; at += shortest) {
    if (!inTokens.has(text.charCodeAt(at))) continue;
    let from = at;
    let to = at + 1;
    while (from > 0 && inTokens.has(text.charCodeAt(from - 1))) from -= 1;
    while (to - from < shortest && inTokens.has(text.charCodeAt(to))) to += 1;
    if (to - from >= shortest) return true;
  }
  return text.includes('-----BEGIN');
}

/** True when `text` contains a token of a known shape. */
export function holdsToken(text: string): boolean {
  return mayHoldToken(text) && text.search(anyShape) >= 0;
}

/** Redacts every token of a known shape in `text`. */
export function redactTokens(text: string): string {
  return mayHoldToken(text) ? text.replace(anyShape, redaction) : text;
}
