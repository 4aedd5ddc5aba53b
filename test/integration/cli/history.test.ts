/** `toolkeep history`: display, filters, export, and retention. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reachCore } from '../../../electron/bridge/reach-core.ts';
import { socketWire } from '../../../electron/core/gateway/socket-wire.ts';
import { csvHeader } from '../../../shared/history-csv.ts';
import type { CallRecord } from '../../../shared/model/call.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { runCli } from '../../fixtures/cli-in-process.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';
import { newShop } from './shop-server.ts';

const shop = newShop();
const project = (name: string) => join(shop.home, 'project', name);
const monthsAgo = (months: number) => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15, 12);
};
const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7);
const old = (id: string, at: number, more: object = {}): CallRecord => ({
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
    shop.file(`.toolkeep/history/${monthOf(record.at)}.jsonl`, `${JSON.stringify(record)}\n`);
  await shop.serve();
  const run = (tool: string, args: object) => runCli(shop, 'execute', 'github', tool, '--args', JSON.stringify(args));
  await run('create_issue', { repo: 'owner/repo', title: 'My key is ghp_0123456789abcdefghijklmnopqrstuvwxyz' });
  await run('update_issue', { repo: 'owner/repo', number: 1 });
  await run('delete_repo', { repo: 'owner/repo' });
}, 60_000);
afterAll(() => shop.dispose());

async function history(...args: string[]) {
  // An export streams to the stdout of its process.
  const run = args.includes('--export') ? shop.cli : runCli.bind(undefined, shop);
  const { code, stdout, stderr } = await run('history', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}
const tools = async (...args: string[]) =>
  (JSON.parse(await history('--json', ...args)) as CallRecord[]).map(({ tool, outcome }) => `${tool}: ${outcome}`);
const ids = (json: string) => (JSON.parse(json) as CallRecord[]).map(({ id }) => id);

describe('toolkeep history', () => {
  it('shows the newest entry first, with its outcome and without secrets', async () => {
    const shown = await history();
    expect(shown.indexOf('update_issue')).toBeLessThan(shown.indexOf('create_issue'));
    expect(shown).toContain('Tool error');
    expect(await history('--json')).toContain('My key is');
    expect(shown + (await history('--json')) + (await history('--csv'))).not.toContain('ghp_0123456789');
  });

  it('filters by server, client, kind, words and time, and limits the number', async () => {
    expect(await tools('--server', 'github', '--kind', 'call')).toEqual([
      'delete_repo: refused',
      'update_issue: tool-error',
      'create_issue: ok',
    ]);
    expect(await tools('--limit', '1', '--kind', 'call')).toEqual(['delete_repo: refused']);
    expect(await tools('--client', 'Cursor', '--kind', 'grant')).toEqual(['send: revoked']);
    expect(await tools('--text', 'REVOKED')).toEqual(['send: revoked']);
    const day = (at: number) => {
      const date = new Date(at);
      return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
    };
    const twoMonths = day(monthsAgo(2));
    expect(await tools('--since', twoMonths, '--until', twoMonths)).toEqual(['=cmd|calc: ok']);
    expect(await tools('--until', day(monthsAgo(3)), '--since', day(monthsAgo(4)))).toEqual(['send: revoked']);
    expect((await runCli(shop, 'history', '--since', 'yesterday')).code).toBe(1);
    expect((await runCli(shop, 'history', '--kind', 'thing')).code).toBe(1);
  });

  it('exports everything as JSON, oldest first, to a file that only the user can read', async () => {
    const { code, stdout, stderr } = await runCli(shop, 'history', '--export', 'json', 'history.json');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const records: CallRecord[] = JSON.parse(readFileSync(project('history.json'), 'utf8'));
    expect(stderr).toBe(`Wrote ${records.length} entries to history.json.\n`);
    expect(records.slice(0, 3)).toEqual(remembered);
    expect(records.slice(3).map(({ tool }) => tool)).toEqual(expect.arrayContaining(['create_issue', 'update_issue']));
    expectMode(project('history.json'), 0o600);
    const again = await runCli(shop, 'history', '--export', 'json', 'history.json');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('already exists');
    expect(JSON.parse(readFileSync(project('history.json'), 'utf8'))).toEqual(records);
  });

  it('exports filtered entries to stdout as CSV without formulas', async () => {
    const csv = await history('--export', 'csv', '--client', 'Cursor');
    const at = (months: number) => new Date(monthsAgo(months)).toISOString();
    expect(csv).toBe(
      [
        csvHeader.trimEnd(),
        `"${at(14)}","call","Cursor","mail","send","OK","","5","{}"`,
        `"${at(3)}","grant","Cursor","mail","send","Revoked","","5","{}"`,
        `"${at(2)}","call","Cursor","mail","'=cmd|calc","OK","","5","{""text"":""a \\""quoted\\"" line, and\\nmore""}"`,
        '',
      ].join('\r\n'),
    );
    await runCli(shop, 'history', '--export', 'csv', 'some.csv', '--kind', 'grant');
    expect(readFileSync(project('some.csv'), 'utf8').trim().split('\r\n')).toHaveLength(2);
    expect((await runCli(shop, 'history', 'some.csv')).code).toBe(1);
  });

  it('keeps entries for the configured number of months, and forever by default', async () => {
    expect(ids(await history('--export', 'json')).slice(0, 3)).toEqual(['a', 'b', 'c']);
    const reached = await reachCore(join(shop.home, '.toolkeep'), { purpose: 'rpc', interactive: true });
    if (!reached) throw new Error('The Core cannot be reached.');
    const ui = connectCore(socketWire(reached.socket));
    await ui.call('settings.save', { historyMonths: 3 });
    ui.close();
    expect(ids(await history('--export', 'json'))).toContain('c');
    expect(ids(await history('--export', 'json')).filter((id) => id === 'a' || id === 'b')).toEqual([]);
    expect(ids(await history('--json')).filter((id) => id === 'a' || id === 'b')).toEqual([]);
    expect(existsSync(join(shop.home, `.toolkeep/history/${monthOf(monthsAgo(14))}.jsonl`))).toBe(false);
  });
});
