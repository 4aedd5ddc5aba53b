/** A call stays open if each progress notification restarts its client's timeout. Others are parked before the timeout. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Duplex, duplexPair } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clientTimeoutsOf } from '../../../electron/core/calls/client-timeout.ts';
import { type Core, createCore } from '../../../electron/core/core.ts';
import type { Client } from '../../../electron/core/types.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { connectCore } from '../../../shared/protocol/rpc.ts';
import { linkedWires } from '../../../shared/protocol/wire.ts';
import { commands, serverConfig } from '../../fixtures/commands.ts';
import { type TestHost, testHost } from '../../fixtures/host.ts';
import { initialize, type Message, type RawPeer, rawPeer } from '../gateway/raw-peer.ts';

let host: TestHost;
let core: Core;
let ui: CoreClient;
let agent: RawPeer;
let log: string;

beforeEach(async () => {
  host = testHost();
  log = join(host.dataDir, 'server.log');
  host.store.set('servers', [serverConfig('work', commands.misbehaving('normal', `log=${log}`))]);
  host.store.set('rules', [
    { pattern: ['echo'], confirm: 'always', active: true },
    { pattern: ['sleep'], confirm: 'never', destinations: 'any', active: true },
  ]);
  writeFileSync(join(host.dataDir, 'config.json'), JSON.stringify({ approvals: { clientTimeout: '250ms' } }));
  core = await createCore(host);
  const [ours, theirs] = linkedWires();
  core.attach(theirs, { answersQuestions: true });
  ui = connectCore(ours);
  await expect.poll(async () => (await ui.call('tools.list', {})).length).toBeGreaterThan(0);
});
afterEach(async () => {
  agent.close();
  await core.close();
  host.dispose();
});

function call(progressToken?: string): Promise<Message> {
  const _meta = progressToken && { _meta: { progressToken } };
  const params = { name: 'execute_tool', arguments: { server: 'work', tool: 'echo', arguments: { text: 'hi' } } };
  return agent.request('tools/call', { ...params, ..._meta });
}
async function connect(name: string, options: { readTool?: boolean } = {}): Promise<void> {
  const [near, far] = duplexPair() as [Duplex, Duplex];
  core.gateway.serveStream(far, options);
  agent = rawPeer(near, near);
  await initialize(agent, { name });
}
const textOf = ({ result }: Message) => (result as { content: { text: string }[] }).content[0]?.text ?? '';
const isProgress = ({ method }: Message) => method === 'notifications/progress';

it('Progress never says that the user is asked when nobody can be asked', async () => {
  await connect('opencode');
  ui.close();
  await expect.poll(async () => textOf(await call('t'))).toContain('APPROVAL_UNAVAILABLE');
  expect(agent.received.filter(isProgress)).toEqual([]);
});

it('A call stays open for a client that resets its timeout on progress', async () => {
  await connect('opencode');
  const running = call('t');
  await agent.until(isProgress);
  const [question] = await ui.call('questions.list');
  // After two notifications, the 250 ms have passed.
  await expect.poll(() => agent.received.filter(isProgress).length).toBeGreaterThan(2);
  await ui.call('questions.answer', { id: question?.id ?? '', answer: { action: 'accept', scope: 'once' } });
  expect(textOf(await running)).toBe('hi');
  expect((await ui.call('core.status')).parkedCalls).toBe(0);
});

it.each([
  ['that asked for no progress', 'opencode', undefined],
  ['of which nothing is known, whether or not it hears progress', 'somebody', 't'],
])('A call is parked for a client %s', async (_which, name, token) => {
  await connect(name);
  expect(textOf(await call(token))).toContain('APPROVAL_PENDING');
  expect((await ui.call('core.status')).parkedCalls).toBe(1);
  const [question] = await ui.call('questions.list');
  await ui.call('questions.answer', { id: question?.id ?? '', answer: { action: 'accept', scope: 'once' } });
  expect(textOf(await call(token))).toBe('hi');
});

it.each([
  ['codex-mcp-client', 'codex', 510_000],
  ['claude-code', 'claude-code', 73_440_000],
  ['codex-mcp-client', undefined, 45_000],
  ['my-agent', 'my-agent', 45_000],
])('A call of %s through the entry of %s waits for the user as long as the client does', (name, via, userMs) => {
  const client = { id: '1', name, stated: name, scope: {}, mode: 'lazy', ...(via && { via }) } as Client;
  expect(clientTimeoutsOf(client, false, 45_000).userMs).toEqual(userMs);
  expect(clientTimeoutsOf(client, false, 2_000).userMs).toBe(2_000);
});

it('A call to a slow tool is parked, runs once, and returns its result to the call that resumes it', async () => {
  await connect('my-agent');
  const started = Date.now();
  const sleep = (args: object) =>
    agent.request('tools/call', {
      name: 'execute_tool',
      arguments: { server: 'work', tool: 'sleep', arguments: args },
    });
  expect(textOf(await sleep({ ms: 1_000 }))).toContain('CALL_PENDING');
  let answer = '';
  while (!answer || answer.includes('CALL_PENDING')) answer = textOf(await sleep({ ms: 1_000 }));
  expect(answer).toContain('slept');
  expect(Date.now() - started).toBeGreaterThan(900);
  expect((await ui.call('core.status')).parkedCalls).toBe(0);
  const records = (await ui.call('history.list', {})) as { kind: string; tool: string }[];
  expect(records.filter(({ kind, tool }) => kind === 'call' && tool === 'sleep')).toHaveLength(1);
});

it('The agent can cancel a parked call with its handle, and the server receives the cancellation', async () => {
  await connect('my-agent');
  const call = (args: object) =>
    agent.request('tools/call', {
      name: 'execute_tool',
      arguments: { server: 'work', tool: 'sleep', arguments: args },
    });
  const [, handle] =
    /toolkeep_handle\\?": \\?"([\w-]+)/.exec(JSON.parse(textOf(await call({ ms: 60_000 }))).error.message) ?? [];
  const cancelled = JSON.parse(textOf(await call({ toolkeep_handle: handle, toolkeep_cancel: true })));
  expect(cancelled.error).toMatchObject({ code: 'CANCELLED' });
  await expect.poll(() => readFileSync(log, 'utf8')).toContain('notifications/cancelled');
});

it('read_tool neither cancels nor resumes a parked call that execute_tool began', async () => {
  await connect('my-agent', { readTool: true });
  const call = async (name: string, args: object) =>
    JSON.parse(
      textOf(
        await agent.request('tools/call', { name, arguments: { server: 'work', tool: 'sleep', arguments: args } }),
      ),
    );
  const begun = await call('execute_tool', { ms: 60_000 });
  const [, handle] = /toolkeep_handle": "([\w-]+)/.exec(begun.error.message) ?? [];
  const stop = { toolkeep_handle: handle, toolkeep_cancel: true };
  expect((await call('read_tool', stop)).error).toMatchObject({ code: 'CALL_NOT_FOUND' });
  expect((await call('read_tool', { toolkeep_handle: handle })).error).toMatchObject({ code: 'CALL_NOT_FOUND' });
  expect((await call('read_tool', { ms: 60_000 })).error.code).not.toBe('CALL_PENDING');
  expect(readFileSync(log, 'utf8')).not.toContain('notifications/cancelled');
  expect((await call('execute_tool', stop)).error).toMatchObject({ code: 'CANCELLED' });
});
