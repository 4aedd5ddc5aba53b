import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openAudit } from '../../electron/core/audit/audit.ts';
import { csvHeader, csvRow } from '../../shared/history-csv.ts';
import type { CallFilter, CallRecord } from '../../shared/model.ts';

const root = mkdtempSync(join(tmpdir(), 'gatehouse-audit-'));
afterAll(() => rmSync(root, { recursive: true }));

const call = (more: Partial<CallRecord> = {}): CallRecord => ({
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
});

describe('the history', () => {
  it('is still there after a restart, newest first, with its statistics of use (A13, E9)', async () => {
    const folder = join(root, 'kept');
    const heard: string[] = [];
    const audit = await openAudit(folder, (entry) => heard.push(entry.id));
    audit.record(call({ id: 'a' }));
    audit.record(call({ id: 'b', outcome: 'failed', durationMs: 30 }));
    audit.record(call({ id: 'c', kind: 'question', outcome: 'denied' }));
    // It never reached the server.
    audit.record(call({ id: 'd', outcome: 'failed', code: 'APPROVAL_DENIED' }));
    await audit.flush();
    expect(heard).toEqual(['a', 'b', 'c', 'd']);

    const again = await openAudit(folder, () => undefined);
    expect(again.list({}).map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a']);
    expect(again.ofServer('git')).toEqual({ total: 2, failed: 1, averageMs: 20 });
    expect(again.ofTool('git', 'log').total).toBe(2);
    expect(again.ofTool('git', 'other')).toEqual({ total: 0, failed: 0, averageMs: 0 });
  });

  it('can be filtered by server and text, and limited', async () => {
    const audit = await openAudit(join(root, 'filtered'), () => undefined);
    audit.record(call({ id: 'a', server: 'git' }));
    audit.record(call({ id: 'b', server: 'files', tool: 'read', arguments: '{"path":"NOTES"}' }));
    expect(audit.list({ server: 'git' }).map(({ id }) => id)).toEqual(['a']);
    expect(audit.list({ text: 'notes' }).map(({ id }) => id)).toEqual(['b']);
    expect(audit.list({ limit: 1 })).toHaveLength(1);
    await audit.flush();
  });

  it('passes over a half-written line and is readable by its owner only', async () => {
    const folder = join(root, 'torn');
    const audit = await openAudit(folder, () => undefined);
    audit.record(call({ id: 'a' }));
    await audit.flush();
    const file = join(folder, readdirSync(folder)[0] ?? '');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    appendFileSync(file, '{"id":"torn","at":');
    const again = await openAudit(folder, () => undefined);
    expect(again.list({}).map(({ id }) => id)).toEqual(['a']);
  });
});

describe('the whole history', () => {
  const at = (text: string) => Date.parse(text);
  const old = call({ id: 'old', at: at('2026-01-10T00:00:00Z'), client: 'Cursor' });
  const middle = call({ id: 'middle', at: at('2026-05-10T00:00:00Z'), kind: 'question', outcome: 'denied' });
  const recent = call({ id: 'recent', at: Date.now(), kind: 'grant', outcome: 'allowed: always' });

  async function pages(audit: Awaited<ReturnType<typeof openAudit>>, filter: CallFilter = {}): Promise<string[]> {
    const ids: string[] = [];
    for (let after: string | undefined; ; ) {
      const { records, next } = await audit.page(filter, after);
      ids.push(...records.map(({ id }) => id));
      if (next === undefined) return ids;
      after = next;
    }
  }

  it('is read page by page, oldest first, and filtered by client, kind and time (A13)', async () => {
    const audit = await openAudit(join(root, 'pages'), () => undefined);
    for (const entry of [old, middle, recent]) audit.record(entry);
    expect(await pages(audit)).toEqual(['old', 'middle', 'recent']);
    expect(await pages(audit, { client: 'Cursor' })).toEqual(['old']);
    expect(await pages(audit, { kind: 'question' })).toEqual(['middle']);
    expect(await pages(audit, { from: middle.at })).toEqual(['middle', 'recent']);
    expect(await pages(audit, { to: middle.at })).toEqual(['old', 'middle']);
    expect(audit.list({ kind: 'grant' }).map(({ id }) => id)).toEqual(['recent']);
  });

  it('goes through files of many megabytes without losing a record at a page', async () => {
    const audit = await openAudit(join(root, 'large'), () => undefined);
    const ids = Array.from({ length: 3_000 }, (_, n) => `${n}`);
    for (const id of ids) audit.record(call({ id, arguments: 'é'.repeat(500) }));
    expect(await pages(audit)).toEqual(ids);
  });

  it('keeps as many months as the person wants, and all by default', async () => {
    const folder = join(root, 'months');
    const audit = await openAudit(folder, () => undefined);
    for (const entry of [old, middle, recent]) audit.record(entry);
    await audit.flush();
    await audit.keep(0);
    expect(readdirSync(folder)).toHaveLength(3);
    await audit.keep(1);
    expect(await pages(audit)).toEqual(['recent']);
    expect(audit.list({}).map(({ id }) => id)).toEqual(['recent']);
  });

  it('removes what has become too old when a month begins, though nothing was started anew (A13)', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const audit = await openAudit(join(root, 'turns'), () => undefined);
      await audit.keep(2);
      for (const month of ['2026-01', '2026-02', '2026-03']) {
        vi.setSystemTime(`${month}-15`);
        audit.record(call({ id: month, at: Date.now() }));
        await audit.flush();
      }
      expect(await pages(audit)).toEqual(['2026-02', '2026-03']);
      expect(audit.list({}).map(({ id }) => id)).toEqual(['2026-03', '2026-02']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('takes no name of a file from outside', async () => {
    const audit = await openAudit(join(root, 'names'), () => undefined);
    audit.record(recent);
    expect((await audit.page({}, '../../etc/passwd:0')).records.map(({ id }) => id)).toEqual(['recent']);
  });
});

describe('the history as CSV', () => {
  it('is one line a record, whatever is in it', () => {
    const row = csvRow(call({ tool: 'a"b,c', arguments: '{"text":"line\nline"}' }));
    expect(row).toContain('"a""b,c"');
    expect(row.endsWith('"\r\n')).toBe(true);
    expect(csvHeader.split(',')).toHaveLength(row.split('","').length);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\u200B=1', '＝1', '\r=1'])(
    'runs no formula in a spreadsheet: %j',
    (tool) => expect(csvRow(call({ tool }))).toContain(`"'${tool}"`),
  );
});
