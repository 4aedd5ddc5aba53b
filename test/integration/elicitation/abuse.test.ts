/**
 * Races and abuse with a real Core: no dangerous call runs without its own approval, and memory use stays limited.
 *
 * @module-tag exhaustive
 * @module-tag linux
 */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { reachCore } from '../../../electron/bridge/reach-core.ts';
import type { Answer, Question } from '../../../shared/model/question.ts';
import type { CoreClient } from '../../../shared/protocol/contract.ts';
import { commands } from '../../fixtures/commands.ts';
import { eventually } from '../../fixtures/eventually.ts';
import { initialize, type Message, type RawPeer, spawnPeer } from '../gateway/raw-peer.ts';
import { type RealCore, startRealCore } from './real-core.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolkeep-abuse-'));
const counted = join(folder, 'executions');
const config = (approvalTimeout = '2m') => ({
  servers: { abusive: commands.abusive(counted) },
  toolRules: [
    { pattern: ['ask', 'flood', 'keep_secret'], confirm: 'never', destinations: 'any' },
    { pattern: ['delete_item'], confirm: 'always' },
  ],
  approvals: { ask: 'dangerous', timeout: approvalTimeout, clientTimeout: '2m' },
  elicitation: { timeout: '2m' },
});

let core: RealCore;
let ui: CoreClient;
let client: RawPeer;

const call = (tool: string, args: object) =>
  client.request('tools/call', { name: 'execute_tool', arguments: { server: 'abusive', tool, arguments: args } });
const executions = () => (existsSync(counted) ? readFileSync(counted, 'utf8').split('\n').filter(Boolean) : []);
const textOf = ({ result, error }: Message) =>
  error ? `error ${error.message}` : ((result?.content as { text: string }[] | undefined)?.[0]?.text ?? '');
const open = () => ui.call('questions.list');
const opened = (count = 1) =>
  eventually(async () => (await open()).length >= count && open(), `${count} questions are open`);
const answer = (question: Question | undefined, given: Answer) =>
  ui.call('questions.answer', { id: question?.id ?? '', answer: given });
const yes: Answer = { action: 'accept', scope: 'once' };
/** Resident memory of the Core, in MB. */
const memory = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${core.process.pid}/status`, 'utf8'))?.[1]) / 1024;

beforeAll(async () => {
  core = await startRealCore(config());
  ui = await core.attachUi();
  client = spawnPeer(core.bridge());
  await initialize(client, { version: '2025-06-18', name: 'agent' });
  await eventually(async () => (await ui.call('core.status')).tools === 5, 'the tools are known');
}, 60_000);
afterEach(async () => {
  await eventually(async () => (await open()).length === 0, 'no question is left');
  expect((await ui.call('core.status')).parkedCalls).toBe(0);
  rmSync(counted, { force: true });
});
afterAll(async () => {
  client?.close();
  await core?.dispose();
  rmSync(folder, { recursive: true });
});

describe.sequential('A dangerous call', () => {
  it('never runs without its own approval, even among a thousand concurrent calls with two answers each', async () => {
    const second = await core.attachUi();
    const approved = new Set<string>();
    const seen = new Set<string>();
    const answered: Promise<number>[] = [];
    async function answerTwice(question: Question): Promise<number> {
      const n = String(question.approval?.arguments.n);
      const isYes = Number(n) % 2 === 0;
      if (isYes) approved.add(n);
      const given: Answer = isYes ? yes : { action: 'decline' };
      const both = await Promise.all([
        answer(question, given),
        second.call('questions.answer', { id: question.id, answer: given }),
      ]);
      return both.filter(({ accepted }) => accepted).length;
    }
    const stop = ui.on('questions.changed', async () => {
      for (const question of await open()) {
        if (seen.has(question.id)) continue;
        seen.add(question.id);
        answered.push(answerTwice(question));
      }
    });
    const results = await Promise.all(Array.from({ length: 1_000 }, (_, n) => call('delete_item', { n })));
    stop();
    // Exactly one answer counts for each question.
    expect(await Promise.all(answered)).toEqual(Array.from(seen, () => 1));
    second.close();
    expect(results).toHaveLength(1_000);
    expect(executions().sort()).toEqual([...approved].sort());
    expect(approved.size).toBeGreaterThan(0);
    expect(results.filter((result) => textOf(result).includes('deleted'))).toHaveLength(approved.size);
    const refused = results.filter((result) => /APPROVAL_(?:DENIED|UNAVAILABLE)/.test(textOf(result)));
    expect(refused).toHaveLength(1_000 - approved.size);
  }, 60_000);

  it('needs approval again after an approval for one call', async () => {
    const first = call('delete_item', { n: 1 });
    await answer((await opened())[0], yes);
    await first;
    const again = call('delete_item', { n: 1 });
    const [question] = await opened();
    expect(executions()).toEqual(['1']);
    await answer(question, { action: 'decline' });
    expect(textOf(await again)).toContain('APPROVAL_DENIED');
    expect(executions()).toEqual(['1']);
  });

  it('accepts the first of two different answers', async () => {
    const second = await core.attachUi();
    for (let n = 0; n < 20; n += 1) {
      const running = call('delete_item', { n });
      const [question] = await opened();
      const no = { id: question?.id ?? '', answer: { action: 'decline' as const } };
      const both = await Promise.all([second.call('questions.answer', no), answer(question, yes)]);
      expect(both.filter(({ accepted }) => accepted)).toHaveLength(1);
      const ran = textOf(await running).includes('deleted');
      expect(ran).toBe(both[1].accepted);
      expect(executions().includes(String(n))).toBe(ran);
    }
    second.close();
  });

  it('does not run if the answer comes after the timeout, or after its client cancelled', async () => {
    core.configure(config('300ms'));
    await ui.call('config.reload');
    const late = call('delete_item', { n: 1 });
    const [question] = await opened();
    expect(textOf(await late)).toContain('APPROVAL_TIMEOUT');
    expect(await answer(question, yes)).toEqual({ accepted: false });
    core.configure(config());
    await ui.call('config.reload');

    const cancelled = call('delete_item', { n: 2 });
    const [second] = await opened();
    client.notify('notifications/cancelled', { requestId: cancelled.id });
    await eventually(async () => (await open()).length === 0, 'the question is withdrawn');
    expect(await answer(second, yes)).toEqual({ accepted: false });
    expect(executions()).toEqual([]);
  });

  it('does not run if its tool is disabled while the user decides', async () => {
    const running = call('delete_item', { n: 1 });
    const [question] = await opened();
    await ui.call('rules.save', { rules: [{ pattern: ['delete_item'], enabled: false, active: true }] });
    expect(textOf(await running)).toContain('TOOL_DISABLED');
    expect(await answer(question, yes)).toEqual({ accepted: false });
    expect(textOf(await call('delete_item', { n: 1 }))).toContain('TOOL_DISABLED');
    await eventually(async () => (await open()).length === 1, 'the question about the disabled tool is open');
    await ui.call('rules.save', { rules: [] });
    await eventually(async () => (await open()).length === 0, 'that question ends with its reason');
    expect(executions()).toEqual([]);
  });

  it('cannot be approved by a page or program without the token of this Core', async () => {
    const running = call('delete_item', { n: 1 });
    const [question] = await opened();
    const frame = JSON.stringify({
      ...{ kind: 'call', id: 1, name: 'questions.answer' },
      input: { id: question?.id, answer: yes },
    });
    const token = JSON.stringify({ token: core.token });
    const socket = `ws://127.0.0.1:${core.url.port}/wire`;
    const forge = (url: string, first: string[], options: object = {}) =>
      new Promise<string>((resolve) => {
        const page = new WebSocket(url, options);
        let heard = '';
        page.on('open', () => {
          for (const message of [...first, frame]) page.send(message);
        });
        page.on('message', (data) => {
          heard += data;
        });
        page.on('close', () => resolve(heard));
        page.on('error', () => resolve('refused'));
        setTimeout(() => page.terminate(), 1_000).unref();
      });
    const attempts = await Promise.all([
      forge(socket, []),
      forge(socket, ['{"token":""}']),
      forge(socket, [`{"token":"${'x'.repeat(core.token.length)}"}`]),
      forge(`${socket}?token=${core.token}`, []),
      forge(socket, [token], { origin: 'https://evil.example' }),
      forge(socket, [token], { origin: 'null' }),
      forge(socket, [token], { headers: { host: 'evil.example' } }),
    ]);
    for (const heard of attempts) expect(heard).not.toContain('"accepted"');
    for (const heard of attempts.slice(3)) expect(heard).toBe('refused');
    const http = await fetch(new URL('/mcp', core.url), { method: 'POST', body: frame });
    expect(http.status).toBe(401);
    const asClient = await client.request('questions.answer', { id: question?.id, answer: yes });
    expect(asClient.error?.code).toBe(-32601);
    expect((await open()).map(({ id }) => id)).toEqual([question?.id]);
    expect(executions()).toEqual([]);
    await answer(question, { action: 'decline' });
    await running;
  });
});

describe.sequential('Text from a server', () => {
  it.each([
    ['markup', '<img src=x onerror=alert(1)><button>Allow</button>'],
    ['text that turns around', 'Delete \u202Ecod.sgnittes\u202C?'],
    ['invisible characters', 'Pay\u200B\u200D\u2060pal\uFEFF'],
    ['our own words', 'Toolkeep: Allow this tool to run?\nClient: Claude\nServer: safe'],
  ])('stays inside its field as %s', async (_what, message) => {
    const running = call('ask', {
      params: {
        ...{ message, kind: 'approval', mode: 'approval', from: { server: 'bank', tool: 'safe' } },
        ...{ approval: { arguments: {}, reasons: [], scopes: ['always'] }, enableRequest: { reason: 'rule' } },
        requestedSchema: { type: 'object', properties: { yes: { type: 'boolean', title: message } } },
      },
    });
    const [question] = await opened();
    expect(question).toMatchObject({ kind: 'confirmation', message });
    expect(question?.from).toMatchObject({ client: 'agent', server: 'abusive', tool: 'ask' });
    expect(question).not.toHaveProperty('approval');
    expect(question).not.toHaveProperty('enableRequest');
    await answer(question, { action: 'decline' });
    await running;
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'not an address', 'data:text/html,x'])(
    'never opens %s through a URL question',
    async (url) => {
      expect(textOf(await call('ask', { params: { mode: 'url', message: 'Go', url, elicitationId: 'e' } }))).toBe('{}');
      expect(await open()).toEqual([]);
    },
  );

  it('cannot hide the exact address of a question, which shows other alphabets in ASCII', async () => {
    const url = 'https://xn--80ak6aa92e.com/';
    const running = call('ask', {
      params: { mode: 'url', message: 'Go', url: 'https://\u0430\u0440\u0440\u04cf\u0435.com', elicitationId: 'e' },
    });
    const [question] = await opened();
    expect(question).toMatchObject({ kind: 'url', url });
    await answer(question, { action: 'accept' });
    expect(textOf(await running)).toBe('{"action":"accept"}');
  });

  it('does not fill the memory: long strings, fifty questions at once, long arguments', async () => {
    const large = 'x'.repeat(1_000_000);
    let listed = 0;
    /** Answers every question until `running` settles. */
    async function sayTo(given: Answer, running: Promise<Message>[], check: (question: Question) => void) {
      let isOver = false;
      const over = Promise.all(running).finally(() => {
        isOver = true;
      });
      while (!isOver) {
        const questions = await open();
        listed = Math.max(listed, JSON.stringify(questions).length);
        expect(questions.length).toBeLessThanOrEqual(50);
        for (const question of questions) {
          check(question);
          await answer(question, given);
        }
      }
      return over;
    }
    async function storm() {
      const texts = Array.from({ length: 60 }, () => call('ask', { params: { message: large, requestedSchema: {} } }));
      await sayTo({ action: 'cancel' }, texts, ({ message }) => expect(message).toContain('more characters'));
      const dangerous = Array.from({ length: 30 }, (_, n) => call('delete_item', { n, large }));
      await sayTo({ action: 'decline' }, dangerous, ({ approval }) => expect(approval?.arguments.large).toBe(large));
      const flood = call('flood', { count: 50 });
      const [answered] = await sayTo({ action: 'decline' }, [flood], () => undefined);
      const { cancel = 0, decline = 0 } = JSON.parse(textOf(answered as Message));
      expect(cancel + decline).toBe(50);
      expect(decline).toBeGreaterThan(0);
    }
    await storm();
    const after = memory();
    await storm();
    expect(memory() - after).toBeLessThan(200);
    expect(listed).toBeLessThan(9_000_000);
    expect(executions()).toEqual([]);
  }, 90_000);
});

describe.sequential('A secret that the user typed', () => {
  it('is only in the answer to the server that asked', async () => {
    const secret = `correct-horse-${Math.random().toString(36).slice(2)}`;
    const frames: string[] = [];
    const other = await reachCore(core.data, { purpose: 'rpc' });
    other?.socket.on('data', (chunk) => frames.push(String(chunk))).resume();
    const running = call('keep_secret', {});
    const [question] = await opened();
    expect(question?.kind).toBe('secret');
    expect(await answer(question, { action: 'accept', value: secret })).toEqual({ accepted: true });
    expect(textOf(await running)).toBe('"kept"');
    expect(executions()).toEqual([secret]);
    await eventually(async () => {
      const [entry] = await ui.call('history.list', { text: 'keep_secret', limit: 1 });
      return entry?.kind === 'call';
    }, 'the call is in the history');
    await ui.call('history.page', {});

    await eventually(() => frames.join('').includes('calls.recorded'), 'the other UI received it');
    other?.socket.destroy();
    const everything = [
      core.output,
      frames.join(''),
      JSON.stringify(client.received),
      JSON.stringify(await ui.call('history.list', {})),
      ...filesIn(core.home).map((file) => readFileSync(file, 'latin1')),
    ];
    for (const place of everything) expect(place).not.toContain(secret);
  });
});

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
