/** Names that every client accepts: `{server_slug}-{tool}` of `[A-Za-z0-9_-]`, at most 48 characters, stable and unique. */
import { createHash } from 'node:crypto';
import { freeName } from '../../../shared/free-name.ts';
import { maxSlug } from '../../../shared/model/server.ts';

/** Claude Code allows 64 characters, 16 of which its prefix `mcp__toolkeep__` uses. */
const maxShownName = 48;

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
  const plain = plainName(serverName);
  if (plain === '') return `server-${shortHash(serverName, 6)}`;
  if (plain.length <= maxSlug) return plain;
  return `${plain.slice(0, maxSlug - 6).replace(/[-_]+$/, '')}-${shortHash(serverName, 5)}`;
}

function plainName(serverName: string): string {
  return serverName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '');
}

/**
 * Matches a team and an ID of six hexadecimal digits, which some hosts append to the slug of an installed server. Does not
 * match a year, which is part of a version.
 */
const installation = /^(.+)-[a-z0-9]+-(?!.*(?:19|20)\d\d)(?=[a-f]*\d[a-f]*\d[a-f]*\d)(?=\d*[a-f])[a-f0-9]{6}$/;

/**
 * A slug that no other server has: the configured one, the first part of an installation name (`files-team-abc123`), or
 * the slug of the whole name. Adds it to `taken`.
 */
export function freeSlug(server: { name: string; slug?: string }, taken: Set<string>): string {
  const whole = slugOf(server.name);
  const installed = installation.exec(plainName(server.name))?.[1];
  const short = server.slug ?? (installed && slugOf(installed));
  const slug = short !== undefined && !taken.has(short) ? short : freeName(whole, (one) => taken.has(one));
  taken.add(slug);
  return slug;
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
