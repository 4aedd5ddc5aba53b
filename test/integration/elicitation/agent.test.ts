/** An agent that needs a disabled tool, waits for a slow user, or has no user to ask; with a real Core. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Question } from '../../../shared/model/question.ts';
import { outcomeLabel } from '../../../shared/outcome-label.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { initialize, type Message, type RawPeer, spawnPeer } from '../gateway/raw-peer.ts';
import { type RealCore, startRealCore } from './real-core.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolkeep-agent-'));
const counted = join(folder, 'executions');
let core: RealCore;
let ui: CoreClient;
let agent: RawPeer;

const config = (clientTimeout: string) => ({
  servers: { abusive: commands.abusive(counted) },
  toolRules: [
    { pattern: ['ask', 'open_account'], confirm: 'never', destinations: 'any' },
    { pattern: ['delete_item'], confirm: 'always' },
  ],
  approvals: { timeout: '1m', clientTimeout },
});
const meta = (name: string, args: object, more: object = {}) =>
  agent.request('tools/call', { name, arguments: args, ...more });
const execute = (args: object, more: object = {}, tool = 'delete_item') =>
  meta('execute_tool', { server: 'abusive', tool, arguments: args }, more);
const textOf = ({ result }: Message) =>
  ((result?.content ?? []) as { text: string }[]).map(({ text }) => text).join('\n');
const question = (kind: Question['kind']) =>
  eventually(
    async () => (await ui.call('questions.list')).find((entry) => entry.kind === kind),
    `a question of kind ${kind}`,
  );
const answer = ({ id }: Question, given: Parameters<typeof ui.call<'questions.answer'>>[1]['answer']) =>
  ui.call('questions.answer', { id, answer: given });
const executions = () => (existsSync(counted) ? readFileSync(counted, 'utf8').split('\n').filter(Boolean) : []);
const rule = (enabled: boolean) => ({ pattern: ['delete_item'], enabled, active: true });

beforeAll(async () => {
  core = await startRealCore(config('1m'));
  ui = await core.attachUi();
  agent = spawnPeer(core.bridge());
  await initialize(agent, { version: '2025-06-18', name: 'agent' });
  await eventually(async () => (await ui.call('core.status')).tools === 5, 'the tools are known');
}, 60_000);
afterAll(async () => {
  agent?.close();
  await core?.dispose();
  rmSync(folder, { recursive: true });
});

describe.sequential('An agent that needs a disabled tool', () => {
  it('finds the tool in a search, and the user can enable it from the prompt', async () => {
    await ui.call('rules.save', { rules: [rule(false)] });
    expect(textOf(await meta('search_tools', { query: 'delete item' }))).toContain('Disabled: abusive/delete_item.');
    const request = await question('enable-request');
    expect(request).toMatchObject({
      from: { client: 'agent', server: 'abusive', tool: 'delete_item' },
      enableRequest: { reason: 'rule' },
    });
    expect(textOf(await execute({ n: 1 }))).toContain('The user is being asked to enable it');
    expect(await ui.call('questions.list')).toHaveLength(1);
    await answer(request, { action: 'accept' });
    await eventually(
      async () => (await ui.call('tools.details', { server: 'abusive', tool: 'delete_item' })).enabled,
      'on',
    );

    const running = execute({ n: 1 });
    await answer(await question('approval'), { action: 'accept', scope: 'once' });
    expect(textOf(await running)).toContain('deleted');
    expect(executions()).toEqual(['1']);
  });

  it('cannot repeat the request after the user declined it', async () => {
    // The accepted request became an override, which takes precedence over the rule.
    expect(await ui.call('rules.overrides')).toEqual([{ server: 'abusive', tool: 'delete_item', enabled: true }]);
    await ui.call('tools.setPolicy', { server: 'abusive', tool: 'delete_item', enabled: null });
    expect(await ui.call('rules.overrides')).toEqual([]);
    await ui.call('rules.save', { rules: [rule(false)] });
    await execute({ n: 2 });
    await answer(await question('enable-request'), { action: 'decline' });
    const told = async () => textOf(await execute({ n: 2 }));
    await eventually(async () => (await told()).includes('keeps it disabled'), 'the agent hears of the no');
    expect(await ui.call('questions.list')).toEqual([]);
    await ui.call('rules.save', { rules: [] });
  });

  it('can request a whole server if the server is disabled', async () => {
    await ui.call('servers.setEnabled', { server: 'abusive', enabled: false });
    expect(textOf(await execute({ n: 3 }))).toContain('SERVER_DISABLED');
    const request = await question('enable-request');
    expect(request.enableRequest?.reason).toBe('server');
    await answer(request, { action: 'accept' });
    await eventually(async () => (await ui.call('servers.list'))[0]?.status === 'ready', 'the server runs');
  });

  it('causes no question, or only a notification, if the settings say so', async () => {
    const notices: unknown[] = [];
    const stop = ui.on('tools.enableRequested', (notice) => notices.push(notice));
    await ui.call('rules.save', { rules: [rule(false)] });
    await ui.call('settings.save', { enableRequests: 'never' });
    expect(textOf(await meta('search_tools', { query: 'delete item' }))).not.toContain('Off:');
    await ui.call('settings.save', { enableRequests: 'notify' });
    // The earlier refusal applies for an hour, but only to the same reason.
    await ui.call('servers.setEnabled', { server: 'abusive', enabled: false });
    await execute({ n: 4 });
    await eventually(() => notices.length > 0, 'a notice');
    expect(notices).toEqual([{ client: 'agent', server: 'abusive', tool: 'delete_item', reason: 'server' }]);
    expect(await ui.call('questions.list')).toEqual([]);
    stop();
    await ui.call('servers.setEnabled', { server: 'abusive', enabled: true });
    await ui.call('rules.save', { rules: [] });
  });
});

describe.sequential('A question that stays open longer than the client waits', () => {
  it('gives the client a handle in time, and the tool never runs twice', async () => {
    core.configure(config('700ms'));
    await ui.call('config.reload');
    rmSync(counted);
    const first = await execute({ n: 7 }, { _meta: { progressToken: 'p' } });
    expect(textOf(first)).toContain('APPROVAL_PENDING');
    const handle = /toolkeep_handle[\\": ]+([\w-]+)/.exec(textOf(first))?.[1];
    const pending = await question('approval');
    for (const more of [{}, { toolkeep_cancel: true }])
      expect(textOf(await execute({ toolkeep_handle: handle, ...more }, {}, 'ask'))).toContain('CALL_NOT_FOUND');
    const again = await execute({ toolkeep_handle: handle });
    expect(textOf(again)).toContain('APPROVAL_PENDING');
    expect(await ui.call('questions.list')).toMatchObject([{ id: pending.id }]);
    await answer(pending, { action: 'accept', scope: 'once' });
    await eventually(() => executions().length === 1, 'the tool ran while its client was away');
    expect(textOf(await execute({ n: 7 }))).toContain('deleted');
    expect(executions()).toEqual(['7']);
    expect(textOf(await execute({ toolkeep_handle: handle }))).toContain('This call did not run the tool.');
    expect((await ui.call('core.status')).parkedCalls).toBe(0);
  });
});

describe.sequential('A client that can ask questions', () => {
  it('asks in addition to Toolkeep if the user chose both, and the first answer counts', async () => {
    await ui.call('clients.setRouting', { client: 'agent', routing: 'both' });
    const able = spawnPeer(core.bridge());
    const decision = Promise.withResolvers<Record<string, unknown>>();
    able.onRequest = () => decision.promise;
    await initialize(able, { version: '2025-06-18', name: 'agent', capabilities: { elicitation: {} } });
    await eventually(
      async () =>
        (await ui.call('core.status')).clients.some(({ canAnswer, routing }) => canAnswer && routing === 'both'),
      'the client is shown as one that can answer, with its routing',
    );
    const params = { message: 'Sure?', requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } } };
    const running = able.request('tools/call', {
      name: 'execute_tool',
      arguments: { server: 'abusive', tool: 'ask', arguments: { params } },
    });
    const atFace = await question('confirmation');
    // If a client only closes its dialog, the user can still decide in Toolkeep.
    decision.resolve({ action: 'cancel' });
    await answer(atFace, { action: 'accept', value: true });
    expect(JSON.parse(textOf(await running))).toEqual({ action: 'accept', content: { yes: true } });
    able.close();
    await ui.call('clients.setRouting', { client: 'agent', routing: null });
  });

  it("receives no question that may belong to another client's call", async () => {
    await ui.call('clients.setRouting', { client: 'able', routing: 'client' });
    const able = spawnPeer(core.bridge());
    const asked: Message[] = [];
    able.onRequest = async (message) => {
      asked.push(message);
      return { action: 'accept', content: { yes: false } };
    };
    await initialize(able, { version: '2025-06-18', name: 'able', capabilities: { elicitation: {} } });
    const params = { message: 'Mine?', requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } } };
    const mine = execute({ params }, {}, 'ask');
    const first = await question('confirmation');
    expect(first.from).toMatchObject({ client: 'agent', tool: 'ask' });
    const theirs = able.request('tools/call', {
      name: 'execute_tool',
      arguments: { server: 'abusive', tool: 'ask', arguments: { params } },
    });
    const second = await eventually(
      async () => (await ui.call('questions.list')).find(({ id }) => id !== first.id),
      'the second question reaches the user',
    );
    // Both calls are to the same tool, so the client of the question is unknown.
    expect(second.from).toEqual({ server: 'abusive', tool: 'ask' });
    expect(asked).toEqual([]);
    await answer(second, { action: 'decline' });
    await answer(first, { action: 'accept', value: true });
    expect([textOf(await mine), textOf(await theirs)].sort()).toEqual(
      [JSON.stringify({ action: 'accept', content: { yes: true } }), '{"action":"decline"}'].sort(),
    );
    able.close();
  });
});

describe.sequential('A tool that requires a visit to a web page', () => {
  it('continues after the user visited the page, for a client without URL elicitation', async () => {
    core.configure(config('1m'));
    await ui.call('config.reload');
    const running = execute({}, {}, 'open_account');
    const page = await question('url');
    expect(page).toMatchObject({ url: 'https://example.com/in', message: 'Sign in', from: { tool: 'open_account' } });
    await answer(page, { action: 'accept' });
    expect(textOf(await running)).toContain('opened');
    expect(await ui.call('questions.list')).toEqual([]);
  });
});

describe.sequential('A question that no user can answer', () => {
  it("is cancelled at once, and the agent sees that this is not the user's decision", async () => {
    ui.close();
    const params = { message: 'Sure?', requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } } };
    const { result } = await execute({ params }, {}, 'ask');
    const [own, note] = (result?.content ?? []) as { text: string }[];
    expect(own?.text).toBe('{"action":"cancel"}');
    expect(note?.text).toContain('No user saw it');
    expect(textOf(await execute({ n: 9 }))).toContain('APPROVAL_UNAVAILABLE');
    expect(executions()).toEqual(['7']);
    ui = await core.attachUi();
  });
});

describe.sequential('The history', () => {
  it('has every question, its outcome and every enabled tool, but no typed answer', async () => {
    const { records } = await ui.call('history.page', {});
    const outcomes = new Set(records.map((record) => outcomeLabel(record)));
    for (const outcome of [
      'Requested while unavailable: enabled',
      'Requested while unavailable: declined',
      'Requested while unavailable',
      'Allowed once',
      'Answered (confirmation)',
      'Declined (confirmation)',
      'Could not ask the user',
    ])
      expect(outcomes).toContain(outcome);
  });

  it('gives each record its own ID, and a call and its questions the same call ID', async () => {
    const { records } = await ui.call('history.page', {});
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    const allowed = records.find(({ kind, outcome }) => kind === 'approval' && outcome === 'allowed');
    const call = records.find(({ kind, callId }) => kind === 'call' && callId === allowed?.callId);
    expect(call).toMatchObject({ tool: allowed?.tool });
  });
});
