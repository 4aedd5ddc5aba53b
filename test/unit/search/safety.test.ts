/**
 * For a harmless question, learned similarity must not rank a dangerous tool above its harmless counterpart: word embeddings
 * have no negation and place opposites such as "list" and "delete" close to each other.
 *
 * @module-tag exhaustive
 */
import { describe, expect, it } from 'vitest';
import { splitWords, stemOf } from '../../../electron/core/search/lexicon/words.ts';
import { createSearch, type SearchIndex } from '../../../electron/core/search/search.ts';
import { type SearchDoc, searchDoc } from '../../../electron/core/search/search-doc.ts';
import type { Encoder } from '../../../electron/core/search/vectors/encoder.ts';
import { findBuiltInModel } from '../../../electron/core/search/vectors/vectors.ts';
import { annotate } from '../../../electron/core/tools/assessment/annotate.ts';
import { hintHabits } from '../../../electron/core/tools/assessment/hints.ts';
import type { Tool } from '../../../shared/model/tool.ts';
import { type LabeledTool, realServers } from '../../fixtures/labeled-tools.ts';
import { doc } from './tools.ts';

/** Objects of tools, each with its plural and a synonym for questions. */
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

/** Harmless counterparts: the tool's name, its description, and questions that describe it in other words. */
const harmless = [
  ['list', 'List all', ['show me the', 'which {} are there', 'give me an overview of the', 'what {} do we have']],
  ['get', 'Get details of a', ['look at one of the', 'read the details of one of the', 'inspect one of the']],
  ['search', 'Search', ['find the right {} by keyword', 'look up some']],
] as const;

/** Questions that only request information; `{}` is the name of a reading tool without its verb. */
const looks = ['show me the {}', 'which {} are there', 'what {} do we have', 'look at the {}', 'find out about {}'];
const readingWords = new Set(
  'all and browse by check count describe details fetch find for from get id in info list lookup of query read retrieve search show the to view with'.split(
    ' ',
  ),
);
const objectOf = (name: string) => splitWords(name, 24).filter((word) => !readingWords.has(word));

const found = await findBuiltInModel();
const encoder = found?.encoder as Encoder;

describe('Search with the built-in model', () => {
  it('has a readable model in the product', () => {
    expect(found?.problem).toBeUndefined();
    expect(encoder.dimensions).toBeGreaterThan(0);
  });

  it.each(harmless.map(([verb, text, questions]) => ({ verb, text, questions })))(
    'finds no dangerous counterpart above the $verb tool, unless keywords alone do',
    ({ verb, text, questions }) => {
      const wrong: string[] = [];
      let asked = 0;
      for (const [one, many, other] of objects) {
        const harmlessKey = `app::${verb}_${many}`;
        const tools = [
          assessed(`${verb}_${many}`, `${text} ${many}.`),
          ...dangerous.map(([danger, words]) => assessed(`${danger}_${one}`, `${words} ${one}.`)),
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

  it('finds no dangerous counterpart above a reading tool among 1,940 real tools, unless keywords alone do', () => {
    const wrong: string[] = [];
    let asked = 0;
    for (const tools of Map.groupBy(realServers(), ({ server }) => server).values()) {
      const docs = docsOf(tools);
      const [keywords, semantic] = [createSearch(), createSearch({ encoder })];
      for (const search of [keywords, semantic]) {
        search.put(docs);
        search.indexVectors();
      }
      const dangerousKeys = new Set(
        tools.filter(({ label }) => label === 'ask').map(({ definition }) => definition.name),
      );
      for (const { name, object } of withDangerousTwin(tools)) {
        for (const look of looks) {
          const query = look.replace('{}', object.join(' '));
          const above = aboveTwin(keywords, query, name);
          asked++;
          for (const key of aboveTwin(semantic, query, name)) {
            if (dangerousKeys.has(key) && !above.includes(key)) wrong.push(`${query}: ${key}`);
          }
        }
      }
    }
    expect(asked).toBeGreaterThan(2_000);
    expect(wrong).toEqual([]);
  });

  it('finds a dangerous tool first if the question names its action', () => {
    const search = createSearch({ encoder });
    search.put([doc('app', 'list_branches', 'List all branches.'), doc('app', 'delete_branch', 'Delete a branch.')]);
    search.indexVectors();
    expect(search.search('erase the old branch', { limit: 2 })[0]?.key).toBe('app::delete_branch');
  });
});

/** A tool with the safety level that it has in the catalog. */
function assessed(name: string, description: string): SearchDoc {
  const { safetyLevel } = annotate({ name, description, inputSchema: {} }).annotations;
  return doc('app', name, description, { safety: safetyLevel });
}

/** The tools of one server as they are in the index, by name. */
function docsOf(tools: LabeledTool[]) {
  const definitions = tools.map(({ definition }) => ({ ...definition, inputSchema: definition.inputSchema ?? {} }));
  const habits = hintHabits(definitions);
  return definitions.map((definition, at) => {
    const { annotations, category } = annotate(definition, habits);
    const { name } = definition;
    return searchDoc({ key: name, server: tools[at]?.server, name, definition, annotations, category } as Tool, []);
  });
}

/** The reading tools that share a word of their object with a dangerous tool. */
function withDangerousTwin(tools: LabeledTool[]): { name: string; object: string[] }[] {
  const named = tools.map(({ label, definition: { name } }) => ({ label, name, object: objectOf(name) }));
  const dangerousObjects = named
    .filter(({ label }) => label === 'ask')
    .flatMap(({ object }) => object)
    .map(stemOf);
  const atRisk = new Set(dangerousObjects);
  return named.filter(({ label, object }) => label === 'read' && object.some((word) => atRisk.has(stemOf(word))));
}

/** The tools ranked above the harmless one; all results if it was not found. */
function aboveTwin(search: SearchIndex, query: string, harmlessKey: string): string[] {
  const keys = search.search(query, { limit: 10 }).map((hit) => hit.key);
  const at = keys.indexOf(harmlessKey);
  return at < 0 ? keys : keys.slice(0, at);
}
