/**
 * No server process remains, however the server behaves and however Core ends.
 *
 * @module-tag exhaustive
 * @module-tag linux
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { reapOrphans } from '../../../electron/core/servers/orphan-reaper.ts';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { groupMembers, isAlive, numbersIn, tryServer } from './server-harness.ts';

test.each(['normal', 'ignore-sigterm', 'grandchild', 'ignore-sigterm,grandchild'])(
  'A stop leaves no process of a server with this behavior: %s',
  async (behaviour) => {
    const host = testHost();
    const file = join(host.homeDir, 'pids');
    const { handle } = tryServer(commands.misbehaving(behaviour, `pids=${file}`), { host });
    await handle.start();
    const pid = handle.state.pid as number;
    const pids = numbersIn(file);
    expect(pids.length).toBe(behaviour.includes('grandchild') ? 2 : 1);
    expect(groupMembers(pid).sort()).toEqual(pids.sort());
    await handle.stop();
    expect(groupMembers(pid)).toEqual([]);
    expect(pids.filter(isAlive)).toEqual([]);
  },
);

test('A crash of a server also ends its children', async () => {
  const host = testHost();
  const file = join(host.homeDir, 'pids');
  const { handle, call } = tryServer(commands.misbehaving('grandchild', `pids=${file}`), { host });
  await handle.start();
  const pids = numbersIn(file);
  await call('exit', { code: 1 }).catch(() => {});
  expect(pids.length).toBe(2);
  await eventually(() => !pids.some(isAlive), 'the end of the grandchild');
});

test('Killing a server also ends its children', async () => {
  const host = testHost();
  const file = join(host.homeDir, 'pids');
  const { handle } = tryServer(commands.misbehaving('grandchild', `pids=${file}`), { host });
  await handle.start();
  const pids = numbersIn(file);
  process.kill(handle.state.pid as number, 'SIGKILL');
  await eventually(() => !pids.some(isAlive), 'the end of the grandchild');
});

test('A start that fails leaves nothing behind', async () => {
  const host = testHost();
  const file = join(host.homeDir, 'pids');
  const { handle, states } = tryServer(
    commands.misbehaving('hang-at-initialize,ignore-sigterm,grandchild', `pids=${file}`),
    {
      host,
      tuning: { startTimeoutMs: 1_000, probeTimeoutMs: 100 },
    },
  );
  await handle.start().catch(() => {});
  const pid = states.find((state) => state.pid !== undefined)?.pid as number;
  expect(groupMembers(pid)).toEqual([]);
  expect([pid, ...numbersIn(file)].filter(isAlive)).toEqual([]);
});

const stubborn = ['normal', 'ignore-sigterm', 'ignore-sigterm,grandchild'];

test('SIGKILL of Core ends all its servers, including unresponsive ones and their children', async () => {
  const core = await startCore(testHost());
  const groups = core.pids.map((pid) => groupMembers(pid));
  expect(groups.map((group) => group.length)).toEqual([1, 1, 2]);
  core.child.kill('SIGKILL');
  await eventually(() => !groups.flat().some(isAlive), 'the end of all servers');
});

test('After SIGKILL of Core and its watchdog, the next start ends all remaining servers', async () => {
  const host = testHost();
  const core = await startCore(host);
  const members = core.pids.flatMap((pid) => groupMembers(pid));
  const guards = childrenOf(core.child.pid as number).filter(isShell);
  expect(guards.length).toBe(1);
  for (const pid of guards) process.kill(pid, 'SIGKILL');
  core.child.kill('SIGKILL');
  await eventually(() => !isAlive(core.pids[0] as number), 'the end of the well-behaved server');
  expect(members.filter(isAlive).length).toBeGreaterThan(0);
  const next = await startCore(host, []);
  expect(next.swept.sort()).toEqual(['ignore-sigterm,grandchild-2', 'ignore-sigterm-1']);
  expect(members.filter(isAlive)).toEqual([]);
  expect(readdirSync(join(host.dataDir, 'run', 'groups'))).toEqual([]);
});

test('A watchdog that was killed alone is replaced', async () => {
  const core = await startCore(testHost());
  const members = core.pids.flatMap((pid) => groupMembers(pid));
  const guard = childrenOf(core.child.pid as number).find(isShell) as number;
  process.kill(guard, 'SIGKILL');
  await eventually(
    () => childrenOf(core.child.pid as number).some((pid) => pid !== guard && isShell(pid)),
    'the new guard',
  );
  // Core reports its servers to the new watchdog in the same turn in which it starts it, before any response.
  core.child.kill('SIGUSR2');
  await eventually(() => core.output().includes('pong'), 'a sign of life of the Core');
  core.child.kill('SIGKILL');
  await eventually(() => !members.some(isAlive), 'the end of all servers');
});

test('The clean-up never ends another process with the same PID, nor a server whose Core is running', async () => {
  const host = testHost();
  onTestFinished(() => host.dispose());
  const bystander = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => void bystander.kill('SIGKILL'));
  const pid = bystander.pid as number;
  const folder = join(host.dataDir, 'run', 'groups');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `${pid}.json`),
    JSON.stringify({ pid, birth: '1', server: 'old', core: { pid: 999_999, birth: '1' } }),
  );
  writeFileSync(join(folder, 'broken.json'), '{"pid": 1');
  const { handle } = tryServer(commands.misbehaving(), { host });
  await handle.start();
  expect(await reapOrphans(host, 100)).toEqual([]);
  expect(isAlive(pid)).toBe(true);
  expect(isAlive(handle.state.pid as number)).toBe(true);
  expect(readdirSync(folder)).toEqual([`${handle.state.pid}.json`]);
});

interface CoreProcess {
  child: ChildProcess;
  pids: number[];
  swept: string[];
  output(): string;
}

async function startCore(host: TestHost, behaviors = stubborn): Promise<CoreProcess> {
  const file = join(import.meta.dirname, '../../fixtures/core-process.ts');
  const child = spawn(process.execPath, [file, host.dataDir, ...behaviors], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // It is killed before it can clean up, so its temporary files are in the test's home folder.
    env: { ...process.env, TMPDIR: host.homeDir },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    host.dispose();
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const line = await eventually(() => output.includes('\n') && output.split('\n')[0], 'the Core to be ready');
  return { child, output: () => output, ...JSON.parse(line) };
}

function childrenOf(parent: number): number[] {
  return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

function isShell(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('/bin/sh');
}
