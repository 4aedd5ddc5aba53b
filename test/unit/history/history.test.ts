import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openHistory } from '../../../electron/core/history/history.ts';
import { csvHeader, csvRow } from '../../../shared/history-csv.ts';
import type { CallFilter, CallRecord } from '../../../shared/model/call.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';

const root = mkdtempSync(join(tmpdir(), 'toolkeep-history-'));
afterAll(() => rmSync(root, { recursive: true }));

const call = (more: object = {}) =>
  ({
    id: '1',
    at: Date.now(),
    kind: 'call',
    client: 'Claude',
    server: 'git',
    tool: 'log',
    arguments: '{"n":1}',
    outcome: 'ok',
    durationMs: 10,
    ...more,
  }) as CallRecord;

describe('The history', () => {
  it('survives a restart, newest entry first, with its usage statistics', async () => {
    const folder = join(root, 'kept');
    const heard: string[] = [];
    const history = await openHistory(folder, (entry) => heard.push(entry.id));
    history.record(call({ id: 'a' }));
    history.record(call({ id: 'b', outcome: 'failed', durationMs: 30 }));
    history.record(call({ id: 'c', kind: 'approval', outcome: 'denied' }));
    // The call never reached the server.
    history.record(call({ id: 'd', outcome: 'refused', code: 'APPROVAL_DENIED' }));
    await history.flush();
    expect(heard).toEqual(['a', 'b', 'c', 'd']);

    const again = await openHistory(folder, () => undefined);
    expect(again.list({}).map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a']);
    expect(again.serverStatistics('git')).toEqual({ total: 2, failed: 1, averageMs: 20 });
    expect(again.toolStatistics('git', 'log').total).toBe(2);
    expect(again.usedTools()).toEqual([{ key: 'git::log', calls: { total: 2, failed: 1, averageMs: 20 } }]);
    expect(again.toolStatistics('git', 'other')).toEqual({ total: 0, failed: 0, averageMs: 0 });
  });

  it('loses no record after one that a crash cut off', async () => {
    const folder = join(root, 'cut');
    for (const id of ['a', 'b', 'c']) {
      const history = await openHistory(folder, () => undefined);
      history.record(call({ id }));
      await history.flush();
      const file = join(folder, readdirSync(folder)[0] ?? '');
      if (id === 'a') truncateSync(file, statSync(file).size - 10);
    }
    expect((await openHistory(folder, () => undefined)).list({}).map(({ id }) => id)).toEqual(['c', 'b']);
  });

  it('writes what a full disk refused, once there is space again', async () => {
    const folder = join(root, 'full');
    const history = await openHistory(folder, () => undefined);
    const month = join(folder, `${new Date().toISOString().slice(0, 7)}.jsonl`);
    mkdirSync(month);
    history.record(call({ id: 'a' }));
    await history.flush();
    rmSync(month, { recursive: true });
    history.record(call({ id: 'b' }));
    await history.flush();
    expect((await openHistory(folder, () => undefined)).list({}).map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it('counts a refused call in the statistics only if its server did not start', async () => {
    const history = await openHistory(join(root, 'refused'), () => undefined);
    for (const code of ['TOOL_DISABLED', 'ARGUMENTS_INVALID', 'APPROVAL_UNAVAILABLE', 'SERVER_NOT_FOUND'])
      history.record(call({ id: code, outcome: 'refused', code }));
    expect(history.toolStatistics('git', 'log').total).toBe(0);
    history.record(call({ id: 'crashed', outcome: 'refused', code: 'SERVER_CRASHED' }));
    expect(history.toolStatistics('git', 'log')).toMatchObject({ total: 1, failed: 1 });
    await history.flush();
  });

  it('can be filtered by server and text, and limited in number', async () => {
    const history = await openHistory(join(root, 'filtered'), () => undefined);
    history.record(call({ id: 'a', server: 'git' }));
    history.record(call({ id: 'b', server: 'files', tool: 'read', arguments: '{"path":"NOTES"}' }));
    expect(history.list({ server: 'git' }).map(({ id }) => id)).toEqual(['a']);
    expect(history.list({ text: 'notes' }).map(({ id }) => id)).toEqual(['b']);
    expect(history.list({ limit: 1 })).toHaveLength(1);
    await history.flush();
  });

  it('skips an incomplete line and is readable by its owner only', async () => {
    const folder = join(root, 'torn');
    const history = await openHistory(folder, () => undefined);
    history.record(call({ id: 'a' }));
    await history.flush();
    const file = join(folder, readdirSync(folder)[0] ?? '');
    expectMode(file, 0o600);
    appendFileSync(file, '{"id":"torn","at":');
    const again = await openHistory(folder, () => undefined);
    expect(again.list({}).map(({ id }) => id)).toEqual(['a']);
  });
});

describe('The whole history', () => {
  const at = (text: string) => Date.parse(text);
  const old = call({ id: 'old', at: at('2026-01-10T00:00:00Z'), client: 'Cursor' });
  const middle = call({ id: 'middle', at: at('2026-05-10T00:00:00Z'), kind: 'approval', outcome: 'denied' });
  const recent = call({ id: 'recent', at: Date.now(), kind: 'grant', outcome: 'revoked' });

  async function pages(history: Awaited<ReturnType<typeof openHistory>>, filter: CallFilter = {}): Promise<string[]> {
    const ids: string[] = [];
    for (let after: string | undefined; ; ) {
      const { records, next } = await history.page(filter, after);
      ids.push(...records.map(({ id }) => id));
      if (next === undefined) return ids;
      after = next;
    }
  }

  it('is read page by page, oldest first, and filtered by client, kind and time', async () => {
    const history = await openHistory(join(root, 'pages'), () => undefined);
    for (const entry of [old, middle, recent]) history.record(entry);
    expect(await pages(history)).toEqual(['old', 'middle', 'recent']);
    expect(await pages(history, { client: 'Cursor' })).toEqual(['old']);
    expect(await pages(history, { kind: 'approval' })).toEqual(['middle']);
    expect(await pages(history, { from: middle.at })).toEqual(['middle', 'recent']);
    expect(await pages(history, { to: middle.at })).toEqual(['old', 'middle']);
    expect(history.list({ kind: 'grant' }).map(({ id }) => id)).toEqual(['recent']);
  });

  it('is read from files of many megabytes without losing a record between pages', async () => {
    const history = await openHistory(join(root, 'large'), () => undefined);
    const ids = Array.from({ length: 3_000 }, (_, n) => `${n}`);
    for (const id of ids) history.record(call({ id, arguments: 'é'.repeat(500) }));
    expect(await pages(history)).toEqual(ids);
  });

  it('keeps as many months as the user sets, and all by default', async () => {
    const folder = join(root, 'months');
    const history = await openHistory(folder, () => undefined);
    for (const entry of [old, middle, recent]) history.record(entry);
    await history.flush();
    await history.setRetention(0);
    expect(readdirSync(folder)).toHaveLength(3);
    await history.setRetention(1);
    expect(await pages(history)).toEqual(['recent']);
    expect(history.list({}).map(({ id }) => id)).toEqual(['recent']);
  });

  it('loses expired months when a month begins, without a restart', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const history = await openHistory(join(root, 'turns'), () => undefined);
      await history.setRetention(2);
      for (const month of ['2026-01', '2026-02', '2026-03']) {
        vi.setSystemTime(`${month}-15`);
        history.record(call({ id: month, at: Date.now() }));
        await history.flush();
      }
      expect(await pages(history)).toEqual(['2026-02', '2026-03']);
      expect(history.list({}).map(({ id }) => id)).toEqual(['2026-03', '2026-02']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('accepts no file name from a client', async () => {
    const history = await openHistory(join(root, 'names'), () => undefined);
    history.record(recent);
    expect((await history.page({}, '../../etc/passwd:0')).records.map(({ id }) => id)).toEqual(['recent']);
  });
});

describe('The history as CSV', () => {
  it('has one line per record, whatever the record contains', () => {
    const row = csvRow(call({ tool: 'a"b,c', arguments: '{"text":"line\nline"}' }));
    expect(row).toContain('"a""b,c"');
    expect(row.endsWith('"\r\n')).toBe(true);
    expect(csvHeader.split(',')).toHaveLength(row.split('","').length);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\u200B=1', '＝1', '\r=1'])(
    'cannot run a formula in a spreadsheet: %j',
    (tool) => expect(csvRow(call({ tool }))).toContain(`"'${tool}"`),
  );
});
