import { describe, expect, it } from 'vitest';
import type { ClientSession, GatewayBackend, RawResult } from '../../electron/core/gateway/gateway.ts';
import { inProfile } from '../../electron/core/gateway/in-profile.ts';
import { inParts } from '../../electron/core/gateway/parts.ts';

const client: ClientSession = {
  ...{ id: 'a', name: 'agent', version: '1', transport: 'bridge', era: 'legacy', mode: 'lazy', capabilities: {} },
};
const settings = { partLength: 1_000, structured: false, except: ['pager'] };

function behind(result: RawResult, more: Partial<typeof settings> = {}) {
  let time = 0;
  const backend = inParts(
    {
      execute: async () => result,
      results: () => ({ ...settings, ...more }),
      connected: () => () => undefined,
    } as unknown as GatewayBackend,
    () => time,
  );
  const call = (server: string, tool: string, args: Record<string, unknown>, session = client) =>
    backend.execute({ session, server, tool, arguments: args, signal: new AbortController().signal });
  return {
    backend,
    run: (session = client) => call('files', 'read', {}, session),
    follow(text: string, session = client) {
      const next = /execute_tool (\{.*\})\]$/.exec(text)?.[1];
      if (!next) return undefined;
      const { server, tool, arguments: args } = JSON.parse(next);
      return call(server, tool, args, session);
    },
    later(ms: number) {
      time += ms;
    },
  };
}
const text = (value: string) => ({ type: 'text', text: value });
const textOf = (result: RawResult | undefined) => (result as { content: { text: string }[] }).content[0]?.text ?? '';
const shown = (part: string) => part.replace(/\n\[Characters [^\n]*\]$/, '');

describe('a long result', () => {
  it.each([
    ['lines', Array.from({ length: 400 }, (_, at) => `line ${at} of many`).join('\n')],
    ['one line of characters outside the basic plane', '😀'.repeat(2_345)],
    ['text that ends like a note', `${'x'.repeat(3_000)}\n[Characters 0 to 1]`],
  ])('of %s comes in parts that together are the whole', async (_name, long) => {
    const { run, follow } = behind({ content: [text(long)] });
    let answer = textOf(await run());
    let whole = '';
    for (let parts = 0; parts < 20; parts++) {
      expect(answer.isWellFormed()).toBe(true);
      const next = await follow(answer);
      if (!next) break;
      expect(shown(answer).length).toBeLessThanOrEqual(1_000);
      whole += shown(answer);
      answer = textOf(next);
    }
    expect(whole + answer).toBe(long);
  });

  it('keeps images, structured content, annotations and flags as they are', async () => {
    const image = { type: 'image', data: 'A'.repeat(5_000), mimeType: 'image/png' };
    const structuredContent = { rows: 'y'.repeat(5_000) };
    const { run } = behind({
      content: [image, { ...text('z'.repeat(5_000)), annotations: { priority: 1 } }],
      structuredContent,
      isError: true,
      _meta: { a: 1 },
    });
    const result = await run();
    expect(result).toMatchObject({ structuredContent, isError: true, _meta: { a: 1 } });
    expect((result.content as unknown[])[0]).toEqual(image);
    expect((result.content as unknown[])[1]).toMatchObject({ annotations: { priority: 1 } });
  });

  it('has its structured content in parts where the person chose so', async () => {
    const structuredContent = { rows: 'y'.repeat(5_000) };
    const { run } = behind({ content: [], structuredContent }, { structured: true });
    const result = await run();
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toContain('"rows":"yyy');
  });

  it('is the very result when it is short, when parts are off, or when the client pages by itself', async () => {
    const short = { content: [text('x'.repeat(1_000))] };
    expect(await behind(short).run()).toBe(short);
    const long = { content: [text('x'.repeat(5_000))] };
    expect(await behind(long, { partLength: 0 }).run()).toBe(long);
    expect(await behind(long).run({ ...client, name: 'pager' })).toBe(long);
    expect(await behind(long).run({ ...client, mode: 'full' })).toBe(long);
  });

  it('is kept for its own client only, for a quarter of an hour, and until it leaves', async () => {
    const { backend, run, follow, later } = behind({ content: [text('x'.repeat(5_000))] });
    const leave = backend.connected(client);
    const answer = textOf(await run());
    await expect(follow(answer, { ...client, id: 'b' })).rejects.toMatchObject({ failure: { code: 'INPUT_INVALID' } });
    expect(textOf(await follow(answer))).toContain('xxx');
    later(16 * 60_000);
    await expect(follow(answer)).rejects.toMatchObject({ failure: { code: 'INPUT_INVALID' } });
    const another = textOf(await run());
    leave();
    await expect(follow(another)).rejects.toMatchObject({ failure: { code: 'INPUT_INVALID' } });
  });

  it('is read on by a client with a profile as well, and by nobody else', async () => {
    const { backend, follow } = behind({ content: [text('y'.repeat(1_500))] });
    const profiled = inProfile(
      {
        ...backend,
        profile: () => ({ name: 'work', servers: ['files'], tags: [] }),
        connecting: () => undefined,
      } as unknown as GatewayBackend,
      'work',
    );
    const call = (server: string, tool: string, args: Record<string, unknown>, session = client) =>
      profiled.execute({ session, server, tool, arguments: args, signal: new AbortController().signal });
    const first = textOf(await call('files', 'read', {}));
    const { arguments: args } = JSON.parse(/execute_tool (\{.*\})\]$/.exec(first)?.[1] ?? '{}');
    expect(textOf(await call('gatehouse', 'read_more', args))).toBe('y'.repeat(500));
    await expect(call('gatehouse', 'read_more', args, { ...client, id: 'other' })).rejects.toThrow('no kept result');
    await expect(call('gatehouse', 'status', {})).rejects.toThrow('not in the profile');
    expect(textOf(await follow(first))).toBe('y'.repeat(500));
  });
});
