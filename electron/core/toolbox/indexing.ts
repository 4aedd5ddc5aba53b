/** Keeps the search index in step with the catalog a little at a time, so that no start and no reload waits for ten thousand tools. */
import type { Tool } from '../../../shared/model.ts';
import { type SearchIndex, searchDoc } from '../search/search.ts';

export interface Indexing {
  /** New tools, or new versions of known ones. */
  put(tools: Iterable<Tool>): void;
  remove(tools: readonly Tool[]): void;
  /** Rules changed: those of the tools whose tags did are taken anew. */
  retag(tools: Iterable<Tool>): void;
  /** Sees everything that was put; whoever searches before all is indexed waits for the rest. */
  search: SearchIndex['search'];
}

/** Clients of a new Core are served first. */
const delayMs = 400;
const sliceMs = 8;

export function createIndexing(index: SearchIndex, tagsOf: (tool: Tool) => string[]): Indexing {
  const waiting = new Map<string, Tool>();
  /** The tags under which tools are indexed; those without any are left out. */
  const tagged = new Map<string, string>();
  let due = false;

  function take(tool: Tool): void {
    waiting.delete(tool.key);
    const tags = tagsOf(tool);
    if (tags.length > 0) tagged.set(tool.key, tags.join('\n'));
    else tagged.delete(tool.key);
    index.put([searchDoc(tool, tags)]);
  }
  function takeSome(): void {
    const until = performance.now() + sliceMs;
    for (const tool of waiting.values()) {
      take(tool);
      if (performance.now() > until) break;
    }
    // What they mean comes last: by their words they are found already.
    due = waiting.size > 0 || index.understand(until);
    if (due) setImmediate(takeSome).unref();
  }
  function add(tool: Tool): void {
    waiting.set(tool.key, tool);
    if (!due) setTimeout(takeSome, delayMs).unref();
    due = true;
  }

  return {
    put(tools) {
      for (const tool of tools) add(tool);
    },
    remove(tools) {
      for (const { key } of tools) {
        waiting.delete(key);
        tagged.delete(key);
      }
      index.remove(tools.map(({ key }) => key));
    },
    retag(tools) {
      for (const tool of tools) if (tagsOf(tool).join('\n') !== (tagged.get(tool.key) ?? '')) add(tool);
    },
    search(query, options) {
      for (const tool of waiting.values()) take(tool);
      return index.search(query, options);
    },
  };
}
