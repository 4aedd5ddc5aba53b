/** Names that every client accepts: `{server_slug}-{tool}` of `[A-Za-z0-9_-]`, at most 60 characters, stable and unique. */
import { createHash } from 'node:crypto';

const maxShownName = 60;
/** Leaves at least half of a shown name to the tool. */
const maxSlug = 28;

/** The first `length` characters of a hash that uses only `[a-z0-9]`. */
function shortHash(text: string, length: number): string {
  const digest = createHash('sha256').update(text).digest();
  return BigInt(`0x${digest.toString('hex')}`)
    .toString(36)
    .slice(0, length);
}

/**
 * The prefix of a server's tools: its config name in lower case, everything else than letters, digits, `_` and `-` made
 * `-`. A name that has no such letters, or too many, gets a short hash of itself (rows B12, E4).
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
 * One slug per server name, all different. A server whose name is its slug keeps it, then the first in the given order;
 * the others get a short hash, so that nobody's tools change their names when a server is added at the end.
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
 * The name under which clients see a tool, prompt or resource. A name that had to be cut or lost characters gets a short
 * hash of `key`, so that no two of a server are ever the same.
 */
export function shownName(slug: string, name: string, key: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, '_');
  const whole = `${slug}-${plain}`;
  return plain === name && whole.length <= maxShownName ? whole : withHash(whole, key);
}

/** The other form of a shown name, for when two servers' names meet (`a-b` + `c` and `a` + `b-c`). */
export function withHash(shown: string, key: string): string {
  const hash = shortHash(key, 6);
  return `${shown.slice(0, maxShownName - hash.length - 1)}-${hash}`;
}
