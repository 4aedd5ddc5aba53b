/** A client's session with several Cores: the messages that each Core receives, and one response per request. */
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createFirstAnswers } from '../../../electron/bridge/first-answers.ts';
import { modernKey, readClientLine, readCoreLine } from '../../../electron/bridge/messages.ts';
import { type BridgeSession, createBridgeSession } from '../../../electron/bridge/session.ts';
import { expectMode } from '../../fixtures/expect-mode.ts';

type Json = Record<string, unknown>;
let toClient: Json[];
let toCore: Json[];
let wanted: number;
let session: BridgeSession;
const dataDir = mkdtempSync(join(tmpdir(), 'toolkeep-session-'));
const kept = join(dataDir, 'run/first');
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

beforeEach(() => open());

function open(): void {
  toClient = [];
  toCore = [];
  wanted = 0;
  session = createBridgeSession({
    toClient: (line) => void toClient.push(JSON.parse(String(line))),
    toCore: (line) => void toCore.push(JSON.parse(String(line))),
    onWaiting: () => {
      wanted += 1;
    },
    first: createFirstAnswers(dataDir, {}),
  });
}

const line = (message: unknown) => Buffer.from(JSON.stringify(message));
const client = (message: Json) => session.fromClient(line({ jsonrpc: '2.0', ...message }));
const core = (message: Json) => session.fromCore(line({ jsonrpc: '2.0', ...message }));
const call = (id: number | string, params: Json = { name: 'execute_tool' }) =>
  client({ id, method: 'tools/call', params });
const taken = () => toCore.splice(0);
const seen = () => toClient.splice(0);

/** A client after its handshake. */
function introduced(): void {
  session.connected();
  client({ id: 0, method: 'initialize', params: { clientInfo: { name: 'c' } } });
  core({ id: 0, result: { serverInfo: { version: '1' } } });
  client({ method: 'notifications/initialized' });
  taken();
  seen();
}
/** Answers the handshake that the bridge itself makes with a new Core. */
function acknowledge(result: Json = { serverInfo: { version: '1' } }): void {
  core({ id: toCore.find(({ method }) => method === 'initialize')?.id, result });
}

describe('Before Core is connected', () => {
  it('requests wait, and are then sent in order', () => {
    client({ id: 0, method: 'initialize', params: {} });
    call(1);
    expect(wanted).toBe(2);
    expect(taken()).toEqual([]);
    session.connected();
    expect(taken().map(({ id }) => id)).toEqual([0, 1]);
  });

  it('a waiting request that is cancelled is not sent, and neither is its cancellation', () => {
    call(1);
    call(2);
    client({ method: 'notifications/cancelled', params: { requestId: 1 } });
    session.connected();
    expect(taken().map(({ id, method }) => [id, method])).toEqual([[2, 'tools/call']]);
  });

  it('waiting requests are answered with the reason if no Core can be reached; notifications are not answered', () => {
    call(1);
    client({ method: 'notifications/initialized' });
    expect(session.unreachable({ message: 'None.', code: 'CORE_UNREACHABLE' })).toBe(1);
    expect(seen()).toMatchObject([{ id: 1, error: { message: 'None.', data: { code: 'CORE_UNREACHABLE' } } }]);
    expect(session.isWaiting()).toBe(false);
  });
});

describe('When Core is lost', () => {
  beforeEach(introduced);

  it('a call in flight is answered once with CORE_RESTARTED, and is not sent again', () => {
    call(7);
    taken();
    session.lost();
    const [answer] = seen();
    expect(answer).toMatchObject({ id: 7, result: { isError: true } });
    expect(JSON.stringify(answer)).toContain('CORE_RESTARTED');
    session.connected();
    acknowledge();
    expect(taken().filter(({ method }) => method === 'tools/call')).toEqual([]);
    expect(seen()).toEqual([]);
  });

  it('a call of a modern client gets a complete result', () => {
    call(7, { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } });
    session.lost();
    expect(seen()).toMatchObject([{ id: 7, result: { resultType: 'complete', isError: true } }]);
  });

  it('any other request that may have an effect gets a JSON-RPC error', () => {
    client({ id: 'r', method: 'resources/read', params: { uri: 'x://y' } });
    session.lost();
    expect(seen()).toMatchObject([{ id: 'r', error: { data: { code: 'CORE_RESTARTED' } } }]);
  });

  it('a call that was answered or cancelled is not answered again', () => {
    call(1);
    core({ id: 1, result: {} });
    call(2);
    client({ method: 'notifications/cancelled', params: { requestId: 2 } });
    seen();
    session.lost();
    expect(seen()).toEqual([]);
  });

  it('a list request in flight is sent to the next Core under its own ID', () => {
    client({ id: 5, method: 'tools/list' });
    taken();
    session.lost();
    expect(session.isWaiting()).toBe(true);
    session.connected();
    acknowledge();
    expect(taken().filter(({ id }) => id === 5)).toHaveLength(1);
    core({ id: 5, result: { tools: [] } });
    expect(seen()).toEqual([{ jsonrpc: '2.0', id: 5, result: { tools: [] } }]);
  });

  it('a question to the client is cancelled, and a late answer does not reach the next Core', () => {
    core({ id: 0, method: 'elicitation/create', params: {} });
    session.lost();
    expect(seen().at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 0 } });
    session.connected();
    acknowledge();
    taken();
    core({ id: 0, method: 'elicitation/create', params: {} });
    const [question] = seen();
    expect(question?.id).not.toBe(0);
    client({ id: 0, result: { action: 'accept', content: { forThe: 'first' } } });
    expect(taken()).toEqual([]);
    client({ id: question?.id, result: { action: 'decline' } });
    expect(taken()).toEqual([{ jsonrpc: '2.0', id: 0, result: { action: 'decline' } }]);
  });
});

describe('The next Core', () => {
  beforeEach(introduced);

  it('receives the handshake, log level and subscriptions before waiting requests, unseen by the client', () => {
    client({ id: 1, method: 'logging/setLevel', params: { level: 'debug' } });
    for (const [id, uri] of [
      [2, 'a://1'],
      [3, 'a://2'],
    ] as const)
      client({ id, method: 'resources/subscribe', params: { uri } });
    client({ id: 4, method: 'resources/unsubscribe', params: { uri: 'a://2' } });
    for (const id of [1, 2, 3, 4]) core({ id, result: {} });
    taken();
    seen();
    session.lost();
    call(9);
    session.connected();
    expect(taken()).toMatchObject([{ method: 'initialize', params: { clientInfo: { name: 'c' } } }]);
    core({ id: 'toolkeep-bridge-1', result: { serverInfo: { version: '1' } } });
    const told = taken();
    expect(told.map(({ method }) => method)).toEqual([
      'notifications/initialized',
      'logging/setLevel',
      'resources/subscribe',
      'tools/call',
    ]);
    expect(told[2]?.params).toEqual({ uri: 'a://1' });
    for (const { id } of told.filter(({ id }) => String(id).startsWith('toolkeep-'))) core({ id, result: {} });
    expect(seen()).toEqual([]);
  });

  it('makes the client list again if its initialize result differs', () => {
    session.lost();
    session.connected();
    acknowledge({ serverInfo: { version: '2' } });
    expect(seen().map(({ method }) => method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
    ]);
  });

  it('can be lost during the handshake without losing waiting requests', () => {
    session.lost();
    call(9);
    session.connected();
    session.lost();
    taken();
    session.connected();
    acknowledge();
    expect(taken().filter(({ id }) => id === 9)).toHaveLength(1);
  });
});

describe('The ID of a response', () => {
  it.each([
    ['before its result', '{"jsonrpc":"2.0","id":12,"result":{"id":3}}', 12],
    ['after its result', '{"result":{"a":{"id":3}},"jsonrpc":"2.0","id":"x"}', 'x'],
    ['after a result that ends like a message', '{"result":{"text":",\\"id\\":3}"},"jsonrpc":"2.0","id":4}', 4],
    ['in an unusual place', '{"id":"ü","jsonrpc":"2.0","error":{"code":1,"message":"m","data":{"id":3}}}', 'ü'],
  ])('is found %s', (_where, text, id) => {
    expect(readCoreLine(Buffer.from(text))).toEqual({ kind: 'response', id });
  });

  it('is not read from a request or a notification', () => {
    expect(readCoreLine(Buffer.from('{"method":"m","params":{},"jsonrpc":"2.0","id":1}')).kind).toBe('message');
    expect(readCoreLine(Buffer.from('{"jsonrpc":"2.0","method":"m","params":{"id":1}}')).kind).toBe('message');
  });
});

describe('The ID of a long call', () => {
  const params = (extra: Json = {}) =>
    JSON.stringify({ name: 'n', arguments: { text: 'x'.repeat(20_000), id: 3 }, ...extra });

  it.each([
    ['before its method', `{"jsonrpc":"2.0","id":12,"method":"tools/call","params":${params()}}`, 12],
    ['after its params', `{"method":"tools/call","params":${params()},"jsonrpc":"2.0","id":"x"}`, 'x'],
    ['in an unusual place', `{"method":"tools/call","id":"ü","params":${params()}}`, 'ü'],
  ])('is found %s', (_where, text, id) => {
    expect(readClientLine(Buffer.from(text))).toMatchObject([{ id, method: 'tools/call' }]);
  });

  it('is not read from the params of a call without an ID', () => {
    const text = `{"jsonrpc":"2.0","method":"tools/call","params":${params({ id: 3 })}}`;
    expect(readClientLine(Buffer.from(text))[0]?.id).toBeUndefined();
  });

  it('is found without hiding that the call is modern', () => {
    const modern = params({ _meta: { [modernKey]: '2026-07-28' } });
    const text = `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":${modern}}`;
    expect(readClientLine(Buffer.from(text))[0]?.params?._meta).toBeDefined();
  });
});

describe('While the first Core starts', () => {
  const params = { clientInfo: { name: 'first' } };
  const initialize = { serverInfo: { version: '1' }, instructions: 'Search first.' };
  const tools = { tools: [{ name: 'search_tools' }] };

  /** A client that a Core has answered once. */
  function earlier(list: Json = tools): void {
    rmSync(kept, { recursive: true, force: true });
    session.connected();
    client({ id: 0, method: 'initialize', params });
    core({ result: initialize, id: 0 });
    client({ id: 1, method: 'tools/list' });
    core({ result: list, id: 1 });
    open();
  }

  function begin(): void {
    session.starting();
    client({ id: 7, method: 'initialize', params });
    client({ method: 'notifications/initialized' });
    client({ id: 8, method: 'tools/list', params: {} });
  }
  const answers = [
    { jsonrpc: '2.0', id: 7, result: initialize },
    { jsonrpc: '2.0', id: 8, result: tools },
  ];

  it('the client gets the last answers at once, and the Core the same session and the calls that waited', () => {
    earlier();
    begin();
    expect(seen()).toEqual(answers);
    call(9);
    session.connected();
    acknowledge(initialize);
    expect(taken().map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'tools/list',
    ]);
  });

  it('requests that came before the search for a Core had ended are answered, too', () => {
    earlier();
    client({ id: 7, method: 'initialize', params });
    client({ id: 8, method: 'tools/list' });
    expect(seen()).toEqual([]);
    session.starting();
    expect(seen()).toEqual(answers);
    expect(session.isWaiting()).toBe(false);
  });

  it.each([
    ['the same tools', tools, []],
    ['other tools', { tools: [{ name: 'other' }] }, ['notifications/tools/list_changed']],
  ])('a Core with %s', (_, now, expected) => {
    earlier();
    begin();
    seen();
    session.connected();
    acknowledge(initialize);
    core({ id: toCore.find(({ method }) => method === 'tools/list')?.id, result: now });
    expect(seen().map(({ method }) => method)).toEqual(expected);
    open();
    begin();
    expect(seen().at(-1)).toMatchObject({ result: now });
  });

  it.each(['last-good-settings.json', 'config.ts'])(
    'a change of %s since, another client, mode or profile: nothing is repeated',
    (name) => {
      const nothing = () => {
        begin();
        expect(seen()).toEqual([]);
        open();
      };
      earlier();
      writeFileSync(join(dataDir, name), '');
      nothing();
      const past = new Date(0);
      utimesSync(join(dataDir, name), past, past);
      session.starting();
      client({ id: 7, method: 'initialize', params: { clientInfo: { name: 'another' } } });
      expect(seen()).toEqual([]);
      for (const request of [
        { mode: 'full' as const },
        { profile: 'careful' },
        { server: 'notes' },
        { readTool: true },
      ])
        expect(createFirstAnswers(dataDir, request).resultFor({ method: 'initialize', params })).toBeUndefined();
      open();
      begin();
      expect(seen()).toEqual(answers);
    },
  );

  it('a Core that says that the tools have changed: the list of before is not repeated', () => {
    earlier();
    session.connected();
    client({ id: 0, method: 'initialize', params });
    core({ result: initialize, id: 0 });
    core({ method: 'notifications/tools/list_changed' });
    const asked = toCore.find(({ method }) => method === 'tools/list')?.id;
    const before = session;
    open();
    begin();
    expect(seen()).toEqual([]);
    const now = { tools: [{ name: 'new' }] };
    before.fromCore(line({ jsonrpc: '2.0', id: asked, result: now }));
    open();
    begin();
    expect(seen().at(-1)).toMatchObject({ result: now });
  });

  it('an incomplete list is not kept, and only the user can read the file', () => {
    earlier({ ...tools, nextCursor: '2' });
    begin();
    expect(seen()).toEqual([]);
    open();
    earlier();
    for (const name of readdirSync(kept)) expectMode(join(kept, name), 0o600);
  });
});
