/** Tasks of clients: their expiry, and requests that do not end them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEvents } from '../../../electron/core/events.ts';
import type { ClientSession, McpRequest } from '../../../electron/core/gateway/services.ts';
import { createTasks } from '../../../electron/core/gateway/tasks/tasks.ts';
import { parseLine } from '../../../electron/core/jsonrpc/raw-json.ts';
import type { JsonObject } from '../../../electron/core/types.ts';

const minute = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function trial(presentMs?: () => number) {
  const events = createEvents();
  const tasks = createTasks({ events, clientTimeoutMs: () => 45_000, ...(presentMs && { presentMs }) });
  const calls: { request: McpRequest; resolve(result: JsonObject): void }[] = [];
  const answers: ((answer: JsonObject) => void)[] = [];
  const controller = new AbortController();
  const request = (method: string, params: JsonObject = {}) => ({
    client: {
      id: 'one',
      name: 'one',
      era: 'modern',
      capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} }, elicitation: { form: {} } },
      request: () => new Promise<JsonObject>((resolve) => answers.push(resolve)),
    } as unknown as ClientSession,
    method,
    params,
    signal: controller.signal,
  });
  const call = () =>
    tasks.run(
      request('tools/call', { name: 'execute_tool' }),
      (inner) => new Promise((resolve) => calls.push({ request: inner, resolve })),
    );
  const get = (taskId: unknown) => tasks.answer(request('tasks/get', { taskId }));
  const cancel = (taskId: unknown) => tasks.answer(request('tasks/cancel', { taskId }));
  return { events, tasks, calls, answers, controller, request, call, get, cancel };
}

describe('A task', () => {
  it('is created when the client would no longer wait, and not before', async () => {
    const { call, tasks, calls } = trial();
    const created = call();
    await vi.advanceTimersByTimeAsync(44_999);
    expect(tasks.unfetched()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await created).toMatchObject({ resultType: 'task', status: 'working' });
    expect(calls).toHaveLength(1);
  });

  it('is not created while the client answers a question of the call', async () => {
    const { call, tasks, calls } = trial();
    void call();
    const client = calls[0]?.request.client;
    void client?.request?.('elicitation/create', {}, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(10 * minute);
    expect(tasks.unfetched()).toBe(0);
  });

  it('is not created for a call beyond a hundred running tasks, not even after a question of the call', async () => {
    const { call, tasks, calls, answers } = trial();
    for (let task = 0; task < 100; task += 1) void call();
    await vi.advanceTimersByTimeAsync(minute);
    expect(tasks.unfetched()).toBe(100);
    const beyond = call();
    await vi.advanceTimersByTimeAsync(minute);
    const last = calls.at(-1);
    const asked = last?.request.client.request?.('elicitation/create', {}, new AbortController().signal);
    answers[0]?.({ action: 'accept' });
    await asked;
    calls[0]?.resolve({ content: [] });
    await vi.advanceTimersByTimeAsync(minute);
    // In a task that no client knows, the question would never be answered.
    void last?.request.client.request?.('elicitation/create', {}, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(0);
    expect(answers).toHaveLength(2);
    last?.resolve({ content: [{ type: 'text', text: 'done' }] });
    expect(await beyond).toEqual({ content: [{ type: 'text', text: 'done' }] });
    expect(last?.request.signal.aborted).toBe(false);
  });

  it('continues when the request that created it is cancelled', async () => {
    const { call, calls, controller, get } = trial();
    const created = call();
    await vi.advanceTimersByTimeAsync(minute);
    const { taskId } = await created;
    controller.abort();
    expect(calls[0]?.request.signal.aborted).toBe(false);
    expect(await get(taskId)).toMatchObject({ status: 'working' });
  });

  it('keeps its result for ten minutes, and says so', async () => {
    const { call, calls, get, tasks } = trial();
    const created = call();
    await vi.advanceTimersByTimeAsync(minute);
    const { taskId } = await created;
    calls[0]?.resolve({ content: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect(tasks.unfetched()).toBe(1);
    expect(await get(taskId)).toMatchObject({ status: 'completed', result: { content: [] }, ttlMs: 11 * minute });
    await vi.advanceTimersByTimeAsync(10 * minute);
    await expect(get(taskId)).rejects.toMatchObject({ code: -32602 });
  });

  it.each(['its client fetches the outcome', 'its client cancels it', 'it expires'])(
    'counts as unfetched until %s',
    async (until) => {
      const { call, calls, get, cancel, tasks } = trial();
      const created = call();
      await vi.advanceTimersByTimeAsync(minute);
      const { taskId } = await created;
      await get(taskId);
      expect(tasks.unfetched()).toBe(1);
      if (until.includes('cancels')) await cancel(taskId);
      else calls[0]?.resolve({ content: [] });
      await vi.advanceTimersByTimeAsync(until === 'it expires' ? 10 * minute - 1 : 0);
      expect(tasks.unfetched()).toBe(until.includes('cancels') ? 0 : 1);
      if (until.includes('fetches')) await get(taskId);
      await vi.advanceTimersByTimeAsync(1);
      expect(tasks.unfetched()).toBe(0);
    },
  );

  it('counts as unfetched although its client was notified of the outcome, because that may not have arrived', async () => {
    const { call, calls, request, tasks } = trial();
    const created = call();
    await vi.advanceTimersByTimeAsync(minute);
    const { taskId } = await created;
    const told: JsonObject[] = [];
    tasks.subscribe(request('').client, [String(taskId)], (state) => told.push(state)).start();
    calls[0]?.resolve({ content: [] });
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toMatchObject([{ status: 'completed', result: { content: [] } }]);
    expect(tasks.unfetched()).toBe(1);
  });

  it('is cancelled after an hour, and when its client disconnects', async () => {
    for (const end of ['hour', 'disconnect']) {
      const { call, calls, events, get } = trial();
      const created = call();
      await vi.advanceTimersByTimeAsync(minute);
      const { taskId } = await created;
      if (end === 'hour') await vi.advanceTimersByTimeAsync(60 * minute);
      else events.emit('client.disconnected', { id: 'one' });
      expect(calls[0]?.request.signal.aborted, end).toBe(true);
      await expect(get(taskId)).rejects.toMatchObject({ code: -32602 });
    }
  });

  it('does not expire while the user is away, nor in the ten minutes after', async () => {
    let returnedAt = Number.POSITIVE_INFINITY;
    const { call, calls, get } = trial(() => Math.max(0, Date.now() - returnedAt));
    const created = call();
    await vi.advanceTimersByTimeAsync(minute);
    const { taskId } = await created;
    await vi.advanceTimersByTimeAsync(300 * minute);
    expect(await get(taskId)).toMatchObject({ status: 'working' });
    returnedAt = Date.now();
    await vi.advanceTimersByTimeAsync(10 * minute - 1);
    expect(calls[0]?.request.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls[0]?.request.signal.aborted).toBe(true);
  });

  it('that has ended expires even while the user is away', async () => {
    const { call, calls, get } = trial(() => 0);
    const created = call();
    await vi.advanceTimersByTimeAsync(minute);
    const { taskId } = await created;
    calls[0]?.resolve({ content: [] });
    await vi.advanceTimersByTimeAsync(10 * minute);
    await expect(get(taskId)).rejects.toMatchObject({ code: -32602 });
  });

  it('is forgotten if the later results of its client are too large', async () => {
    const { call, calls, get } = trial();
    const ids: unknown[] = [];
    const line = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"data":"${'x'.repeat(50_000_000)}"}}`);
    for (let at = 0; at < 3; at += 1) {
      const created = call();
      await vi.advanceTimersByTimeAsync(45_000);
      ids.push((await created).taskId);
      calls[at]?.resolve((parseLine(line) as { result: JsonObject }).result);
      await vi.advanceTimersByTimeAsync(1);
    }
    await expect(get(ids[0])).rejects.toMatchObject({ code: -32602 });
    for (const id of ids.slice(1)) expect(await get(id)).toMatchObject({ status: 'completed' });
  });

  it('asks only what its client declared', async () => {
    const { call, calls } = trial();
    void call();
    await vi.advanceTimersByTimeAsync(minute);
    const client = calls[0]?.request.client;
    const asked = client?.request?.('sampling/createMessage', {}, new AbortController().signal);
    await expect(asked).rejects.toThrow('did not declare');
  });
});
