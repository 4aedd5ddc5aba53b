/** Clients of MCP 2026-07-28 that subscribe to the states of their tasks, over a real bridge and over HTTP. */
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { readCoreFile } from '../../electron/bridge/reach-core.ts';
import { eventsOf } from '../integration/gateway/http-peer.ts';
import { type Message, spawnPeer } from '../integration/gateway/raw-peer.ts';
import { firstText } from './client-session.ts';
import { trialProduct } from './trial-product.ts';

type Json = Record<string, unknown>;

/** One client, with every message that it receives. */
interface Peer {
  received: Message[];
  request(method: string, params: Json): Promise<Message>;
  /** Subscribes; the messages arrive in `received`. Returns a function that ends the subscription. */
  listen(id: number, notifications: Json): () => void;
}

const { product, logged } = await trialProduct();
const closing: (() => unknown)[] = [];

afterAll(async () => {
  for (const close of closing) close();
  await product.dispose();
});

const withEnvelope = (name: string, params: Json, extensions: Json = { 'io.modelcontextprotocol/tasks': {} }) => ({
  ...params,
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name, version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { extensions, elicitation: { form: {} } },
  },
});

function overBridge(name: string, extensions?: Json): Peer {
  const peer = spawnPeer(product.bridge());
  closing.push(() => peer.close());
  return {
    received: peer.received,
    request: (method, params) => peer.request(method, withEnvelope(name, params, extensions)),
    listen(id, notifications) {
      peer.send({ id, method: 'subscriptions/listen', params: withEnvelope(name, { notifications }, extensions) });
      return () => peer.notify('notifications/cancelled', { requestId: id });
    },
  };
}

const { stdout } = await product.cli('token', 'create', 'listener', '--json');
const url = `${readCoreFile(join(product.home, '.toolkeep'))?.httpUrl}/mcp`;

function overHttp(name: string, extensions?: Json): Peer {
  const received: Message[] = [];
  let lastId = 0;
  const post = (id: number, method: string, params: Json, signal?: AbortSignal) =>
    fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${JSON.parse(stdout).token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': String(params.name ?? params.taskId ?? ''),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: withEnvelope(name, params, extensions) }),
      ...(signal && { signal }),
    });
  const messagesIn = (text: string, isStream: boolean) => (isStream ? eventsOf(text) : [JSON.parse(text)]) as Message[];
  const isStream = (answer: Response) => answer.headers.get('content-type') === 'text/event-stream';
  return {
    received,
    async request(method, params) {
      lastId += 1;
      const answer = await post(lastId, method, params);
      return messagesIn(await answer.text(), isStream(answer)).at(-1) as Message;
    },
    listen(id, notifications) {
      const controller = new AbortController();
      closing.push(() => controller.abort());
      const read = async () => {
        const answer = await post(id, 'subscriptions/listen', { notifications }, controller.signal);
        for await (const chunk of answer.body ?? [])
          received.push(...messagesIn(Buffer.from(chunk).toString(), isStream(answer)));
      };
      read().catch(() => undefined);
      return () => controller.abort();
    },
  };
}

const execute = (tool: string, args: Json) => ({
  name: 'execute_tool',
  arguments: { server: 'trial', tool, arguments: args },
});

const startTask = async (peer: Peer, tool: string, args: Json) =>
  String((await peer.request('tools/call', execute(tool, args))).result?.taskId);

/** Slow machines need more than the default of one second. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000 });

const acknowledgements = ({ received }: Peer) =>
  received.filter(({ method }) => method === 'notifications/subscriptions/acknowledged').map(({ params }) => params);

const states = ({ received }: Peer) =>
  received.filter(({ method }) => method === 'notifications/tasks').map(({ params }) => params as Json);

describe.each([
  ['a bridge', overBridge],
  ['HTTP', overHttp],
])('A client of 2026-07-28 over %s', (over, connect) => {
  it('receives each new state of a task, as tasks/get returns it, with its questions and its result', async () => {
    const peer = connect(`follows ${over}`);
    const taskId = await startTask(peer, 'slow_ask', { ms: 900 });
    peer.listen(71, { taskIds: [taskId] });
    await eventually(() => expect(states(peer)).toMatchObject([{ taskId, status: 'input_required' }]));
    const [asked] = states(peer);
    const subscription = { _meta: { 'io.modelcontextprotocol/subscriptionId': 71 } };
    expect(acknowledgements(peer)).toEqual([{ notifications: { taskIds: [taskId] }, ...subscription }]);
    const key = Object.keys(asked?.inputRequests as Json)[0] ?? '';
    const inputResponses = { [key]: { action: 'accept', content: { color: 'red' } } };
    await peer.request('tasks/update', { taskId, inputResponses });
    await eventually(() => expect(states(peer).at(-1)).toMatchObject({ status: 'completed' }));
    const { _meta, ...last } = states(peer).at(-1) as Json;
    expect(_meta).toEqual(subscription._meta);
    expect(firstText(last.result as Json)).toContain('red');
    expect((await peer.request('tasks/get', { taskId })).result).toMatchObject(last);
  });

  it('learns at once that a task has already ended', async () => {
    const peer = connect(`late ${over}`);
    const taskId = await startTask(peer, 'endless', { who: `late ${over}` });
    await peer.request('tasks/cancel', { taskId });
    peer.listen(72, { taskIds: [taskId] });
    await eventually(() => expect(states(peer)).toMatchObject([{ taskId, status: 'cancelled' }]));
  });

  it('receives nothing after it has ended the subscription', async () => {
    const peer = connect(`ends ${over}`);
    const [first, second] = [await startTask(peer, 'endless', {}), await startTask(peer, 'endless', {})];
    const end = peer.listen(73, { taskIds: [first, second] });
    await eventually(() => expect(acknowledgements(peer)).toHaveLength(1));
    await peer.request('tasks/cancel', { taskId: first });
    await eventually(() => expect(states(peer)).toMatchObject([{ taskId: first, status: 'cancelled' }]));
    end();
    peer.listen(74, { taskIds: [second] });
    await eventually(() => expect(acknowledgements(peer)).toHaveLength(2));
    await peer.request('tasks/cancel', { taskId: second });
    await eventually(() => expect(states(peer)).toHaveLength(2));
    expect(states(peer)[1]?._meta).toEqual({ 'io.modelcontextprotocol/subscriptionId': 74 });
  });

  it('subscribes to lists and resources in addition, which the acknowledgement shows as requested', async () => {
    const peer = connect(`more ${over}`);
    const taskId = await startTask(peer, 'endless', {});
    const filter = { toolsListChanged: true, resourceSubscriptions: ['book://1'] };
    peer.listen(75, { ...filter, taskIds: [taskId] });
    await eventually(() =>
      expect(acknowledgements(peer)).toMatchObject([{ notifications: { ...filter, taskIds: [taskId] } }]),
    );
    await peer.request('tasks/cancel', { taskId });
    await eventually(() => expect(states(peer)).toMatchObject([{ status: 'cancelled' }]));
  });

  it("cannot follow another client's task", async () => {
    const [owner, other] = [connect(`owner ${over}`), connect(`other ${over}`)];
    const taskId = await startTask(owner, 'endless', { who: `owned ${over}` });
    other.listen(76, { toolsListChanged: true, taskIds: [taskId, 'made-up'] });
    await eventually(() => expect(acknowledgements(other)).toHaveLength(1));
    expect(acknowledgements(other)[0]?.notifications).toEqual({ toolsListChanged: true });
    owner.listen(77, { taskIds: [taskId] });
    await eventually(() => expect(acknowledgements(owner)).toHaveLength(1));
    await owner.request('tasks/cancel', { taskId });
    await eventually(() => expect(states(owner)).toHaveLength(1));
    await eventually(() => expect(logged(`cancelled owned ${over}`)).toBe(1));
    expect(states(other)).toEqual([]);
  });

  it('without the tasks extension gets an error that names it', async () => {
    const peer = connect(`plain ${over}`, {});
    peer.listen(78, { toolsListChanged: true, taskIds: ['x'] });
    await eventually(() => expect(peer.received).toHaveLength(1));
    expect(peer.received[0]).toMatchObject({
      id: 78,
      error: { code: -32021, data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } } },
    });
  });
});
