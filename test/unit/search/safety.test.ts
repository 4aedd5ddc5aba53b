/**
 * Learned similarity must not lead from a harmless question to a dangerous tool above its harmless twin: word embeddings
 * know no negation and place opposites such as "list" and "delete" close to each other.
 */
import { describe, expect, it } from 'vitest';
import { createSearch, type SearchIndex } from '../../../electron/core/search/search.ts';
import type { Encoder } from '../../../electron/core/search/vectors/encoder.ts';
import { findBuiltInModel } from '../../../electron/core/search/vectors/vectors.ts';
import { doc } from './tools.ts';

/** Objects of tools, each with its plural and with other words for it in a question. */
const objects = [
  ['issue', 'issues', 'tickets'],
  ['file', 'files', 'documents'],
  ['branch', 'branches', 'branches'],
  ['user', 'users', 'accounts'],
  ['message', 'messages', 'messages'],
  ['page', 'pages', 'web pages'],
  ['record', 'records', 'rows'],
  ['invoice', 'invoices', 'bills'],
  ['deployment', 'deployments', 'releases'],
  ['event', 'events', 'appointments'],
  ['bucket', 'buckets', 'storage buckets'],
  ['container', 'containers', 'containers'],
  ['workflow', 'workflows', 'pipelines'],
  ['secret', 'secrets', 'secrets'],
] as const;

/** Dangerous verbs of real servers with the description of the tool. */
const dangerous = [
  ['delete', 'Delete a'],
  ['remove', 'Permanently remove a'],
  ['purge', 'Purge a'],
  ['destroy', 'Destroy a'],
  ['revoke', 'Revoke access to a'],
  ['send', 'Send a'],
  ['publish', 'Publish a'],
  ['execute', 'Execute a'],
  ['transfer', 'Transfer ownership of a'],
] as const;

/** Harmless twins: the name of the tool, its description, and questions that ask for it in other words. */
const harmless = [
  ['list', 'List all', ['show me the', 'which {} are there', 'give me an overview of the', 'what {} do we have']],
  ['get', 'Get details of a', ['look at one of the', 'read the details of one of the', 'inspect one of the']],
  ['search', 'Search', ['find the right {} by keyword', 'look up some']],
] as const;

const found = await findBuiltInModel();
const encoder = found?.encoder as Encoder;

describe('Search with the built-in model', () => {
  it('The built-in model is part of the product and readable', () => {
    expect(found?.problem).toBeUndefined();
    expect(encoder.dimensions).toBeGreaterThan(0);
  });

  it.each(harmless.map(([verb, text, questions]) => ({ verb, text, questions })))(
    'A question for the $verb tool finds no dangerous twin above it, unless its keywords do',
    ({ verb, text, questions }) => {
      const wrong: string[] = [];
      let asked = 0;
      for (const [one, many, other] of objects) {
        const harmlessKey = `app::${verb}_${many}`;
        const tools = [
          doc('app', `${verb}_${many}`, `${text} ${many}.`),
          ...dangerous.map(([danger, words]) => doc('app', `${danger}_${one}`, `${words} ${one}.`)),
        ];
        const [keywords, semantic] = [createSearch(), createSearch({ encoder })];
        for (const search of [keywords, semantic]) {
          search.put(tools);
          search.indexVectors();
        }
        for (const question of questions) {
          for (const name of new Set([many, other])) {
            const query = question.includes('{}') ? question.replace('{}', name) : `${question} ${name}`;
            const above = aboveTwin(keywords, query, harmlessKey);
            asked++;
            for (const key of aboveTwin(semantic, query, harmlessKey)) {
              if (!above.includes(key)) wrong.push(`${query}: ${key}`);
            }
          }
        }
      }
      expect(asked).toBeGreaterThan(20);
      expect(wrong).toEqual([]);
    },
  );

  it('A question that names a dangerous action finds its tool first', () => {
    const search = createSearch({ encoder });
    search.put([doc('app', 'list_branches', 'List all branches.'), doc('app', 'delete_branch', 'Delete a branch.')]);
    search.indexVectors();
    expect(search.search('erase the old branch', { limit: 2 })[0]?.key).toBe('app::delete_branch');
  });
});

/** The tools ranked above the harmless one; all that were found when it was not. */
function aboveTwin(search: SearchIndex, query: string, harmlessKey: string): string[] {
  const keys = search.search(query, { limit: 10 }).map((hit) => hit.key);
  const at = keys.indexOf(harmlessKey);
  return at < 0 ? keys : keys.slice(0, at);
}
