import { describe, expect, it } from 'vitest';
import { compose } from '../../../electron/core/calls/calls.ts';
import type { PipelineCall } from '../../../electron/core/calls/step.ts';
import { createPageResults } from '../../../electron/core/calls/steps/page-results.ts';
import { createResolve } from '../../../electron/core/calls/steps/resolve.ts';
import { createScopes } from '../../../electron/core/policy/scope.ts';
import type { Client, JsonObject } from '../../../electron/core/types.ts';

const client: Client = { id: 'a', name: 'agent', identity: 'agent', mode: 'lazy', scope: {}, capabilities: {} };
const settings = { maxCharacters: 1_000, structured: false, except: ['pager'] };

function behind(result: JsonObject, more: Partial<typeof settings> = {}) {
  let time = 0;
  const paging = createPageResults({ resultPaging: () => ({ ...settings, ...more }), now: () => time });
  const scopes = createScopes((name) => (name === 'work' ? { name, servers: ['files'], tags: [] } : undefined));
  const resolve = createResolve({
    scopes,
    isPaused: () => false,
    serverConfig: () => ({ enabled: true }) as never,
    isDiscovered: () => true,
    discover: async () => undefined,
    findTool: () => ({ enabled: true }) as never,
    tagsOf: () => [],
    promptMissingSecrets: async () => undefined,
  });
  const pipeline = compose([paging.step, resolve, async () => result]);
  const call = (server: string, tool: string, args: JsonObject, from = client) =>
    pipeline({ client: from, server, tool, arguments: args, signal: new AbortController().signal } as PipelineCall);
  return {
    call,
    run: (from = client) => call('files', 'read', {}, from),
    follow(text: string, from = client) {
      const next = /execute_tool (\{.*\})\]$/.exec(text)?.[1];
      if (!next) return undefined;
      const { server, tool, arguments: args } = JSON.parse(next);
      return call(server, tool, args, from);
    },
    disconnect: () => paging.drop(client.id),
    later(ms: number) {
      time += ms;
    },
  };
}
const text = (value: string) => ({ type: 'text', text: value });
const textOf = (result: JsonObject | undefined) => (result as { content: { text: string }[] }).content[0]?.text ?? '';
const shown = (part: string) => part.replace(/\n\[Characters [^\n]*\]$/, '');

describe('A long result', () => {
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

  it('Paging leaves images, structured content, annotations and flags unchanged', async () => {
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

  it('Structured content is split into parts if the user chose so', async () => {
    const structuredContent = { rows: 'y'.repeat(5_000) };
    const { run } = behind({ content: [], structuredContent }, { structured: true });
    const result = await run();
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toContain('"rows":"yyy');
  });

  it('A result is unchanged if it is short, if paging is disabled, or if the client pages results', async () => {
    const short = { content: [text('x'.repeat(1_000))] };
    expect(await behind(short).run()).toBe(short);
    const long = { content: [text('x'.repeat(5_000))] };
    expect(await behind(long, { maxCharacters: 0 }).run()).toBe(long);
    expect(await behind(long).run({ ...client, name: 'pager' })).toBe(long);
    expect(await behind(long).run({ ...client, mode: 'full' })).toBe(long);
  });

  it('is kept for its own client only, for 15 minutes, until the client disconnects', async () => {
    const { run, follow, later, disconnect } = behind({ content: [text('x'.repeat(5_000))] });
    const gone = { failure: { code: 'RESULT_NOT_FOUND' } };
    const answer = textOf(await run());
    await expect(follow(answer, { ...client, id: 'b' })).rejects.toMatchObject(gone);
    expect(textOf(await follow(answer))).toContain('xxx');
    later(16 * 60_000);
    await expect(follow(answer)).rejects.toMatchObject(gone);
    const another = textOf(await run());
    disconnect();
    await expect(follow(another)).rejects.toMatchObject(gone);
  });

  it('can be read on by a client with a profile, and by no other client', async () => {
    const { call, follow } = behind({ content: [text('y'.repeat(1_500))] });
    const profiled = { ...client, scope: { profile: 'work' } };
    const first = textOf(await call('files', 'read', {}, profiled));
    const { arguments: args } = JSON.parse(/execute_tool (\{.*\})\]$/.exec(first)?.[1] ?? '{}');
    expect(textOf(await call('gatehouse', 'read_more', args, profiled))).toBe('y'.repeat(500));
    await expect(call('gatehouse', 'read_more', args, { ...profiled, id: 'other' })).rejects.toThrow(
      'No result is kept',
    );
    await expect(call('gatehouse', 'status', {}, profiled)).rejects.toThrow('not in the profile');
    expect(textOf(await follow(first, profiled))).toBe('y'.repeat(500));
  });
});
