/**
 * Clients with tasks, over real bridges and over HTTP: long calls as tasks in both eras, and tasks of others.
 *
 * @module-tag exhaustive
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { readCoreFile } from '../../electron/bridge/reach-core.ts';
import { type ClientSession, clientSession, firstText } from './client-session.ts';
import { trialProduct } from './trial-product.ts';

type Json = Record<string, unknown>;

const { product, logged } = await trialProduct();
const closing: (() => unknown)[] = [];

afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  await product.dispose();
});

const execute = (tool: string, args: Json) => ({
  name: 'execute_tool',
  arguments: { server: 'trial', tool, arguments: args },
});

/** A client of MCP 2026-07-28 with the tasks extension, unless `extensions` says otherwise. */
async function modern(name: string, extensions: Json = { 'io.modelcontextprotocol/tasks': {} }) {
  const about = { id: name, name, version: '1', protocol: '2026-07-28', prefix: '', maxName: 64 } as const;
  const capabilities = { extensions, elicitation: { form: {} } };
  const session = await clientSession(product, { ...about, capabilities }, { folder: product.home });
  closing.push(session.close);
  return session;
}

const get = async (session: ClientSession, taskId: unknown) => {
  const { result, error } = await session.request('tasks/get', { taskId });
  return result ?? (error as unknown as Json);
};

async function untilStatus(session: ClientSession, taskId: unknown, status: string): Promise<Json> {
  return vi.waitFor(
    async () => {
      const task = await get(session, taskId);
      expect(task.status).toBe(status);
      return task;
    },
    { timeout: 30_000 },
  );
}

/** A client of MCP 2025-11-25 with the official SDK. */
async function legacy(over: 'stdio' | 'http' = 'stdio', capabilities: Json = { tasks: {}, elicitation: {} }) {
  const client = new Client({ name: `legacy-${over}`, version: '1' }, { capabilities });
  if (capabilities.elicitation)
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { color: 'green' } }));
  if (over === 'stdio') await client.connect(new StdioClientTransport(product.bridge()) as never);
  else {
    const { stdout } = await product.cli('token', 'create', `legacy-${closing.length}`, '--json');
    const { token } = JSON.parse(stdout);
    const url = new URL(`${readCoreFile(join(product.home, '.toolkeep'))?.httpUrl}/mcp`);
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as never);
  }
  closing.push(() => client.close());
  return client;
}

async function begin(client: Client, tool: string, args: Json): Promise<string> {
  const params = { ...execute(tool, args), task: { ttl: 60_000 } };
  return (await client.request({ method: 'tools/call', params }, CreateTaskResultSchema)).task.taskId;
}

// First, because a server with several calls in progress gets the folders of none.
it('The folders of a client of 2025-11-25 reach the server of its task, which meanwhile needs no input', async () => {
  const client = await legacy('stdio', { tasks: {}, roots: {} });
  const uri = pathToFileURL(product.home).href;
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri }] }));
  const told: string[] = [];
  client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => void told.push(params.status));
  const taskId = await begin(client, 'folders', {});
  await vi.waitFor(() => expect(told).toEqual(['completed']), { timeout: 30_000 });
  const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
  expect(firstText(result as Json)).toContain(uri);
});

describe('A client of 2026-07-28 with the tasks extension', () => {
  it('finds the extension in the capabilities of Toolkeep', async () => {
    const { result } = await (await modern('discovers')).request('server/discover', {});
    expect(result?.capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
    expect(result?.capabilities).not.toHaveProperty('tasks');
  });

  it('gets the result of a quick call, and a task for a slow one, which runs once', async () => {
    const session = await modern('slow-modern');
    expect(firstText((await session.request('tools/call', execute('picture', {}))).result)).toBe('');
    const { result } = await session.request('tools/call', execute('slow', { ms: 1_500, who: 'slow-modern' }));
    expect(result).toMatchObject({
      resultType: 'task',
      status: 'working',
      ttlMs: expect.any(Number),
      pollIntervalMs: 1_000,
    });
    const working = await get(session, result?.taskId);
    expect(working).toMatchObject({ resultType: 'complete', taskId: result?.taskId, status: 'working' });
    expect(working).not.toHaveProperty('result');
    const done = await untilStatus(session, result?.taskId, 'completed');
    expect(firstText(done.result as Json)).toBe('slow is done');
    expect(await get(session, result?.taskId)).toEqual(done);
    expect(logged('slow slow-modern')).toBe(1);
  });

  it('answers the questions of a task', async () => {
    const session = await modern('asked');
    const { result } = await session.request('tools/call', execute('slow_ask', { ms: 900 }));
    const { inputRequests } = await untilStatus(session, result?.taskId, 'input_required');
    const [[key = '', question] = []] = Object.entries(inputRequests as Record<string, Json>);
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Which color?' } });
    const wrong = { taskId: result?.taskId, inputResponses: { unknown: { action: 'decline' } } };
    expect((await session.request('tasks/update', wrong)).result).toMatchObject({ resultType: 'complete' });
    expect(await get(session, result?.taskId)).toMatchObject({ status: 'input_required' });
    const inputResponses = { [key]: { action: 'accept', content: { color: 'red' } } };
    await session.request('tasks/update', { taskId: result?.taskId, inputResponses });
    const done = await untilStatus(session, result?.taskId, 'completed');
    expect(firstText(done.result as Json)).toContain('red');
  });

  it('answers a question before its call becomes a task, in the same call', async () => {
    const session = await modern('asked-first');
    const { result } = await session.request('tools/call', execute('ask', {}));
    expect(firstText(result)).toContain('from asked-first');
  });

  it('cancels a task, also on the server', async () => {
    const session = await modern('cancels');
    const { result } = await session.request('tools/call', execute('endless', { who: 'cancels' }));
    const reply = await session.request('tasks/cancel', { taskId: result?.taskId });
    expect(reply.result).toMatchObject({ resultType: 'complete' });
    await vi.waitFor(() => expect(logged('cancelled cancels')).toBe(1));
    expect(await get(session, result?.taskId)).toMatchObject({ status: 'cancelled' });
  });

  it('has no methods of older tasks', async () => {
    const session = await modern('modern-only');
    for (const method of ['tasks/list', 'tasks/result'])
      expect((await session.request(method, { taskId: 'x' })).error?.code).toBe(-32601);
  });
});

describe('A client of 2026-07-28 without the tasks extension', () => {
  it('gets no task, and an error for the methods of tasks', async () => {
    const session = await modern('plain', {});
    expect(await session.attempt('slow', { ms: 900, who: 'plain' })).toContain('CALL_PENDING');
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      expect((await session.request(method, { taskId: 'x' })).error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
      });
  });
});

describe.each(['stdio', 'http'] as const)('A client of 2025-11-25 with tasks over %s', (over) => {
  it('learns that it may run tools as tasks', async () => {
    const client = await legacy(over);
    expect(client.getServerCapabilities()?.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'execute_tool')?.execution).toEqual({ taskSupport: 'optional' });
  });

  it('follows a task to its result, which runs once', async () => {
    const client = await legacy(over);
    const who = `stream-${over}`;
    const stream = client.experimental.tasks.callToolStream(execute('slow', { ms: 700, who }), CallToolResultSchema, {
      task: {},
    });
    const seen: string[] = [];
    let text = '';
    for await (const message of stream) {
      seen.push(message.type);
      if (message.type === 'result') text = firstText(message.result as unknown as Json);
    }
    expect(seen[0]).toBe('taskCreated');
    expect(seen.at(-1)).toBe('result');
    expect(text).toBe('slow is done');
    expect(logged(`slow ${who}`)).toBe(1);
  });

  it('waits for the result with tasks/result, which names its task, and can fetch it again', async () => {
    const client = await legacy(over);
    const taskId = await begin(client, 'slow', { ms: 300 });
    for (let times = 0; times < 2; times += 1) {
      const result = (await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)) as CallToolResult;
      expect(firstText(result)).toBe('slow is done');
      expect(result._meta).toMatchObject({ 'io.modelcontextprotocol/related-task': { taskId } });
    }
  });

  it('answers the questions of a task while it waits for the result', async () => {
    const client = await legacy(over);
    const taskId = await begin(client, 'ask', {});
    await vi.waitFor(async () =>
      expect((await client.experimental.tasks.getTask(taskId)).status).toBe('input_required'),
    );
    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(firstText(result as Json)).toContain('green');
  });

  it('receives each new status of a task', async () => {
    const client = await legacy(over);
    const told: { taskId: string; status: string; ttl: number | null }[] = [];
    client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => void told.push(params));
    const taskId = await begin(client, 'ask', {});
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ taskId, status: 'input_required' }));
    await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ taskId, status: 'completed' }));
    const { ttl } = await client.experimental.tasks.getTask(taskId);
    expect(told.at(-1)?.ttl).toBe(ttl);
    const other = await begin(client, 'no_such_tool', {});
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ taskId: other, status: 'failed' }));
  });

  it('cancels a task once, also on the server', async () => {
    const client = await legacy(over);
    const who = `cancels-${over}`;
    const taskId = await begin(client, 'endless', { who });
    await vi.waitFor(() => expect(logged(`endless ${who}`)).toBe(1));
    expect((await client.experimental.tasks.cancelTask(taskId)).status).toBe('cancelled');
    await vi.waitFor(() => expect(logged(`cancelled ${who}`)).toBe(1));
    await expect(client.experimental.tasks.cancelTask(taskId)).rejects.toThrow('The task is already cancelled.');
  });

  it('sees a failed call as a failed task', async () => {
    const client = await legacy(over);
    const taskId = await begin(client, 'no_such_tool', {});
    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(firstText(result as Json)).toContain('TOOL_NOT_FOUND');
    expect((await client.experimental.tasks.getTask(taskId)).status).toBe('failed');
  });
});

describe('A client of 2025-11-25 that does not declare tasks', () => {
  it('learns that it may run tools as tasks, and runs one', async () => {
    const client = await legacy('stdio', {});
    const { tools } = await client.listTools();
    expect(tools.map(({ execution }) => execution)).toEqual(tools.map(() => ({ taskSupport: 'optional' })));
    const call = execute('slow', { ms: 700, who: 'undeclared' });
    // The SDK automatically creates a task if the list allows it.
    const seen: string[] = [];
    for await (const { type } of client.experimental.tasks.callToolStream(call, CallToolResultSchema)) seen.push(type);
    expect(seen[0]).toBe('taskCreated');
    expect(seen.at(-1)).toBe('result');
    expect(logged('slow undeclared')).toBe(1);
  });

  it('gets no task unless it requests one: its slow calls are parked', async () => {
    const client = await legacy('stdio', {});
    expect(firstText((await client.callTool(execute('slow', { ms: 900, who: 'no-tasks' }))) as Json)).toContain(
      'CALL_PENDING',
    );
  });
});

describe("Another client's task", () => {
  it('does not exist for other clients: its ID gets the same answer as an unknown ID', async () => {
    const owner = await modern('owner');
    const others = [await modern('owner'), await modern('other')];
    const old = await legacy();
    const { result } = await owner.request('tools/call', execute('endless', { who: 'owned' }));
    for (const taskId of [result?.taskId, crypto.randomUUID(), '', 7, null, ['a'], '__proto__'])
      for (const other of others)
        for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
          expect((await other.request(method, { taskId, inputResponses: {} })).error).toMatchObject({
            code: -32602,
            message: 'Task not found',
          });
    const taskId = String(result?.taskId);
    await expect(old.experimental.tasks.getTask(taskId)).rejects.toThrow('Task not found');
    await expect(old.experimental.tasks.getTaskResult(taskId)).rejects.toThrow('Task not found');
    await expect(old.experimental.tasks.cancelTask(taskId)).rejects.toThrow('Task not found');
    expect((await old.experimental.tasks.listTasks()).tasks).toEqual([]);
    expect(await get(owner, taskId)).toMatchObject({ status: 'working' });
  });

  it('ends on the server when its client disconnects', async () => {
    const owner = await modern('leaves');
    await owner.request('tools/call', execute('endless', { who: 'leaves' }));
    await owner.close();
    await vi.waitFor(() => expect(logged('cancelled leaves')).toBe(1));
  });
});

describe('Thousands of tasks', () => {
  it('reach a limit before they reach the server, and do not affect the limit of other clients', async () => {
    const client = await legacy();
    const started = await Promise.allSettled(
      Array.from({ length: 3_000 }, (_, at) => begin(client, 'endless', { who: 'flood', at })),
    );
    const accepted = started.filter(({ status }) => status === 'fulfilled');
    expect(accepted).toHaveLength(100);
    expect(started.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: expect.stringContaining('This client already has 100 running tasks.') },
    });
    await vi.waitFor(() => expect(logged('endless flood')).toBe(100));

    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.experimental.tasks.listTasks(cursor);
      listed.push(...page.tasks.map(({ taskId }) => taskId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(new Set(listed).size).toBe(100);
    await expect(client.experimental.tasks.listTasks('made-up')).rejects.toThrow('Unknown cursor');

    const other = await legacy();
    const taskId = await begin(other, 'slow', { ms: 1 });
    expect(firstText((await other.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)) as Json)).toBe(
      'slow is done',
    );
    await client.close();
    await vi.waitFor(() => expect(logged('cancelled flood')).toBe(100));
  });

  it('that have ended make room for new ones', async () => {
    const client = await legacy();
    const first = await begin(client, 'folders', {});
    await client.experimental.tasks.getTaskResult(first, CallToolResultSchema);
    for (let at = 0; at < 150; at += 1)
      await client.experimental.tasks.getTaskResult(await begin(client, 'picture', {}), CallToolResultSchema);
    await expect(client.experimental.tasks.getTask(first)).rejects.toThrow('Task not found');
  });
});
