import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { clientTimeoutsOf } from '../../../electron/core/calls/client-timeout.ts';
import { createParking, signatureOf, startDetached } from '../../../electron/core/calls/parking.ts';
import { Progress } from '../../../electron/core/calls/progress.ts';
import { createElicitation } from '../../../electron/core/elicitation/elicitation.ts';
import { toHttpSession } from '../../../electron/core/gateway/transports/http-context.ts';
import { originalText, parseLine } from '../../../electron/core/jsonrpc/raw-json.ts';
import type { Client } from '../../../electron/core/types.ts';

const options = (userMs: number, signal = new AbortController().signal, toolMs?: number) => ({
  owner: 'client',
  timeouts: { userMs, toolMs },
  signal,
});

const called = { target: 'server::tool', signature: () => 'x' };

describe('A call that waits for the user', () => {
  it('is parked before the client times out, and the same call resumes it', async () => {
    const parking = createParking<string>();
    const user = Promise.withResolvers<string>();
    let runs = 0;
    const call = startDetached<string>(called, (inner) => {
      runs += 1;
      return inner.whileWaitingForUser(user.promise);
    });
    await expect(parking.wait(call, options(5))).rejects.toMatchObject({ failure: { code: 'APPROVAL_PENDING' } });
    const again = parking.take('client', { signature: () => 'x' });
    expect(again).toBe(call);
    user.resolve('done');
    expect(await parking.wait(again ?? call, options(1_000))).toBe('done');
    expect(runs).toBe(1);
  });

  it('keeps its handle when it is parked again', async () => {
    const parking = createParking<string>();
    const call = startDetached<string>(called, (inner) => inner.whileWaitingForUser(new Promise(() => {})));
    await parking.wait(call, options(1)).catch(() => undefined);
    const { handle = '' } = call;
    expect(parking.take('client', { handle, target: called.target })).toBe(call);
    await expect(parking.wait(call, options(1))).rejects.toMatchObject({
      failure: { hint: expect.stringContaining(`"${handle}"`) },
    });
    expect(parking.take('client', { handle, target: called.target })).toBe(call);
  });

  it('is found by its handle and tool, and two identical calls never end each other', async () => {
    const parking = createParking<string>();
    const users = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const calls = users.map(({ promise }) =>
      startDetached<string>(called, (inner) => inner.whileWaitingForUser(promise)),
    );
    const hints: string[] = [];
    for (const call of calls) {
      await parking.wait(call, options(1)).catch(({ failure }) => hints.push(failure.hint));
    }
    expect(parking.size()).toBe(2);
    expect(calls.map(({ controller }) => controller.signal.aborted)).toEqual([false, false]);
    const [, handle = ''] = /"toolkeep_handle": "([^"]+)"/.exec(hints[1] ?? '') ?? [];
    const { target } = called;
    expect(parking.take('another client', { handle, target })).toBeUndefined();
    expect(parking.take('client', { handle, target: 'server::other' })).toBeUndefined();
    expect(parking.take('client', { handle, target })).toBe(calls[1]);
    expect(parking.take('client', { signature: () => 'x' })).toBe(calls[0]);
    expect(parking.size()).toBe(0);
  });

  it('sends increasing progress to the client that waits for it', () => {
    const heard: number[] = [];
    const progress = new Progress();
    progress.attach(({ progress: value }) => heard.push(Number(value)));
    progress.waiting();
    progress.forward({ progress: 0, total: 10 });
    progress.forward({ progress: 1, total: 10 });
    progress.waiting();
    progress.waiting();
    progress.forward({ progress: 2, total: 10 });
    expect(heard).toHaveLength(6);
    expect(heard).toEqual([...new Set(heard)].sort((a, b) => a - b));
    // The first silent period passes without a report.
    for (let period = 0; period < 2; period += 1) progress.running();
    expect(heard).toHaveLength(7);
    expect(heard[6]).toBeGreaterThan(2);
    progress.attach(undefined);
    progress.waiting();
    expect(heard).toHaveLength(7);
  });

  it('keeps an answer that arrives while no client waits', async () => {
    const parking = createParking<string>();
    const user = Promise.withResolvers<string>();
    const call = startDetached<string>(called, (inner) => inner.whileWaitingForUser(user.promise));
    await expect(parking.wait(call, options(5))).rejects.toThrow();
    user.resolve('yes');
    await delay(5);
    const again = parking.take('client', { signature: () => 'x' });
    expect(again && (await parking.wait(again, options(5)))).toBe('yes');
    expect(parking.take('client', { signature: () => 'x' })).toBeUndefined();
  });

  it("is parked at once if it asks after the client's timeout", async () => {
    const parking = createParking<string>();
    const call = startDetached<string>(called, async (inner) => {
      await delay(30);
      return inner.whileWaitingForUser(new Promise(() => undefined));
    });
    await expect(parking.wait(call, options(1))).rejects.toMatchObject({ failure: { code: 'APPROVAL_PENDING' } });
  });

  it('expires after ten minutes without an answer, and after an hour if its tool runs by then', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const parking = createParking<string>();
    const user = Promise.withResolvers<void>();
    const [asked, answered] = [new Promise<void>(() => undefined), user.promise].map((wait) =>
      startDetached<string>(called, async (inner) => {
        await inner.whileWaitingForUser(wait);
        return new Promise(() => undefined);
      }),
    );
    const isCancelled = () => [asked, answered].map((call) => call?.controller.signal.aborted);
    for (const call of [asked, answered]) {
      const left = expect(call && parking.wait(call, options(1))).rejects.toThrow();
      await vi.advanceTimersByTimeAsync(1);
      await left;
    }
    user.resolve();
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    expect(isCancelled()).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(48 * 60_000);
    expect(isCancelled()).toEqual([true, false]);
    expect(parking.size()).toBe(1);
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(isCancelled()).toEqual([true, true]);
    expect(parking.size()).toBe(0);
  });

  it('does not expire while the user is away, nor in the ten minutes after', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const elicitation = createElicitation({ host: { log: () => undefined }, onChange: () => undefined });
    const parking = createParking<string>(elicitation.presentMs);
    const call = startDetached<string>(called, (inner) => inner.whileWaitingForUser(new Promise(() => undefined)));
    const left = expect(parking.wait(call, options(1))).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(1);
    await left;
    await vi.advanceTimersByTimeAsync(60_000);
    elicitation.setAway(true);
    await vi.advanceTimersByTimeAsync(8 * 60 * 60_000);
    elicitation.setAway(false);
    await vi.advanceTimersByTimeAsync(10 * 60_000 - 1);
    expect(call.controller.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(call.controller.signal.aborted).toBe(true);
  });

  it('can be cancelled by its waiting client, but not after the client received APPROVAL_PENDING', async () => {
    const parking = createParking<string>();
    const waiting = startDetached<string>(called, (inner) =>
      inner.whileWaitingForUser(
        new Promise((_, reject) =>
          inner.controller.signal.addEventListener('abort', () => reject(new Error('cancelled'))),
        ),
      ),
    );
    const client = new AbortController();
    const waited = parking.wait(waiting, options(10_000, client.signal));
    client.abort();
    await expect(waited).rejects.toThrow('cancelled');

    const parked = startDetached<string>(called, (inner) => inner.whileWaitingForUser(new Promise(() => undefined)));
    const later = new AbortController();
    await expect(parking.wait(parked, options(1, later.signal))).rejects.toThrow();
    later.abort();
    expect(parked.controller.signal.aborted).toBe(false);
    parking.drop('client');
    expect(parked.controller.signal.aborted).toBe(true);
    expect(parking.take('client', { signature: () => 'x' })).toBeUndefined();
  });

  it('is not parked while only the tool is slow', async () => {
    const parking = createParking<string>();
    const call = startDetached<string>(called, async () => {
      await delay(30);
      return 'slow';
    });
    expect(await parking.wait(call, options(1))).toBe('slow');
  });
});

describe('A call to a slow tool', () => {
  const never = new AbortController().signal;
  const slowCall = (done: Promise<string>) =>
    startDetached<string>(called, (inner) =>
      Promise.race([
        done,
        new Promise<never>((_, reject) =>
          inner.controller.signal.addEventListener('abort', () => reject(inner.controller.signal.reason)),
        ),
      ]),
    );

  it('is parked before its client times out, and keeps its result for the client', async () => {
    const parking = createParking<string>();
    const tool = Promise.withResolvers<string>();
    const call = slowCall(tool.promise);
    const error = await parking.wait(call, options(10_000, never, 5)).catch(({ failure }) => failure);
    expect(error).toMatchObject({ code: 'CALL_PENDING', hint: expect.stringContaining('It will not run twice.') });
    tool.resolve('done');
    await call.result;
    const again = parking.take('client', { signature: () => 'x' });
    expect(again && (await parking.wait(again, options(10_000, never, 5)))).toBe('done');
    expect(parking.size()).toBe(0);
  });

  it('does not give way to those of another client, however many they are', async () => {
    const parking = createParking<string>();
    const start = async (owner: string) => {
      const call = startDetached<string>(called, () => new Promise(() => {}));
      await parking.wait(call, { ...options(10_000, never, 1), owner }).catch(() => undefined);
      return call;
    };
    const mine = await start('client');
    const [oldest] = await Promise.all(Array.from({ length: 510 }, () => start('other')));
    expect(parking.size()).toBe(500);
    expect(oldest?.controller.signal.aborted).toBe(true);
    expect(parking.take('client', { signature: () => 'x' })).toBe(mine);
  });

  it('ends when its client disconnects', async () => {
    const parking = createParking<string>();
    const call = slowCall(new Promise(() => undefined));
    await expect(parking.wait(call, options(10_000, never, 5))).rejects.toThrow('still running');
    parking.drop('client');
    expect(call.controller.signal.aborted).toBe(true);
  });
});

describe('The timeout of a client', () => {
  const client = (name: string, more = {}) =>
    ({ id: 'c', name, stated: name, identity: 'c', scope: {}, capabilities: {}, mode: 'lazy', ...more }) as Client;

  it("is the one in its definition, or the one that Toolkeep's entry sets", () => {
    expect(clientTimeoutsOf(client('claude-ai'), true, 45_000)).toEqual({ userMs: 45_000, toolMs: 51_000 });
    expect(clientTimeoutsOf(client('codex-mcp-client'), true, 45_000)).toEqual({ userMs: 45_000, toolMs: 51_000 });
    const installed = client('codex-mcp-client', { via: 'codex' });
    expect(clientTimeoutsOf(installed, true, 45_000)).toEqual({ userMs: 510_000, toolMs: 510_000 });
    expect(clientTimeoutsOf(installed, true, 1_000)).toEqual({ userMs: 1_000, toolMs: 1_000 });
  });

  it('is unlimited for a program, and for a client that waits while it receives progress', () => {
    expect(clientTimeoutsOf(client('opencode'), true, 45_000)).toEqual({ userMs: 600_000, needsSigns: true });
    expect(clientTimeoutsOf(client('script', { mode: 'full' }), true, 45_000)).toEqual({ userMs: 45_000 });
    expect(clientTimeoutsOf(client('Toolkeep', { isUser: true }), true, 45_000)).toEqual({ userMs: 45_000 });
  });

  it('does not depend on the name of the token of an HTTP client', () => {
    const access = { id: 't', name: 'codex' };
    const session = (name: string) =>
      toHttpSession({ name, capabilities: {}, era: 'modern' }, 'c', {
        mode: 'lazy',
        readTool: false,
        scope: {},
        key: '',
        access,
      });
    expect(clientTimeoutsOf(session('codex-mcp-client'), true, 45_000)).toMatchObject({ toolMs: 51_000 });
    expect(clientTimeoutsOf(session('my-agent'), true, 45_000)).toMatchObject({ toolMs: 45_000 });
  });

  it('is the default for an unknown client with meta-tools', () => {
    expect(clientTimeoutsOf(client('my-agent'), false, 45_000)).toEqual({ userMs: 45_000, toolMs: 45_000 });
  });
});

describe('The signature of a call', () => {
  it('does not depend on the order of the keys, and differs for another client, tool or value', () => {
    const base = signatureOf('s', 't', { a: 1, b: { c: [1, 2], d: 2 } });
    expect(signatureOf('s', 't', { b: { d: 2, c: [1, 2] }, a: 1 })).toBe(base);
    expect(signatureOf('x', 't', { a: 1, b: { c: [1, 2], d: 2 } })).not.toBe(base);
    expect(signatureOf('s', 'u', { a: 1, b: { c: [1, 2], d: 2 } })).not.toBe(base);
    expect(signatureOf('s', 't', { a: 1, b: { c: [2, 1], d: 2 } })).not.toBe(base);
    const [one, other] = ['12345678901234567890', '12345678901234567999'].map((account) => {
      const line = `{"id":1,"method":"tools/call","params":{"name":"t","arguments":{"account":${account}}}}`;
      return originalText((parseLine(Buffer.from(line)) as { params: { arguments: object } }).params.arguments);
    });
    expect(signatureOf('s', 't', one)).not.toBe(signatureOf('s', 't', other));
    expect(signatureOf('s', 't', [['a', 1]])).not.toBe(signatureOf('s', 't', { a: 1 }));
  });
});
