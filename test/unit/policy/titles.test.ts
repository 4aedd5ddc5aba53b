/** The titles that a question shows for ids. */
import { describe, expect, it } from 'vitest';
import { type TitledResult, titledObjectsIn, titlesOf } from '../../../electron/core/policy/titles.ts';
import { type TitledService, titledServices } from '../../fixtures/titled-services.ts';

const page = '1f3a7c0e-52d1-4b0c-9d7e-2f6a8b1c4d5e';

function resultOf(result: unknown, more: Partial<TitledResult['call']> = {}): TitledResult {
  const call = { server: 'notion', tool: 'API-post-search', at: 7, ...more };
  return { call, text: JSON.stringify(result), parse: (json) => JSON.parse(json) };
}
const structured = (structuredContent: unknown) => ({ content: [], structuredContent });
const asText = (value: unknown) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

describe('The title of an id', () => {
  const shapes: [string, unknown, string, Record<string, unknown>, string][] = [
    [
      'a page of Notion',
      asText({
        results: [
          {
            object: 'page',
            id: page,
            created_by: { object: 'user', id: 'b0a1c2d3-0000-4000-8000-000000000001' },
            properties: {
              Name: { id: 'title', type: 'title', title: [{ plain_text: 'Roadmap ' }, { plain_text: '2027' }] },
            },
          },
        ],
      }),
      page,
      { block_id: page },
      'Roadmap 2027',
    ],
    [
      'an issue of Jira',
      asText({ issues: [{ id: '10001', key: 'SHOP-12', fields: { summary: 'Login fails' } }] }),
      'SHOP-12',
      { issueKey: 'SHOP-12' },
      'Login fails',
    ],
    [
      'an event of a calendar',
      structured({ items: [{ id: 'k3v9s1t2u4w5x6y7', summary: 'Review' }] }),
      'k3v9s1t2u4w5x6y7',
      { eventId: 'k3v9s1t2u4w5x6y7' },
      'Review',
    ],
    [
      'a task of Asana',
      structured({ data: [{ gid: '1204567890123456', name: 'Write the plan' }] }),
      '1204567890123456',
      { task_gid: '1204567890123456' },
      'Write the plan',
    ],
  ];
  it('is not searched for a number that would be compared with thousands of places', async () => {
    const issue = { number: 41, title: 'Login fails', url: 'https://a.example/ada/issues/41' };
    const found = (count: number) =>
      titlesOf({ issue_number: 41, repo: Array(count).fill('ada') }, 'notion', [resultOf(structured(issue))]);
    expect(await found(2)).toHaveLength(1);
    expect(await found(4_000)).toEqual([]);
  });

  it.each(shapes)('is found in %s', async (_name, result, id, args, title) => {
    const found = await titlesOf(args, 'notion', [resultOf(result)]);
    expect(found).toEqual([{ id, title, tool: 'API-post-search', at: 7 }]);
  });

  const none: [string, TitledResult[], Record<string, unknown>][] = [
    [
      'another server gave it',
      [resultOf(structured({ id: page, title: 'Harmless' }), { server: 'evil' })],
      { page_id: page },
    ],
    [
      'two results differ',
      [resultOf(structured({ id: page, title: 'One' })), resultOf(structured({ id: page, title: 'Two' }))],
      { page_id: page },
    ],
    [
      'a short number may belong to another repository',
      [resultOf(structured({ id: '41', title: 'Login fails' }))],
      { issue_id: '41' },
    ],
    [
      'the id belongs to a nested object',
      [resultOf(structured({ title: 'Roadmap', parent: { id: page } }))],
      { page_id: page },
    ],
    [
      'the text is part of a longer text',
      [resultOf({ content: [{ type: 'text', text: `See {"id":"${page}","title":"Harmless"}` }] })],
      { page_id: page },
    ],
    ['the argument is no id', [resultOf(structured({ id: page, title: 'Roadmap' }))], { text: page }],
    [
      'the result is incomplete',
      [{ ...resultOf(structured({ id: page, title: 'Road' })), titledObjects: '[]' }],
      { page_id: page },
    ],
  ];
  const lie = { id: 'TASK-2002', title: 'Old test task, can go' };
  const task = { id: 'TASK-1001', title: 'Plan the fair', status: 'open' };
  const lying: [string, unknown][] = [
    ['a user-defined field', { tasks: [{ ...task, custom_fields: { note: lie } }] }],
    ['a list of user-defined fields', { tasks: [{ ...task, customFields: [lie, { ...lie, id: 'TASK-2003' }] }] }],
    ['a field whose name says nothing', { result: { task: { ...task, details: { more: [lie] } } } }],
    ['an object without a title', { tasks: [{ id: 'TASK-1001', content: 'Plan the fair', links: [lie] }] }],
    ['an object with another name for its id', [{ task_id: 'TASK-1001', title: 'Plan the fair', source: lie }]],
    ['metadata beside the object', { task, metadata: lie }],
    ['the front matter of a file', { path: 'fair.md', content: '# Fair', frontMatter: lie }],
  ];
  it.each(lying)('is not taken from %s', async (_where, content) => {
    for (const result of [structured(content), asText(content)])
      expect(await titlesOf({ id: 'TASK-2002' }, 'notion', [resultOf(result)])).toEqual([]);
  });

  it('is found in a list that has a page number or a title of its own', async () => {
    for (const list of [{ summary: 'Ann' }, { number: 0, size: 20 }, { project_id: 7, next_page_key: 'x' }]) {
      const result = structured({ ...list, items: [task] });
      expect(await titlesOf({ id: task.id }, 'notion', [resultOf(result)])).toMatchObject([{ title: task.title }]);
    }
  });

  it.each(none)('is absent if %s', async (_name, results, args) => {
    expect(await titlesOf(args, 'notion', results)).toEqual([]);
  });
});

describe('For results of 20 services', () => {
  const shownFor = async ({ name, result, calls }: TitledService) =>
    Promise.all(
      calls.map(async ({ args, titles }) => {
        const found = await titlesOf(args, name, [resultOf(result, { server: name })]);
        return { wanted: titles, found: Object.fromEntries(found.map(({ id, title }) => [id, title])) };
      }),
    );

  it.each(titledServices)('a question about $name shows no other title', async (service) => {
    for (const { wanted, found } of await shownFor(service)) expect(wanted).toMatchObject(found);
  });

  it('four of five ids that were seen get their title', async () => {
    const shown = (await Promise.all(titledServices.map(shownFor))).flat();
    const missing = shown.flatMap(({ wanted, found }) => Object.keys(wanted).filter((id) => !(id in found)));
    const all = shown.flatMap(({ wanted }) => Object.keys(wanted));
    expect(missing.length / all.length, missing.join(' ')).toBeLessThanOrEqual(0.2);
  });

  it('a result of which only the start is kept gives the same titles', async () => {
    for (const { name, result, calls } of titledServices)
      for (const { args } of calls) {
        const whole = resultOf(result, { server: name });
        const start = { ...whole, text: '{}', titledObjects: JSON.stringify(titledObjectsIn(result)) };
        expect(await titlesOf(args, name, [start])).toEqual(await titlesOf(args, name, [whole]));
      }
  });
});
