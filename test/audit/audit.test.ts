import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openAudit } from '../../electron/core/audit/audit.ts';
import type { CallRecord } from '../../shared/model.ts';

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
  it('is still there after a restart, newest first, with its statistics (A13)', async () => {
    const folder = join(root, 'kept');
    const heard: string[] = [];
    const audit = await openAudit(folder, (entry) => heard.push(entry.id));
    audit.record(call({ id: 'a' }));
    audit.record(call({ id: 'b', outcome: 'failed', durationMs: 30 }));
    audit.record(call({ id: 'c', kind: 'question', outcome: 'denied' }));
    await audit.flush();
    expect(heard).toEqual(['a', 'b', 'c']);

    const again = await openAudit(folder, () => undefined);
    expect(again.list({}).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
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
