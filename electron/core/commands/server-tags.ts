/** Reads and changes the tags that the user gave to servers. */
import type { ServerTags } from '../settings.ts';

interface TagChange {
  servers: readonly string[];
  add: readonly string[];
  remove: readonly string[];
}

/** Adds and removes tags, ignoring case. A tag keeps the case in which it was first used. */
export function changeTags(all: readonly ServerTags[], { servers, add, remove }: TagChange): ServerTags[] {
  const known = new Map(all.flatMap(({ tags }) => tags).map((tag) => [tag.toLowerCase(), tag]));
  const added = add.map((tag) => known.get(tag.toLowerCase()) ?? tag);
  const removed = new Set(remove.map((tag) => tag.toLowerCase()));
  const changed = [...new Set(servers)].map((server) => {
    const kept = tagsOf(all, server).filter((tag) => !removed.has(tag.toLowerCase()));
    const distinct = new Map([...added, ...kept].map((tag) => [tag.toLowerCase(), tag]));
    return { server, tags: [...distinct.values()].sort((a, b) => a.localeCompare(b)) };
  });
  const others = all.filter(({ server }) => !servers.includes(server));
  return [...others, ...changed].filter(({ tags }) => tags.length > 0);
}

export function tagsOf(all: readonly ServerTags[], server: string): readonly string[] {
  return all.find((entry) => entry.server === server)?.tags ?? [];
}
