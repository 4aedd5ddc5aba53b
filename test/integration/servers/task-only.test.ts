/**
 * Tools that a server runs only as tasks, called through Toolkeep by clients without task support.
 *
 * @module-tag exhaustive
 */

import { duplexPair } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { startCore } from '../../fixtures/core.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { initialize, rawPeer } from '../gateway/raw-peer.ts';
import { failureOf, textOf, tryServer } from './server-harness.ts';

const tool = 'simulate-research-query';
const call = (topic: string) => ({
  method: 'tools/call',
  params: { name: tool, arguments: { topic } },
  isTaskOnly: true,
});

test('A tool that requires a task works for every client, in every mode', async () => {
  const t = await startCore([serverConfig('everything', commands.everything())], {
    config: { toolRules: [{ pattern: ['*'], confirm: 'never', destinations: 'any' }] },
  });
  await eventually(() => t.view('everything').toolCount > 0, 'the tools', 30_000);
  const progress: (string | undefined)[] = [];
  const full = await t.legacyClient({}, 'full');
  const { tools } = await full.listTools();
  const listed = tools.find(({ name }) => name.includes(tool));
  expect(listed?.execution?.taskSupport).toBe('optional');
  const lazy = await t.modernClient({}, 'lazy');
  // Each takes five seconds.
  const [result, answer] = await Promise.all([
    full.callTool({ name: String(listed?.name), arguments: { topic: 'gates' } }, undefined, {
      onprogress: ({ message }) => void progress.push(message),
      timeout: 60_000,
    }),
    lazy.callTool({
      name: 'execute_tool',
      arguments: { server: 'everything', tool, arguments: { topic: 'walls' } },
    }),
  ]);
  expect(textOf(result as Record<string, unknown>)).toContain('gates');
  expect(result.isError).not.toBe(true);
  expect(progress.some((message) => message?.includes('...'))).toBe(true);
  expect(textOf(answer as Record<string, unknown>)).toContain('walls');
}, 120_000);

test('Cancelling the call cancels the task on the server', async () => {
  const trial = tryServer(commands.everything());
  const { handle } = trial;
  await handle.start();
  const controller = new AbortController();
  const running = failureOf(handle.request({ ...call('long'), signal: controller.signal }));
  const tasks = async () => {
    const { tasks: list } = await handle.request({ method: 'tasks/list', params: {} });
    return list as { status: string }[];
  };
  await eventually(async () => (await tasks())[0]?.status === 'working', 'the running task');
  controller.abort();
  expect(await running).toMatchObject({ code: 'CANCELLED' });
  await eventually(async () => (await tasks())[0]?.status === 'cancelled', 'the cancelled task');
}, 60_000);

test('A server without tasks gets an ordinary call', async () => {
  const { handle } = tryServer(commands.misbehaving());
  onTestFinished(() => handle.stop());
  const params = { name: 'echo', arguments: { text: 'plain' } };
  const result = await handle.request({ method: 'tools/call', params, isTaskOnly: true });
  expect(textOf(result)).toBe('plain');
}, 30_000);

test('The list says that tools may run as tasks only to a client of the version with such lists', async () => {
  const t = await startCore([]);
  const supportIn = async (version: string) => {
    const [near, far] = duplexPair();
    t.core.gateway.serveStream(far, { mode: 'lazy' });
    const peer = rawPeer(near, near);
    onTestFinished(() => peer.close());
    await initialize(peer, { version });
    const { tools } = (await peer.request('tools/list')).result as { tools: { execution?: unknown }[] };
    return new Set(tools.map(({ execution }) => JSON.stringify(execution)));
  };
  expect(await supportIn('2025-11-25')).toEqual(new Set(['{"taskSupport":"optional"}']));
  expect(await supportIn('2025-06-18')).toEqual(new Set([undefined]));
});
