import { describe, expect, it } from 'vitest';
import { createSearch } from '../../../electron/core/search/search.ts';
import { similarNames } from '../../../electron/core/search/similar-names.ts';
import { doc, office } from './tools.ts';

function index(docs = office, options: Parameters<typeof createSearch>[0] = {}) {
  const search = createSearch(options);
  search.put(docs);
  return search;
}
const keys = (search: ReturnType<typeof createSearch>, query: string, limit = 5) =>
  search.search(query, { limit }).map((hit) => hit.key);

describe('Keyword search', () => {
  it.each([
    ['github create issue', 'github::create_issue'],
    ['gitlab create issue', 'gitlab::create_issue'],
    ['createPullRequest', 'github::createPullRequest'],
    ['CREATE_PULL_REQUEST', 'github::createPullRequest'],
    ['file a ticket on github', 'github::create_issue'],
    ['remove a document', 'files::delete_file'],
    ['schedule a meeting', 'calendar::add_event'],
    ['foreacst', 'weather::forecast'],
    ['I would like to know what the weather will be like in "Oslo" please', 'weather::forecast'],
  ])('for "%s" finds %s first', (query, key) => {
    expect(keys(index(), query)[0]).toBe(key);
  });

  it('finds the right tool among ten thousand tools of a thousand servers and a server with a thousand tools', () => {
    const search = index(
      Array.from({ length: 1_000 }, (_, server) =>
        Array.from({ length: 10 }, (_, at) => doc(`service-${server}`, `handle_record_${at}`, `Handles record ${at}.`)),
      ).flat(),
    );
    search.put(Array.from({ length: 1_000 }, (_, at) => doc('large', `measure_${at}`, `Measures gauge number ${at}.`)));
    search.put([doc('florist', 'send_flowers', 'Sends a bunch of tulips to an address')]);
    expect(keys(search, 'send tulips to my mother')[0]).toBe('florist::send_flowers');
    expect(keys(search, 'measure_731')[0]).toBe('large::measure_731');
    expect(keys(search, 'service-612 handle_record_4')[0]).toBe('service-612::handle_record_4');
  });

  it('lists at most two of five tools from a server with many plain names, unless they match clearly better', () => {
    const regions = ['north', 'south', 'east', 'west', 'coast'];
    const plain = regions.map((region) => doc('plain', `report_${region}`, 'A report of sales'));
    const others = regions.map((region) => doc(`${region}-shop`, `report_${region}_shop`, 'A report of sales'));
    const search = index([...plain, ...others]);
    expect(keys(search, 'sales report').filter((key) => key.startsWith('plain::'))).toHaveLength(2);
    const unlike = others.map((other) => ({ ...other, name: 'export_csv', description: 'The report as a table' }));
    expect(keys(index([...plain, ...unlike]), 'sales report').every((key) => key.startsWith('plain::'))).toBe(true);
  });

  it('ranks an exact name above a partial match and a partial match above a tag, with descending relevance', () => {
    const search = index([
      doc('a', 'billing', 'Nothing'),
      doc('b', 'billing_report', 'A report'),
      doc('c', 'orders', 'Everything that was bought', { tags: ['billing'] }),
    ]);
    const hits = search.search('billing', { limit: 10 });
    expect(hits.map((hit) => hit.key)).toEqual(['a::billing', 'b::billing_report', 'c::orders']);
    const [exact, partial, tag] = hits.map((hit) => hit.relevance) as [number, number, number];
    expect(exact).toBe(1);
    expect(partial).toBeLessThan(1);
    expect(tag).toBeLessThan(partial);
    expect(tag).toBeGreaterThan(0);
  });

  it.each([
    ['vertices', 'graph::add_vertex'],
    ['vertex', 'graph::count_vertices'],
  ])('for "%s" finds an irregular plural or its singular: %s', (query, key) => {
    const search = index([
      doc('graph', 'add_vertex', 'Adds a point'),
      doc('graph', 'count_vertices', 'How many points there are'),
      ...office,
    ]);
    expect(keys(search, query)).toContain(key);
  });

  it('includes the names and descriptions of parameters', () => {
    expect(keys(index(), 'labels')[0]).toBe('github::create_issue');
  });

  it('respects the limit and the filter', () => {
    const search = index();
    expect(search.search('issue', { limit: 1 })).toHaveLength(1);
    expect(search.search('issue', { limit: 0 })).toEqual([]);
    const accepts = (key: string) => key.startsWith('gitlab');
    expect(search.search('create issue', { limit: 5, accepts }).map((hit) => hit.key)).toEqual([
      'gitlab::create_issue',
    ]);
  });

  it('no longer finds a replaced or removed tool by its old description', () => {
    const search = index();
    search.put([doc('git', 'status', 'Water the plants')]);
    expect(keys(search, 'water plants')[0]).toBe('git::status');
    expect(keys(search, 'untracked')).not.toContain('git::status');
    search.remove(['git::status', 'nobody::knows']);
    expect(keys(search, 'water plants')).not.toContain('git::status');
  });

  it('does not let copies of one tool crowd out the others', () => {
    const copies = Array.from({ length: 12 }, (_, at) => doc(`mirror${at}`, 'send_mail', 'Send a mail to somebody')); // prose-ok: a query's words
    const found = keys(
      // prose-ok: a query's words
      index([...copies, doc('phone', 'send_text', 'Send a short text to somebody')]),
      'send to somebody', // prose-ok: a query's words
    );
    expect(found).toContain('phone::send_text');
  });

  it.each([
    ['an empty string', ''],
    ['white space', ' \n\t'],
    ['punctuation', '?!… ("[{'],
    ['a megabyte of base64', Buffer.alloc(1_000_000, 'abc').toString('base64')],
    ['a long word', 'a'.repeat(100_000)],
    ['lone surrogates', '\ud800 \udfff'],
    ['names of Object.prototype', 'constructor __proto__ toString hasOwnProperty'],
  ])('does not fail for a query of %s', (_name, query) => {
    expect(Array.isArray(index().search(query, { limit: 5 }))).toBe(true);
  });

  it('finds words in scripts without spaces', () => {
    const search = index([...office, doc('bing', 'search', '使用必应搜索指定的关键词')]);
    expect(keys(search, '搜索关键词')[0]).toBe('bing::search');
  });

  it('ignores different words beyond its limit, and keeps finding known ones', () => {
    const first = doc('a', 'get_rate', 'Get the rate of exchange');
    const search = index([first, doc('b', 'rate', 'Exchange of zebras')], { maxTerms: 4 });
    expect(keys(search, 'zebras')).toEqual([]);
    expect(keys(search, 'exchange')).toEqual(expect.arrayContaining(['a::get_rate', 'b::rate']));
  });

  it('decides near ties by usage, but never against the words', () => {
    const twins = [doc('a', 'get_rate', 'Get a rate'), doc('b', 'get_rate', 'Get a rate'), ...office];
    const search = index(twins, { usage: (key) => (key === 'b::get_rate' || key === 'shop::orders' ? 1 : 0) });
    expect(keys(search, 'rate of exchange')[0]).toBe('b::get_rate');
    expect(keys(search, 'post a message')[0]).toBe('slack::post_message');
  });
});

describe('Similar names', () => {
  it('are found across naming conventions, and only if they are similar', () => {
    const names = ['create_issue', 'listIssues', 'delete-repository', 'search'];
    expect(similarNames('createIsue', names)[0]).toBe('create_issue');
    expect(similarNames('list_issues', names)[0]).toBe('listIssues');
    expect(similarNames('xyzzy', names)).toEqual([]);
  });

  it('are found among the first of too many names, and the others are not compared', () => {
    let compared = 0;
    function* names() {
      for (; compared < 100_000; compared += 1) yield compared === 5 ? 'create_issue' : `other_tool_${compared}`;
    }
    expect(similarNames('createIsue', names())[0]).toBe('create_issue');
    expect(compared).toBeLessThan(20_000);
  });
});
