/** Updates the search index in small slices, so that ten thousand tools delay neither a start nor a reload. */
import type { Tool } from '../../../shared/model/tool.ts';
import { createSlices, ownTurn, sliceMs } from '../async/slices.ts';
import type { SearchIndex } from '../search/search.ts';
import { searchDoc } from '../search/search-doc.ts';

/** Milliseconds before indexing starts, so that a new Core serves its clients first. */
const delayMs = 400;

export function createIndexing(index: SearchIndex, tagsOf: (tool: Tool) => string[]) {
  const waiting = new Map<string, Tool>();
  /** The tags of indexed tools that have any. */
  const tagged = new Map<string, string>();
  let due = false;
  let loadsModel = false;

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
    // Vectors come last, because keyword search already finds the tools.
    due = waiting.size > 0 || index.indexVectors(until);
    if (due) void ownTurn().then(takeSome);
    else if (!loadsModel) loadModel();
  }
  /** Called after the first tools are indexed, so that neither the start nor a first search waits for the model. */
  function loadModel(): void {
    loadsModel = true;
    void index.loadEncoder().then(() => {
      if (due) return;
      due = true;
      void ownTurn().then(takeSome);
    });
  }
  function add(tool: Tool): void {
    waiting.set(tool.key, tool);
    if (!due) setTimeout(takeSome, delayMs).unref();
    due = true;
  }

  return {
    /** New tools, or new versions of known ones. */
    put(tools: Iterable<Tool>): void {
      for (const tool of tools) add(tool);
    },
    remove(tools: readonly Tool[]): void {
      for (const { key } of tools) {
        waiting.delete(key);
        tagged.delete(key);
      }
      index.remove(tools.map(({ key }) => key));
    },
    /** Reindexes tools whose tags changed with the rules. */
    retag(tools: Iterable<Tool>): void {
      for (const tool of tools) if (tagsOf(tool).join('\n') !== (tagged.get(tool.key) ?? '')) add(tool);
    },
    /** Searches all tools. Indexes pending tools first. */
    async search(...query: Parameters<SearchIndex['search']>): Promise<ReturnType<SearchIndex['search']>> {
      const rest = createSlices();
      // Tools that arrive meanwhile do not delay this search.
      for (const tool of [...waiting.values()]) {
        if (waiting.get(tool.key) === tool) take(tool);
        await rest();
      }
      return index.search(...query);
    },
  };
}
