/** The history on the command line: seen, filtered, written to a file, and kept no longer than the person wants (A13). */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectLocal, socketWire } from '../../electron/core/gateway/gateway.ts';
import { csvHeader } from '../../shared/history-csv.ts';
import type { CallRecord } from '../../shared/model.ts';
import { connectCore } from '../../shared/rpc.ts';
import { newShop } from './shop.ts';

const shop = newShop();
const project = (name: string) => join(shop.home, 'project', name);
const monthsAgo = (months: number) => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15, 12);
};
const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7);
const old = (id: string, at: number, more: Partial<CallRecord> = {}): CallRecord => ({
  ...{ id, at, kind: 'call', client: 'Cursor', server: 'mail', tool: 'send', arguments: '{}' },
  ...{ outcome: 'ok', durationMs: 5 },
  ...more,
});
const remembered = [
  old('a', monthsAgo(14)),
  old('b', monthsAgo(3), { kind: 'grant', outcome: 'revoked' }),
  old('c', monthsAgo(2), { tool: '=cmd|calc', arguments: '{"text":"a \\"quoted\\" line, and\\nmore"}' }),
];

beforeAll(async () => {
  for (const record of remembered)
    shop.file(`.gatehouse/audit/${monthOf(record.at)}.jsonl`, `${JSON.stringify(record)}\n`);
  await shop.serve();
  const run = (tool: string, args: object) => shop.cli('execute', 'github', tool, '--args', JSON.stringify(args));
  await run('create_issue', { repo: 'owner/repo', title: 'My key is ghp_0123456789abcdefghijklmnopqrstuvwxyz' });
  await run('update_issue', { repo: 'owner/repo', number: 1 });
  await run('delete_repo', { repo: 'owner/repo' });
}, 60_000);
afterAll(() => shop.dispose());

async function audit(...args: string[]) {
  const { code, stdout, stderr } = await shop.cli('audit', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}
const tools = async (...args: string[]) =>
  (JSON.parse(await audit('--json', ...args)) as CallRecord[]).map(({ tool, outcome }) => `${tool}: ${outcome}`);
const ids = (json: string) => (JSON.parse(json) as CallRecord[]).map(({ id }) => id);

describe('gatehouse audit', () => {
  it('shows what happened, newest first, with the outcome of each and no secret (A13)', async () => {
    const shown = await audit();
    expect(shown.indexOf('update_issue')).toBeLessThan(shown.indexOf('create_issue'));
    expect(shown).toContain('tool error');
    expect(await audit('--json')).toContain('My key is');
    expect(shown + (await audit('--json')) + (await audit('--csv'))).not.toContain('ghp_0123456789');
  });

  it('is filtered by server, client, kind, words and time, and cut to a number (A13)', async () => {
    expect(await tools('--server', 'github', '--kind', 'call')).toEqual([
      'update_issue: tool error',
      'create_issue: ok',
    ]);
    expect(await tools('--limit', '1', '--kind', 'call')).toEqual(['update_issue: tool error']);
    expect(await tools('--client', 'Cursor', '--kind', 'grant')).toEqual(['send: revoked']);
    expect(await tools('--text', 'REVOKED')).toEqual(['send: revoked']);
    const day = (at: number) => {
      const date = new Date(at);
      return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
    };
    const twoMonths = day(monthsAgo(2));
    expect(await tools('--since', twoMonths, '--until', twoMonths)).toEqual(['=cmd|calc: ok']);
    expect(await tools('--until', day(monthsAgo(3)), '--since', day(monthsAgo(4)))).toEqual(['send: revoked']);
    expect((await shop.cli('audit', '--since', 'yesterday')).code).toBe(1);
    expect((await shop.cli('audit', '--kind', 'thing')).code).toBe(1);
  });

  it('is exported whole as JSON, oldest first, to a file that nobody else can read (A13)', async () => {
    const { code, stdout, stderr } = await shop.cli('audit', '--export', 'json', 'history.json');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const records: CallRecord[] = JSON.parse(readFileSync(project('history.json'), 'utf8'));
    expect(stderr).toBe(`${records.length} entries written to history.json.\n`);
    expect(records.slice(0, 3)).toEqual(remembered);
    expect(records.slice(3).map(({ tool }) => tool)).toEqual(expect.arrayContaining(['create_issue', 'update_issue']));
    expect(statSync(project('history.json')).mode & 0o777).toBe(0o600);
    const again = await shop.cli('audit', '--export', 'json', 'history.json');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('exists already');
    expect(JSON.parse(readFileSync(project('history.json'), 'utf8'))).toEqual(records);
  });

  it('is exported as CSV that no spreadsheet runs, filtered, to standard output as well (A13)', async () => {
    const csv = await audit('--export', 'csv', '--client', 'Cursor');
    const at = (months: number) => new Date(monthsAgo(months)).toISOString();
    expect(csv).toBe(
      [
        csvHeader.trimEnd(),
        `"${at(14)}","call","Cursor","mail","send","ok","","5","{}"`,
        `"${at(3)}","grant","Cursor","mail","send","revoked","","5","{}"`,
        `"${at(2)}","call","Cursor","mail","'=cmd|calc","ok","","5","{""text"":""a \\""quoted\\"" line, and\\nmore""}"`,
        '',
      ].join('\r\n'),
    );
    await shop.cli('audit', '--export', 'csv', 'some.csv', '--kind', 'grant');
    expect(readFileSync(project('some.csv'), 'utf8').trim().split('\r\n')).toHaveLength(2);
    expect((await shop.cli('audit', 'some.csv')).code).toBe(1);
  });

  it('is kept for as many months as the person says, and for good until then (A13)', async () => {
    expect(ids(await audit('--export', 'json')).slice(0, 3)).toEqual(['a', 'b', 'c']);
    const socket = await connectLocal({ dataDir: join(shop.home, '.gatehouse'), platform: process.platform }, 'rpc');
    if (!socket) throw new Error('The Core cannot be reached.');
    const face = connectCore(socketWire(socket));
    await face.call('settings.save', { historyMonths: 3 });
    face.close();
    expect(ids(await audit('--export', 'json'))).toContain('c');
    expect(ids(await audit('--export', 'json')).filter((id) => id === 'a' || id === 'b')).toEqual([]);
    expect(ids(await audit('--json')).filter((id) => id === 'a' || id === 'b')).toEqual([]);
    expect(existsSync(join(shop.home, `.gatehouse/audit/${monthOf(monthsAgo(14))}.jsonl`))).toBe(false);
  });
});
