/**
 * The tools, prompts and resources of all servers, kept on disk so that a client's first list can be answered before
 * any server starts. Lookups are O(1). Replacing a server's entry returns the differences and keeps unchanged objects.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Tool } from '../../../../shared/model/tool.ts';
import type { CatalogDiff } from '../../types.ts';
import type { Discovered } from '../discovery/discovery.ts';
import { withHash } from '../names.ts';
import { createAppServers } from './app-servers.ts';
import { type LazyTool, toLazyTool } from './lazy-tool.ts';
import { type CatalogEntry, createSnapshot, readSnapshot } from './snapshot.ts';

export interface CatalogOptions {
  /** Milliseconds after which an entry is stale. */
  ttlMs(): number;
  now?: () => number;
  /** Receives a message if a snapshot is set aside or cannot be written. */
  onWarning?: (message: string) => void;
  /** Called when the tools of a server have changed. */
  onChange?: () => void;
}

/** Stored instead of a configuration hash, to mark tools that the configuration declares. */
export const declaredHash = 'declared';

export type Catalog = Awaited<ReturnType<typeof openCatalog>>;

const nothing: Discovered = { tools: [], prompts: [], resources: [], resourceTemplates: [], warnings: [] };

/** Opens the catalog in `file`, or in memory if there is no file. Renames a damaged snapshot and reports a warning. */
export async function openCatalog(file: string | undefined, options: CatalogOptions) {
  const now = options.now ?? Date.now;
  const warn = options.onWarning ?? (() => {});
  const entries = new Map<string, CatalogEntry>();
  const byServer = new Map<string, Map<string, LazyTool>>();
  const shown = new Map<string, LazyTool>();
  const apps = createAppServers(entries);
  let size = 0;

  const register = (server: string, entry: CatalogEntry) => {
    entries.set(server, entry);
    apps.changed();
    byServer.set(server, new Map(entry.discovered.tools.map((tool) => [tool.name, tool])));
    for (const tool of entry.discovered.tools) shown.set(tool.shownName, tool);
    size += entry.discovered.tools.length;
  };
  const withdraw = (server: string) => {
    for (const tool of byServer.get(server)?.values() ?? []) {
      if (shown.get(tool.shownName) === tool) shown.delete(tool.shownName);
      size -= 1;
    }
    entries.delete(server);
    apps.changed();
    byServer.delete(server);
  };

  if (file) for (const [server, entry] of await readSnapshot(file, warn)) register(server, entry);
  const snapshot = file ? createSnapshot(file, () => entries, warn) : undefined;

  /** Gives the tool a unique name. The first tool keeps the plain name, and existing tools keep theirs. */
  const uniquelyShown = (tool: Tool, before: Tool | undefined): Tool => {
    const isTaken = shown.has(tool.shownName);
    if (!isTaken && (before === undefined || before.shownName === tool.shownName)) return tool;
    const hashed = withHash(tool.shownName, tool.key);
    return isTaken || before?.shownName === hashed ? { ...tool, shownName: hashed } : tool;
  };

  return {
    entry: (server: string): CatalogEntry | undefined => entries.get(server),
    /** The servers with an entry. */
    servers: (): string[] => [...entries.keys()],
    /** Whether the server has listed its tools itself. */
    isDiscovered: (server: string): boolean => (entries.get(server)?.configHash ?? declaredHash) !== declaredHash,
    /** Whether a server needs discovery: it is unknown, its configuration changed, or its entry is older than the TTL. */
    isStale(server: string, configHash: string): boolean {
      const entry = entries.get(server);
      return !entry || entry.configHash !== configHash || now() - entry.discoveredAt >= options.ttlMs();
    },
    /** Whether any entry is older than the TTL. */
    hasExpired(): boolean {
      // Each discovery moves its entry to the end, so the first is the oldest.
      const [oldest] = entries.values();
      return oldest !== undefined && now() - oldest.discoveredAt >= options.ttlMs();
    },
    tool: (server: string, name: string): Tool | undefined => byServer.get(server)?.get(name),
    byShownName: (name: string): Tool | undefined => shown.get(name),
    *tools(): Iterable<Tool> {
      for (const tools of byServer.values()) yield* tools.values();
    },
    toolsOf: (server: string): Tool[] => entries.get(server)?.discovered.tools ?? [],
    /** The tools of all other servers (name → server), used to find descriptions that interfere with them. */
    toolsBeside(server: string): Map<string, string> {
      const others = new Map<string, string>();
      for (const [other, tools] of byServer)
        if (other !== server) for (const name of tools.keys()) others.set(name, other);
      return others;
    },
    serversWithApp: apps.at,
    hasApps: apps.hasApps,
    /** The total number of tools. */
    get size(): number {
      return size;
    },
    /** Stores the discovered items. Unchanged tools keep their objects, and thus everything cached for them. */
    replace(server: string, discovered: Discovered, configHash: string): CatalogDiff {
      const before = entries.get(server);
      const old = before?.discovered ?? nothing;
      const known = byServer.get(server) ?? new Map<string, LazyTool>();
      withdraw(server);
      const tools = discovered.tools.map((tool) => {
        const same = known.get(tool.name);
        const candidate = toLazyTool(uniquelyShown(tool, same));
        return same?.equals(candidate) ? same : candidate;
      });
      const diff = difference(known, old, { ...discovered, tools });
      if (before !== undefined && before.configHash !== configHash) diff.isReconfigured = true;
      const updatedFrom = diff.updated ? { version: diff.updated.from, at: now() } : before?.updatedFrom;
      const entry = { discovered: { ...discovered, tools }, discoveredAt: now(), configHash };
      register(server, updatedFrom ? { ...entry, updatedFrom } : entry);
      options.onChange?.();
      snapshot?.touch();
      return diff;
    },
    remove(server: string): CatalogDiff {
      const old = entries.get(server)?.discovered ?? nothing;
      const known = byServer.get(server) ?? new Map<string, LazyTool>();
      withdraw(server);
      options.onChange?.();
      snapshot?.touch();
      return difference(known, old, nothing);
    },
    /** Resolves when everything stored so far is on disk. */
    flush: async (): Promise<void> => snapshot?.flush(),
    close: async (): Promise<void> => snapshot?.close(),
  };
}

/** The differences between an entry and its successor. For everything unchanged, `after` contains the old objects. */
function difference(known: Map<string, Tool>, before: Discovered, after: Discovered): CatalogDiff {
  const heldChanged = !isDeepStrictEqual(before.held, after.held);
  const diff: CatalogDiff = {
    added: [],
    removed: [],
    changed: [],
    promptsChanged: heldChanged || !isDeepStrictEqual(before.prompts, after.prompts),
    resourcesChanged:
      heldChanged ||
      !isDeepStrictEqual(before.resources, after.resources) ||
      !isDeepStrictEqual(before.resourceTemplates, after.resourceTemplates) ||
      !isDeepStrictEqual(before.skills, after.skills),
  };
  const [from, to] = [before.version, after.version];
  if (from !== undefined && to !== undefined && from !== to) diff.updated = { from, to };
  const left = new Map(known);
  for (const tool of after.tools) {
    const old = left.get(tool.name);
    left.delete(tool.name);
    if (!old) diff.added.push(tool);
    else if (old !== tool) diff.changed.push({ before: old, after: tool });
  }
  diff.removed.push(...left.values());
  return diff;
}
