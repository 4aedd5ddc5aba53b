/** Recognizes tokens by their known shapes, wherever they occur. */

/** Replaces a secret. */
export const redaction = '••••••';

/**
 * Each pattern is a fixed prefix followed by one character class, which bounds the cost of a failed match. For the same
 * reason, a JWT may start only at the beginning of a run of its characters.
 */
const shapes: RegExp[] = [
  /\bgh[pousr]_[A-Za-z0-9]{16,}/,
  /\bgithub_pat_\w{20,}/,
  /\bgl(?:pat|dt|rt|cbt|ptt)-[\w-]{16,}/,
  /\bsk-(?=[\w-]{0,60}\d)[\w-]{16,}/,
  /\b[rsp]k_(?:live|test)_[A-Za-z0-9]{10,}/,
  /\bwhsec_[A-Za-z0-9+/=]{20,}/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/,
  /\bxapp-[A-Za-z0-9-]{10,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /\bya29\.[\w-]{20,}/,
  /\bGOCSPX-[\w-]{20,}/,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/,
  /\bhf_[A-Za-z0-9]{20,}/,
  /\bnpm_[A-Za-z0-9]{30,}/,
  /\bpypi-[\w-]{30,}/,
  /\bdo[opr]_v1_[a-f0-9]{40,}/,
  /\bsntry[su]_[\w=+/-]{20,}/,
  /\bntn_[A-Za-z0-9]{30,}/,
  /\bsecret_[A-Za-z0-9]{30,}/,
  /\blin_(?:api|oauth)_[A-Za-z0-9]{20,}/,
  /\bfigd_[\w-]{20,}/,
  /\bpat[A-Za-z0-9]{14}\.[a-f0-9]{40,}/,
  /\bATATT[\w=-]{20,}/,
  /\bSG\.[\w-]{16,64}\.[\w-]{16,}/,
  /\bgsk_[A-Za-z0-9]{20,}/,
  /\bxai-[A-Za-z0-9]{20,}/,
  /\br8_[A-Za-z0-9]{30,}/,
  /\bpplx-[A-Za-z0-9]{20,}/,
  /\btvly-[A-Za-z0-9-]{16,}/,
  /\bBSA(?=[\w-]{0,40}\d)[\w-]{20,}/,
  /\bfc-[a-f0-9]{24,}/,
  /\bsbp_[a-f0-9]{30,}/,
  /\bdapi[a-f0-9]{32}/,
  /\bAGE-SECRET-KEY-[A-Z0-9]{40,}/,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/,
];
const anyShape = new RegExp(shapes.map((shape) => shape.source).join('|'), 'g');

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
