/** Names that every client accepts: `{server_slug}-{tool}` of `[A-Za-z0-9_-]`, at most 48 characters, stable and unique. */
import { createHash } from 'node:crypto';

/** Claude Code allows 64 characters, 16 of which its prefix `mcp__gatehouse__` uses. */
const maxShownName = 48;
/** Leaves half of a shown name for the tool. */
const maxSlug = 24;

/** The first `length` characters of a hash that uses only `[a-z0-9]`. */
function shortHash(text: string, length: number): string {
  const digest = createHash('sha256').update(text).digest();
  return BigInt(`0x${digest.toString('hex')}`)
    .toString(36)
    .slice(0, length);
}

/**
 * The prefix of a server's tools: its config name in lowercase, with `-` in place of everything but `[a-z0-9_]`. A name
 * with no such characters or too many gets a short hash.
 */
export function slugOf(serverName: string): string {
  const plain = serverName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '');
  if (plain === '') return `server-${shortHash(serverName, 6)}`;
  if (plain.length <= maxSlug) return plain;
  return `${plain.slice(0, maxSlug - 6).replace(/[-_]+$/, '')}-${shortHash(serverName, 5)}`;
}

/**
 * One unique slug per server name. A server whose name equals its slug keeps it, otherwise the first in the given
 * order; the others get a short hash. Adding a server at the end never renames another server's tools.
 */
export function uniqueSlugs(serverNames: readonly string[]): Map<string, string> {
  const taken = new Set(serverNames.filter((name) => slugOf(name) === name));
  const slugs = new Map<string, string>();
  for (const name of serverNames) {
    const slug = slugOf(name);
    const free = slug === name || !taken.has(slug);
    const unique = free ? slug : `${slug.slice(0, maxSlug - 6)}-${shortHash(name, 5)}`;
    taken.add(unique);
    slugs.set(name, unique);
  }
  return slugs;
}

/**
 * The name that clients see for a tool, prompt or resource. A name that is truncated or loses characters gets a short
 * hash of `key`, which keeps a server's names unique.
 */
export function shownName(slug: string, name: string, key: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, '_');
  const whole = `${slug}-${plain}`;
  return plain === name && whole.length <= maxShownName ? whole : withHash(whole, key);
}

/** The same name if it has only `[A-Za-z0-9_-]` and at most `length` characters, otherwise one with a hash. */
export function nameWithin(name: string, key: string, length: number): string {
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, '_');
  return plain === name && name.length <= length ? name : withHash(plain, key);
}

/** A shown name with a hash, for two servers whose names would collide (`a-b` + `c` and `a` + `b-c`). */
export function withHash(shown: string, key: string): string {
  const hash = shortHash(key, 6);
  return `${shown.slice(0, maxShownName - hash.length - 1)}-${hash}`;
}
