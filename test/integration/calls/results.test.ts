/** The stored results of calls, which are redacted and kept for the configured time, and the reasons for refusals. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { asCurlCommand, asToolkeepCommand } from '../../../shared/copy-call.ts';
import type { CallRecord, KeptResult } from '../../../shared/model/call.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { type CoreTrial, startCore } from '../../fixtures/core.ts';
import { testHost } from '../../fixtures/host.ts';

const run = promisify(execFile);
const token = `ghp_${'a1B2'.repeat(9)}`;
const server = (name = 'plain') => serverConfig(name, commands.misbehaving('normal'));

async function lastCall({ core }: CoreTrial): Promise<CallRecord> {
  const [record] = await core.handlers['history.list']({ kind: 'call' });
  if (!record) throw new Error('There is no call in the history.');
  return record;
}
async function resultOf(trial: CoreTrial): Promise<KeptResult | undefined> {
  const { callId = '', at } = await lastCall(trial);
  return (await trial.core.handlers['calls.result']({ callId, at })).kept;
}

it('The result of a call is kept in memory, without secrets and not on disk', async () => {
  const trial = await startCore([server()]);
  await trial.call('plain', 'echo', { text: `key ${token} end` });
  const kept = await resultOf(trial);
  expect(JSON.stringify(kept)).toContain('end');
  expect(JSON.stringify(kept)).not.toContain(token);
  expect(existsSync(join(trial.host.dataDir, 'results'))).toBe(false);
});

it('Results are kept on disk for the chosen days, and deleted when the user no longer wants them', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const first = await startCore([server()], { host });
  await first.core.handlers['settings.save']({ resultDays: 7 });
  await first.call('plain', 'echo', { text: `key ${token} end` });
  await first.core.close();
  const folder = join(host.dataDir, 'results');
  const [file = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, file), 'utf8')).not.toContain(token);

  const second = await startCore([server()], { host });
  expect(JSON.stringify(await resultOf(second))).toContain('end');
  await second.core.handlers['settings.save']({ resultDays: 0 });
  expect(readdirSync(folder)).toEqual([]);
  expect(await resultOf(second)).toBeUndefined();
});

it('Only the first part of a long result is kept', async () => {
  const trial = await startCore([server()]);
  await trial.call('plain', 'echo', { text: 'word '.repeat(100_000) });
  const kept = await resultOf(trial);
  expect(kept?.isShortened).toBe(true);
  expect(JSON.stringify(kept).length).toBeLessThan(12_000);
});

it('The history says why a call needed approval, and why it did not run', async () => {
  const host = testHost();
  onTestFinished(host.dispose);
  const file = join(host.homeDir, 'tools.json');
  const remover = { name: 'delete_all', description: 'Deletes every file.', inputSchema: { type: 'object' } };
  writeFileSync(file, JSON.stringify([remover]));
  const files = serverConfig('files', commands.misbehaving('normal', `tools-file=${file}`));
  const trial = await startCore([files], { host, config: { approvals: { mode: 'deny' } } });
  await expect(trial.call('files', 'delete_all')).rejects.toThrow();
  const records = await trial.core.handlers['history.list']({ server: 'files' });
  const approval = records.find(({ kind }) => kind === 'approval');
  expect(approval).toMatchObject({ reasons: expect.arrayContaining([expect.stringContaining('delete')]) });
  const call = await lastCall(trial);
  expect(call).toMatchObject({ outcome: 'refused', message: expect.stringContaining('approval') });
  expect((await resultOf(trial))?.result).toMatchObject({ error: { code: 'APPROVAL_UNAVAILABLE' } });
});

it('A call whose server does not start failed, and one that a rule forbids was refused', async () => {
  const ends = serverConfig('ends', commands.misbehaving('crash-at-start'));
  const trial = await startCore([server(), ends], { config: { toolRules: [{ pattern: ['echo'], enabled: false }] } });
  const outcomeOf = async (name: string, tool: string) => {
    await expect(trial.call(name, tool, { text: 'x' })).rejects.toThrow();
    const { outcome, code } = (await lastCall(trial)) as { outcome: string; code?: string };
    return [outcome, code];
  };
  expect(await outcomeOf('ends', 'echo')).toEqual(['failed', 'SERVER_CRASHED']);
  expect(await outcomeOf('plain', 'echo')).toEqual(['refused', 'TOOL_DISABLED']);
  await expect(trial.call('none', 'echo')).rejects.toThrow();
  expect(await lastCall(trial)).toMatchObject({ outcome: 'refused', code: 'SERVER_NOT_FOUND' });
});

it('A call that is copied as curl runs with the same arguments', async () => {
  const trial = await startCore([server()]);
  const { url, requestInit } = await trial.http();
  const text = `it's "quoted" $HOME`;
  const command = asCurlCommand({ server: 'plain', tool: 'echo', arguments: { text } }, new URL('/mcp', url).href);
  const curl = `const a = process.argv.slice(1), headers = {}; let body;
    for (let i = 1; i < a.length; i += 2) if (a[i] === '-d') body = a[i + 1]; else {
      const [, name, value] = /^(.+?): (.*)$/.exec(a[i + 1]); headers[name] = value; }
    fetch(a[0], { method: 'POST', headers, body }).then(async (r) => console.log(r.status, await r.text()));`;
  const [, TOOLKEEP_TOKEN] = (requestInit.headers.authorization ?? '').split(' ');
  const env = { ...process.env, TOOLKEEP_TOKEN, CURL: curl, NODE: process.execPath };
  const { stdout } = await run('sh', ['-c', `curl() { "$NODE" -e "$CURL" -- "$@"; }\n${command}`], { env });
  expect(stdout).toMatch(/^200 /);
  expect(stdout).toContain(JSON.stringify(text));
});

it('A call that is copied as a command has its arguments as one word', async () => {
  const args = { text: `it's "quoted" $HOME` };
  const command = asToolkeepCommand({ server: 'my files', tool: 'echo', arguments: args });
  const { stdout } = await run('sh', ['-c', `toolkeep() { printf '%s\\n' "$@"; }\n${command}`]);
  expect(stdout.trimEnd().split('\n')).toEqual(['execute', 'my files', 'echo', '--args', JSON.stringify(args)]);
});
