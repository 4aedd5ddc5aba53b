/**
 * The tool lists that a plug-in returned, one for each kind of context, and all their tools together for the catalog.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ToolDefinition } from '../../../shared/model/tool.ts';

export type ToolList = readonly ToolDefinition[];

/** Maximum number of contexts whose last list is kept. */
const maxLists = 100;

interface Kept {
  tools: ToolList;
  /** Epoch milliseconds; undefined for a list that is requested every time. */
  expiresAt: number | undefined;
}

export type ProviderLists = ReturnType<typeof createProviderLists>;

export function createProviderLists(now: () => number) {
  /** In order of their last change. */
  const kept = new Map<string, Kept>();
  let union: ToolList = [];
  let isUnionCurrent = true;

  return {
    /** The list, unless it has expired. */
    fresh(key: string): ToolList | undefined {
      const known = kept.get(key);
      return known?.expiresAt !== undefined && known.expiresAt > now() ? known.tools : undefined;
    },
    last: (key: string): ToolList | undefined => kept.get(key)?.tools,
    /** Stores a new list, reusing the objects of unchanged tools. Throws if `given` is not a list. */
    keep(key: string, given: unknown, ttlMs: number | undefined): ToolList {
      if (!Array.isArray(given)) throw new Error('provideTools returned no list');
      const before = kept.get(key);
      const tools = sameObjects(before?.tools ?? [], given);
      const expiresAt = ttlMs === undefined ? undefined : now() + ttlMs;
      if (before?.tools === tools) {
        before.expiresAt = expiresAt;
        return tools;
      }
      kept.delete(key);
      kept.set(key, { tools, expiresAt });
      if (kept.size > maxLists) kept.delete(kept.keys().next().value as string);
      isUnionCurrent = false;
      return tools;
    },
    /**
     * The tools of all lists; the same array as long as nothing changes. If two tools have the same name, the one from
     * the most recently changed list is used.
     */
    union(): ToolList {
      if (isUnionCurrent) return union;
      const byName = new Map(
        [...kept.values()].flatMap(({ tools }) => tools.map((tool) => [tool?.name, tool] as const)),
      );
      // A single list keeps its duplicates, so that discovery can warn about them.
      const only = kept.size === 1 ? kept.values().next().value : undefined;
      union = sameObjects(union, only?.tools ?? [...byName.values()]);
      isUnionCurrent = true;
      return union;
    },
  };
}

function sameObjects(before: ToolList, tools: ToolList): ToolList {
  const known = new Map(before.map((tool) => [tool?.name, tool]));
  const stable = tools.map((tool) => {
    const old = known.get(tool?.name);
    return old && isDeepStrictEqual(old, tool) ? old : tool;
  });
  const same = before.length === stable.length && stable.every((tool, index) => tool === before[index]);
  return same ? before : stable;
}
