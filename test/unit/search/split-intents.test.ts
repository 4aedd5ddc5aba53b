import { describe, expect, it } from 'vitest';
import { createSearch } from '../../../electron/core/search/search.ts';
import type { SearchDoc } from '../../../electron/core/search/search-doc.ts';
import { doc, office } from './tools.ts';

/** A dozen nearly identical tools. */
const crowd = Array.from({ length: 12 }, (_, at) =>
  doc(`forge${at}`, 'list_commits', 'List the commits of a branch in a repository on the forge'),
);

function found(query: string, limit = 5, docs: SearchDoc[] = [...office, ...crowd]): string[] {
  const search = createSearch();
  search.put(docs);
  return search.search(query, { limit }).map((hit) => hit.key);
}

const commits = 'List the commits of the branch main in the repository on the forge';

describe('A query with several intents', () => {
  it.each([
    `${commits}. Then send them to a channel. Finally, remove the file from disk.`,
    `${commits}, then send them to a channel and finally remove the file from disk`,
    `${commits}. After that, send them to a channel; also remove the file from disk.`,
    `${commits}. After seeing them, send them to a channel. Finally, remove the file from disk.`,
    `${commits}. In addition, send them to a channel.\nLastly remove the file from disk.`,
    `${commits}。然后 send them to a channel。最后 remove the file from disk。`,
  ])('finds the tool of each intent among the first three: %s', (query) => {
    expect(found(query, 3).map((key) => key.split('::')[1])).toEqual(
      expect.arrayContaining(['list_commits', 'post_message', 'delete_file']),
    );
  });

  it.each([
    ['inside a clause', 'read a file from disk that was then put into a channel'],
    ['before a name', 'read a file, also known as a document'],
    ['inside a quotation', 'send the message "Hello there you all. Then remove the file from disk"'],
    ['before fewer than three words', 'read a file from disk. Then stop.'],
    ['at the beginning', 'Then read a file from disk for me'],
    ['as an ordinary word', 'read a file from the disk, next to the calendar for an appointment'],
  ])('is not split at a connective %s', (_where, query) => {
    const search = createSearch();
    search.put([...office, ...crowd]);
    const inert = query.replace('next', 'near').replace(/\b(?:then|also)\b/i, 'the');
    expect(search.search(query, { limit: 9 })).toEqual(search.search(inert, { limit: 9 }));
  });

  it('has a merged list that respects limit and filter, without duplicates, in descending relevance', () => {
    const search = createSearch();
    search.put([...office, ...crowd]);
    const query = `${commits}. Then list the commits of another branch, then search billing orders. Finally, read_file.`;
    const hits = search.search(query, { limit: 8, accepts: (key) => key !== 'forge3::list_commits' });
    expect(hits[0]).toEqual({ key: 'files::read_file', relevance: 1 });
    expect(hits).toHaveLength(8);
    expect(new Set(hits.map((hit) => hit.key)).size).toBe(8);
    expect(hits.map((hit) => hit.key)).not.toContain('forge3::list_commits');
    const relevances = hits.map((hit) => hit.relevance);
    expect(relevances).toEqual([...relevances].sort((a, b) => b - a));
  });

  it('has the tool from feedback for the exact query first', () => {
    const search = createSearch();
    search.put([...office, ...crowd]);
    const query = `${commits}. Then send them to a channel.`;
    expect(search.search(query, { limit: 5 })[0]?.key).not.toBe('weather::forecast');
    search.addFeedback({ query, key: 'weather::forecast' });
    expect(search.search(query, { limit: 5 })[0]?.key).toBe('weather::forecast');
  });

  it('does not fail if it has only connectives', () => {
    expect(() => found('then. also. finally. '.repeat(200))).not.toThrow();
    expect(() => found(`${' '.repeat(900)}${'then '.repeat(60)}`)).not.toThrow();
    expect(found(`${'then send a message. '.repeat(50)}`)[0]).toBe('slack::post_message');
  });
});
