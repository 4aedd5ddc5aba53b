/**
 * The skills of all servers. Like apps, two servers may choose the same URI, so clients see `skill://refunds/SKILL.md` of
 * the server `shop` as `skill://shop/refunds/SKILL.md`. A server's own URI works if only one server has the skill.
 */
import { isObject } from '../../../shared/is-object.ts';
import type { Skill } from '../tools/skills.ts';
import type { JsonObject } from '../types.ts';
import { ownUri, shownUri } from './app-uris.ts';
import type { ListedItem } from './services.ts';

export const skillScheme = 'skill://';
const main = 'SKILL.md';

/** Clients may keep lists no longer than Toolkeep, which reads them again after a change. */
export const cacheHints = { ttlMs: 0, cacheScope: 'private' };

/** A skill with the URIs that clients see; without a slug, its server's own. Digests cover the bytes of its files, so they stay valid. */
export function withShownSkill(slug: string | undefined, skill: JsonObject | Skill): JsonObject {
  const { uri, resources } = skill;
  return {
    ...skill,
    uri: slug === undefined ? uri : shownUri(slug, uri),
    ...(Array.isArray(resources) && { resources: resources.map((file) => withShownUri(slug, file)) }),
  };
}

/** A file or a folder with the URI that clients see. */
export function withShownUri(slug: string | undefined, item: unknown): unknown {
  return slug !== undefined && isObject(item) ? { ...item, uri: shownUri(slug, item.uri) } : item;
}

/** The servers of the file or folder `uri` of a listed skill, each with its own URI. An address with a server's name goes first. */
export function skillPlaces(
  resources: readonly ListedItem[],
  slug: (server: string) => string,
  uri: string,
): { server: string; uri: string }[] {
  const shown = new Map<string, string>();
  const own = new Map<string, string>();
  for (const { server, definition } of resources) {
    const listed = String(definition.uri);
    if (!listed.startsWith(skillScheme) || !listed.endsWith(`/${main}`)) continue;
    const folder = listed.slice(0, -main.length);
    const asked = `${uri}/`;
    if (asked.startsWith(folder)) shown.set(server, ownUri(slug(server), uri) ?? uri);
    else if (asked.startsWith(ownUri(slug(server), folder) ?? folder)) own.set(server, uri);
  }
  return [...(shown.size > 0 ? shown : own)].map(([server, place]) => ({ server, uri: place }));
}
