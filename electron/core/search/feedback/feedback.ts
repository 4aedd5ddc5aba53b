/** Search feedback on disk, loaded into the index at start. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type SearchFeedback, searchFeedbackSchema } from '../../../../shared/model/search.ts';
import { toolKey } from '../../../../shared/tool-key.ts';
import { createJsonWriter, readJsonFile } from '../../files/json-file.ts';
import type { SearchIndex } from '../search.ts';

const fileSchema = z.object({ version: z.literal(1), entries: z.array(searchFeedbackSchema) });

export type FeedbackStore = Awaited<ReturnType<typeof openFeedback>>;

const maxFeedback = 1_000;
const maxQueryLength = 300;
const writeDelayMs = 500;

/**
 * Reads the feedback in `file` and adds it to `index`. A damaged file is set aside. `redact` removes secrets from queries
 * before they are stored.
 */
export async function openFeedback(
  file: string,
  index: Pick<SearchIndex, 'addFeedback' | 'removeFeedback'>,
  redact: (text: string) => string,
) {
  const stored = await readJsonFile(file, fileSchema);
  const byId = new Map((stored?.entries ?? []).map((feedback) => [feedback.id, feedback]));
  const writer = createJsonWriter(file, writeDelayMs, () => ({ version: 1, entries: [...byId.values()] }));

  function addToIndex({ query, server, tool, source, times }: SearchFeedback): void {
    // A single call may be unrelated to the search before it; several calls rarely are.
    const strength = source === 'user' ? 1 : 1 - 0.5 ** times;
    index.addFeedback({ query, key: toolKey(server, tool), strength });
  }
  function drop({ id, query, server, tool }: SearchFeedback): void {
    byId.delete(id);
    index.removeFeedback(query, toolKey(server, tool));
    // The index keeps one entry for all queries with the same stems, so another entry may remain.
    for (const other of byId.values()) if (other.server === server && other.tool === tool) addToIndex(other);
  }

  for (const feedback of byId.values()) addToIndex(feedback);
  return {
    /** Newest first. */
    list: (): SearchFeedback[] => [...byId.values()].reverse(),
    add({ query: original, server, tool, source }: Pick<SearchFeedback, 'query' | 'server' | 'tool' | 'source'>): void {
      const query = redact(original.trim().replace(/\s+/g, ' ').slice(0, maxQueryLength));
      if (query === '') return;
      const id = idOf(query, server, tool);
      const known = byId.get(id);
      byId.delete(id);
      const feedback: SearchFeedback = {
        id,
        query,
        server,
        tool,
        at: Date.now(),
        source: known?.source === 'user' ? 'user' : source,
        times: (known?.times ?? 0) + 1,
      };
      byId.set(id, feedback);
      addToIndex(feedback);
      const [oldest] = byId.values();
      if (oldest && byId.size > maxFeedback) drop(oldest);
      writer.schedule();
    },
    /** Returns false when there is no feedback with this id. */
    remove(id: string): boolean {
      const feedback = byId.get(id);
      if (!feedback) return false;
      drop(feedback);
      writer.schedule();
      return true;
    },
    close: writer.close,
  };
}

function idOf(query: string, server: string, tool: string): string {
  return createHash('sha256')
    .update(JSON.stringify([query.toLowerCase(), server, tool]))
    .digest('base64url')
    .slice(0, 16);
}
