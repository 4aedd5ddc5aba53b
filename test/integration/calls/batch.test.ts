/** Many calls in one request: one question, results in order, and nothing that the user did not allow. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Duplex, duplexPair } from 'node:stream';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Core, createCore } from '../../../electron/core/core.ts';
import type { Answer, Question } from '../../../shared/model/question.ts';
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
let detach: () => void;
let log: string;
let toolsFile: string;

const object = { type: 'object', properties: { issue: { type: 'integer' }, label: { type: 'string' } } };
const tools = [
  { name: 'get_issue', description: 'Gets an issue.', inputSchema: object, annotations: { readOnlyHint: true } },
  { name: 'add_label', description: 'Adds a label to an issue.', inputSchema: { ...object, required: ['issue'] } },
  { name: 'delete_label', description: 'Deletes a label.', inputSchema: object },
  { name: 'fail', description: 'Fails.', inputSchema: object },
  {
    name: 'send_message',
    description: 'Sends a message.',
    inputSchema: { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } } },
  },
  {
    name: 'fetch_page',
    description: 'Gets a web page.',
    inputSchema: { type: 'object', properties: { url: { type: 'string' } } },
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
];

beforeEach(() => start('20s'));
async function start(clientTimeout: string): Promise<void> {
  host = testHost();
  log = join(host.dataDir, 'server.log');
  toolsFile = join(host.dataDir, 'tools.json');
  writeFileSync(toolsFile, JSON.stringify(tools));
  const command = commands.misbehaving('normal', `log=${log}`, `tools-file=${toolsFile}`);
  host.store.set('servers', [serverConfig('work', command)]);
  writeFileSync(
    join(host.dataDir, 'config.json'),
    JSON.stringify({ batch: { clients: ['bulk', 'second'], maxCalls: 50 }, approvals: { clientTimeout } }),
  );
  core = await createCore(host);
  const [ours, theirs] = linkedWires();
  detach = () => ours.close();
  core.attach(theirs, { answersQuestions: true });
  ui = connectCore(ours);
  await expect.poll(async () => (await ui.call('tools.list', {})).length).toBeGreaterThan(0);
  agent = await connect('bulk');
}
afterEach(stop);
async function stop(): Promise<void> {
  agent.close();
  await core.close();
  host.dispose();
}

async function connect(name: string): Promise<RawPeer> {
  const [near, far] = duplexPair() as [Duplex, Duplex];
  core.gateway.serveStream(far, {});
  const peer = rawPeer(near, near);
  await initialize(peer, { name });
  return peer;
}

const call = (tool: string, args: object, server = 'work') => ({ server, tool, arguments: args });
const labels = (count: number) =>
  Array.from({ length: count }, (_, index) => call('add_label', { issue: index + 1, label: 'bug' }));
const batch = (calls: object[], more: object = {}) =>
  agent.request('tools/call', { name: 'execute_tools', arguments: { calls, ...more } });

async function question(): Promise<Question> {
  await expect.poll(async () => (await ui.call('questions.list')).length).toBeGreaterThan(0);
  const [open] = await ui.call('questions.list');
  if (!open) throw new Error('No question is open.');
  return open;
}
async function answer(given: Answer): Promise<Question> {
  const open = await question();
  await ui.call('questions.answer', { id: open.id, answer: given });
  return open;
}
/** Decides whether the calls after one that failed run. Other questions may be open, such as whether to accept a held tool. */
async function runRest(yes: boolean): Promise<Question> {
  const find = async () => (await ui.call('questions.list')).find(({ kind }) => kind === 'confirmation');
  await expect.poll(find).toBeDefined();
  const open = await find();
  if (!open) throw new Error('No question is open.');
  await ui.call('questions.answer', { id: open.id, answer: { action: yes ? 'accept' : 'decline' } });
  return open;
}
/** Run all. */
async function allowAll(): Promise<Question> {
  const open = await question();
  const rows = open.rows?.map((_row, index) => index) ?? [];
  return answer({ action: 'accept', rows });
}
const lines = ({ result }: Message) => (result as { content: { text: string }[] }).content.map(({ text }) => text);
const statuses = (message: Message) => lines(message).flatMap((line) => /^\d+\. (\w+) /.exec(line)?.[1] ?? []);
/** The calls that the server received, in order. */
const received = () =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"tools/call"'))
    .map((line) => JSON.parse(line).params as { name: string; arguments: object });

it('lists execute_tools, in at most 110 tokens, only for a client that the config names', async () => {
  const listed = async (peer: RawPeer) => {
    const { result } = await peer.request('tools/list');
    return (result as { tools: { name: string; _meta: unknown }[] }).tools.map(({ _meta, ...tool }) => tool);
  };
  const definition = (await listed(agent)).find(({ name }) => name === 'execute_tools');
  expect(encode(JSON.stringify(definition)).length).toBeLessThanOrEqual(110);
  const other = await connect('other');
  expect((await listed(other)).map(({ name }) => name)).toHaveLength(5);
  const refused = await other.request('tools/call', { name: 'execute_tools', arguments: { calls: labels(1) } });
  expect(refused.error?.message).toContain('Unknown tool');
  other.close();
});

it('offers to enable it after five questions about a tool, tells the client, and withdraws it', async () => {
  const other = await connect('other');
  const names = async () => {
    const { result } = await other.request('tools/list');
    return (result as { tools: { name: string }[] }).tools.map(({ name }) => name);
  };
  const offers: (boolean | undefined)[] = [];
  const results: string[] = [];
  for (const one of [...labels(7), call('delete_label', { label: 'bug' })]) {
    const running = other.request('tools/call', { name: 'execute_tool', arguments: one });
    const open = await question();
    offers.push(open.approval?.offersBatch);
    if (open.approval?.offersBatch && open.from.client)
      await ui.call('clients.setBatch', { client: open.from.client, enabled: true });
    await ui.call('questions.answer', { id: open.id, answer: { action: 'accept', scope: 'once' } });
    results.push(lines(await running).join('\n'));
  }
  expect(offers).toEqual([...Array(5).fill(undefined), true, undefined, undefined]);
  await other.until(({ method }) => method === 'notifications/tools/list_changed');
  expect(await names()).toContain('execute_tools');
  expect(agent.received.filter(({ method }) => method === 'notifications/tools/list_changed')).toEqual([]);
  // The result of the call that the user just allowed is the first after the choice.
  expect(results.map((text) => text.includes('execute_tools'))).toEqual([
    ...Array(5).fill(false),
    true,
    ...Array(2).fill(false),
  ]);
  await ui.call('clients.setBatch', { client: 'other', enabled: null });
  expect(await names()).toHaveLength(5);
  other.close();
});

it('asks one question about 37 changes and runs exactly these, in order', async () => {
  const calls = labels(37);
  const running = batch([call('get_issue', { issue: 1 }), ...calls]);
  const { rows, approval, from } = await allowAll();
  expect(approval).toBeUndefined();
  expect(from).toMatchObject({ client: 'bulk' });
  expect(rows?.map((row) => ({ name: row.tool, arguments: row.arguments }))).toEqual(
    calls.map(({ tool, arguments: args }) => ({ name: tool, arguments: args })),
  );
  const done = await running;
  expect(done.result?.isError).toBeUndefined();
  expect(statuses(done)).toEqual(Array(38).fill('ok'));
  expect(received().map(({ name, arguments: args }) => ({ name, arguments: args }))).toEqual([
    { name: 'get_issue', arguments: { issue: 1 } },
    ...calls.map(({ tool, arguments: args }) => ({ name: tool, arguments: args })),
  ]);
  expect(await ui.call('questions.list')).toEqual([]);
});

it('runs only the ticked calls, and records the parent and each call', async () => {
  const running = batch(labels(37));
  await question();
  const ticked = Array.from({ length: 25 }, (_, index) => index + 5);
  await answer({ action: 'accept', rows: ticked });
  const done = statuses(await running);
  expect(done.filter((status) => status === 'denied')).toHaveLength(12);
  expect(received().map(({ arguments: args }) => (args as { issue: number }).issue)).toEqual(
    ticked.map((index) => index + 1),
  );
  const records = await ui.call('history.list', { limit: 200 });
  const calls = records.filter(({ kind }) => kind === 'call');
  expect(calls.filter(({ tool }) => tool === 'add_label')).toHaveLength(25);
  expect(calls.filter(({ tool }) => tool === 'execute_tools')).toHaveLength(1);
  expect(records.filter(({ kind }) => kind === 'approval')).toHaveLength(37);
});

it('keeps three requests of two clients apart', async () => {
  const second = await connect('second');
  const plans = [
    { peer: agent, client: 'bulk', issues: [1, 2], rows: [0, 1], done: ['ok', 'ok'] },
    { peer: agent, client: 'bulk', issues: [3, 4, 5], rows: [1], done: ['denied', 'ok', 'denied'] },
    { peer: second, client: 'second', issues: [6, 7], rows: [], done: [] },
  ];
  const running = plans.map(({ peer, issues }) => {
    const calls = issues.map((issue) => call('add_label', { issue }));
    return peer.request('tools/call', { name: 'execute_tools', arguments: { calls } });
  });
  await expect.poll(async () => (await ui.call('questions.list')).length).toBe(3);
  for (const { id, rows: shown = [], from } of await ui.call('questions.list')) {
    const issues = shown.map((row) => row.arguments.issue);
    const plan = plans.find((one) => one.issues[0] === issues[0]);
    expect({ client: from.client, issues }).toEqual({ client: plan?.client, issues: plan?.issues });
    const rows = plan?.rows ?? [];
    await ui.call('questions.answer', { id, answer: { action: rows.length > 0 ? 'accept' : 'decline', rows } });
  }
  const results = await Promise.all(running);
  expect(results.map(statuses)).toEqual(plans.map(({ done }) => done));
  expect(
    received()
      .map(({ arguments: args }) => (args as { issue: number }).issue)
      .sort(),
  ).toEqual([1, 2, 4]);
  second.close();
});

it('runs nothing after Deny', async () => {
  const running = batch([call('get_issue', { issue: 1 }), ...labels(2)]);
  await answer({ action: 'decline' });
  expect(lines(await running)[0]).toContain('APPROVAL_DENIED');
  expect(received()).toEqual([]);
});

it('names each invalid call, asks nothing, and runs none', async () => {
  await ui.call('tools.setPolicy', { server: 'work', tool: 'delete_label', enabled: false });
  const wrong = [call('add_label', {}), call('add_lable', { issue: 1 }), call('x', {}, 'no'), call('delete_label', {})];
  const [text = ''] = lines(await batch([...labels(2), ...wrong]));
  expect(text).toContain('4 calls of 6 cannot run, so none ran.');
  for (const fault of ['3. work/add_label', '4. work/add_lable', '5. no/x', '6. work/delete_label: TOOL_DISABLED'])
    expect(text).toContain(fault);
  // The disabled tool leads to the question whether to enable it, as in every call.
  expect((await ui.call('questions.list')).map(({ kind }) => kind)).toEqual(['enable-request']);
  expect(received()).toEqual([]);
});

it('refuses a list that is empty, too long or malformed', async () => {
  expect(lines(await batch([]))[0]).toContain('INPUT_INVALID');
  expect(lines(await batch(labels(51)))[0]).toContain('has 51 calls; the limit is 50');
  expect(lines(await batch([{ tool: 'x' }, ...labels(1)]))[0]).toContain('1. ');
});

it('marks dangerous calls, and asks nothing if no call needs approval', async () => {
  const running = batch([call('delete_label', { label: 'bug' }), ...labels(1)]);
  const { rows } = await allowAll();
  expect(rows?.map(({ isDangerous, mustSee }) => [isDangerous, mustSee])).toEqual([
    [true, true],
    [false, expect.any(Boolean)],
  ]);
  await running;
  expect(statuses(await batch([call('get_issue', { issue: 1 }), call('get_issue', { issue: 2 })]))).toEqual([
    'ok',
    'ok',
  ]);
});

it('stops before a call whose tool changed after the question', async () => {
  const running = batch(labels(3));
  const open = await question();
  const changed = tools.map((tool) => ({ ...tool, description: `${tool.description} Also sends it to everyone.` }));
  writeFileSync(toolsFile, JSON.stringify(changed));
  await ui.call('servers.restart', { server: 'work' });
  await ui.call('questions.answer', { id: open.id, answer: { action: 'accept', rows: [0, 1, 2] } });
  await runRest(false);
  expect(statuses(await running)).toEqual(['error', 'not_run', 'not_run']);
  expect(received()).toEqual([]);
});

it('runs the rest of the allowed calls after one that failed, if the user says so', async () => {
  const running = batch([call('fail', {}), ...labels(3)]);
  await answer({ action: 'accept', rows: [0, 1, 3] });
  const { message, labels: buttons } = await runRest(true);
  expect(message).toMatch(/^work\/fail failed \(\w+\)\. 2 more calls of this request can still run\.$/);
  expect(buttons).toEqual({ confirm: 'Run the rest', cancel: 'Stop' });
  expect(statuses(await running)).toEqual(['error', 'ok', 'denied', 'ok']);
  expect(received().map(({ arguments: args }) => (args as { issue?: number }).issue)).toEqual([undefined, 1, 3]);
});

it('runs nothing after a call that failed if nobody can answer', async () => {
  const allowed = agent.request('tools/call', { name: 'execute_tool', arguments: call('fail', {}) });
  await answer({ action: 'accept', scope: 'session', conditions: [], destinations: 'any' });
  await allowed;
  detach();
  expect(statuses(await batch([call('fail', {}), ...labels(2)]))).toEqual(['error', 'not_run', 'not_run']);
});

it('runs only rows of the question that the answer names', async () => {
  const unnamed = batch(labels(2));
  await answer({ action: 'accept' });
  expect(statuses(await unnamed)).toEqual(['denied', 'denied']);
  const running = batch([call('get_issue', { issue: 1 }), ...labels(2)]);
  await answer({ action: 'accept', rows: [1, 1, 2, 99] });
  expect(statuses(await running)).toEqual(['ok', 'denied', 'ok']);
  expect(received()).toMatchObject([{ name: 'get_issue' }, { arguments: { issue: 2 } }]);
});

const mail = (to: string) => call('send_message', { to, text: 'Hello' });

it('asks about a new destination although a saved approval covers the tool, and marks it', async () => {
  const first = agent.request('tools/call', { name: 'execute_tool', arguments: mail('ann@example.com') });
  await answer({ action: 'accept', scope: 'session', conditions: [], destinations: 'these' });
  await first;
  const running = batch([mail('ann@example.com'), mail('ann@examp1e.com'), mail('ann@example.com')]);
  const { rows } = await answer({ action: 'accept', rows: [] });
  expect(rows).toMatchObject([
    {
      arguments: { to: 'ann@examp1e.com' },
      reasons: ['You allowed such calls, but not to each of these destinations.'],
      destinations: { new: [{ kind: 'email', value: 'ann@examp1e.com', resembles: 'ann@example.com' }] },
    },
  ]);
  expect(statuses(await running)).toEqual(['ok', 'denied', 'ok']);
  expect(received().map(({ arguments: args }) => (args as { to: string }).to)).toEqual(
    Array(3).fill('ann@example.com'),
  );
});

it('marks a read whose address may carry data away', async () => {
  const note = 'the-code-of-the-door-is-4711';
  await agent.request('tools/call', { name: 'execute_tool', arguments: call('get_issue', { label: note }) });
  const running = batch([call('fetch_page', { url: `https://new.example/?q=${note}` })]);
  const { rows } = await answer({ action: 'decline' });
  expect(rows).toMatchObject([
    { reasons: ['The address contains text from an earlier result.'], destinations: { new: [{ kind: 'web' }] } },
  ]);
  expect(lines(await running)[0]).toContain('APPROVAL_DENIED');
  expect(received()).toHaveLength(1);
});

it('asks again during the run if a saved approval has ended, and stops if its tool changes meanwhile', async () => {
  const first = agent.request('tools/call', { name: 'execute_tool', arguments: labels(1)[0] });
  await answer({ action: 'accept', scope: 'session', conditions: [], destinations: 'any' });
  await first;
  const running = batch([...labels(1), call('delete_label', { label: 'bug' })]);
  const card = await question();
  expect(card.rows).toMatchObject([{ tool: 'delete_label' }]);
  const [grant] = await ui.call('grants.list');
  await ui.call('grants.revoke', { id: grant?.id ?? '' });
  await ui.call('questions.answer', { id: card.id, answer: { action: 'accept', rows: [0] } });
  await expect.poll(async () => (await ui.call('questions.list'))[0]?.from.tool).toBe('add_label');
  const [single] = await ui.call('questions.list');
  writeFileSync(toolsFile, JSON.stringify(tools.map((tool) => ({ ...tool, description: 'Sends it to everyone.' }))));
  await ui.call('servers.restart', { server: 'work' });
  await ui.call('questions.answer', { id: single?.id ?? '', answer: { action: 'accept', scope: 'once' } });
  await runRest(false);
  const done = await running;
  expect(statuses(done)).toEqual(['error', 'not_run']);
  expect(lines(done)[0]).toContain('TOOL_HELD_BACK');
  expect(received()).toHaveLength(1);
});

it('does not run an allowed call of a tool that the user disabled while the question was open', async () => {
  const running = batch(labels(1));
  const card = await question();
  await ui.call('tools.setPolicy', { server: 'work', tool: 'add_label', enabled: false });
  await ui.call('questions.answer', { id: card.id, answer: { action: 'accept', rows: [0] } });
  expect(lines(await running)[0]).toContain('TOOL_DISABLED');
  expect(received()).toEqual([]);
});

it('is parked as one call, and a repeat or the handle returns the same result', async () => {
  await stop();
  await start('1s');
  for (const isByHandle of [false, true]) {
    const calls = [...labels(2), call('add_label', { issue: isByHandle ? 8 : 9 })];
    const [text = ''] = lines(await batch(calls));
    expect(text).toContain('APPROVAL_PENDING');
    const handle = /toolkeep_handle\W+([\w-]+)/.exec(text)?.[1];
    await allowAll();
    const byHandle = { name: 'execute_tools', arguments: { toolkeep_handle: handle } };
    const repeat = () => (isByHandle ? agent.request('tools/call', byHandle) : batch(calls));
    let repeated = await repeat();
    // The calls may take longer than the client waits. The handle stays the same.
    while (lines(repeated)[0]?.includes('_PENDING')) repeated = await repeat();
    expect(statuses(repeated), lines(repeated).join('\n')).toEqual(['ok', 'ok', 'ok']);
  }
  expect(received()).toHaveLength(6);
  const lost = await agent.request('tools/call', { name: 'execute_tools', arguments: { toolkeep_handle: 'x' } });
  expect(lines(lost)[0]).toContain('CALL_NOT_FOUND');
});
