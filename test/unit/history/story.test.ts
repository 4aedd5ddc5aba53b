/** The story of a day names changes first, in the nouns of the tools. */
import { describe, expect, it } from 'vitest';
import { tellDay } from '../../../electron/core/history/story.ts';
import type { CallRecord } from '../../../shared/model/call.ts';

const minute = 60_000;
let id = 0;
function call(at: number, tool: string, more: Partial<Extract<CallRecord, { kind: 'call' }>> = {}): CallRecord {
  id += 1;
  const base = { id: String(id), client: 'Cursor', server: 'Notion', arguments: `{"page":"${id}"}`, durationMs: 5 };
  return { ...base, kind: 'call', at: at * minute, tool, outcome: 'ok', ...more };
}
const told = (records: readonly CallRecord[]) =>
  tellDay(records.toReversed()).map(({ client, lines }) => [
    client,
    ...lines.map(({ verb, noun, count }) => `${verb} ${count} ${noun}`),
  ]);

describe('The story of a day', () => {
  it('counts different things that were read, all searches, and names what was changed', () => {
    const records = [
      call(1, 'search_pages'),
      call(1, 'search_pages'),
      call(2, 'read_page', { arguments: '{"page":"a"}' }),
      call(2, 'read_page', { arguments: '{"page":"a"}' }),
      call(3, 'getPage', { arguments: '{"page":"b"}' }),
      call(4, 'create_issue', { arguments: '{"title":"Login broken"}' }),
      call(5, 'create_issue', { arguments: '{"title":"Logout broken"}' }),
    ];
    expect(told(records)).toEqual([['Cursor', 'created 2 issue', 'searched 2 page', 'read 2 page']]);
    expect(tellDay(records.toReversed())[0]?.lines[0]).toMatchObject({
      nouns: 'issues',
      examples: ['Login broken', 'Logout broken'],
    });
  });

  it('says who stopped a call, and what failed', () => {
    const refused = { outcome: 'refused' as const };
    const records = [
      call(1, 'delete_page', { ...refused, code: 'APPROVAL_DENIED' }),
      call(1, 'delete_page', { ...refused, code: 'APPROVAL_TIMEOUT' }),
      call(2, 'delete_page', { ...refused, code: 'TOOL_DISABLED' }),
      call(2, 'read_page', { outcome: 'failed', code: 'CANCELLED' }),
      call(3, 'read_page', { outcome: 'failed' }),
      call(4, 'read_page', { outcome: 'tool-error' }),
    ];
    expect(told(records)).toEqual([
      [
        'Cursor',
        'denied 1 delete_page',
        'unanswered 1 delete_page',
        'refused 1 delete_page',
        'canceled 1 read_page',
        'failed 2 read_page',
      ],
    ]);
  });

  it('starts another session after half an hour, and for another client', () => {
    const records = [
      call(1, 'read_page'),
      call(2, 'read_page', { client: 'Claude' }),
      call(30, 'read_page'),
      call(61, 'read_page'),
    ];
    expect(told(records)).toEqual([
      ['Cursor', 'read 2 page'],
      ['Claude', 'read 1 page'],
      ['Cursor', 'read 1 page'],
    ]);
  });

  it.each([
    ['API-post-page', 'created', 'page', 'pages'],
    ['list_entries', 'searched', 'entry', 'entries'],
    ['delete_branches', 'deleted', 'branch', 'branches'],
    ['get_status', 'read', 'status', 'statuses'],
    ['echo', 'ran', 'echo', 'echos'],
    ['notion_update_page', 'changed', 'page', 'pages'],
    ['search', 'ran', 'search', 'searches'],
  ])('reads the name %s', (tool, verb, noun, nouns) => {
    expect(tellDay([call(1, tool)])[0]?.lines).toMatchObject([{ verb, noun, nouns }]);
  });
});
