import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { excerptOf } from '../../../electron/core/calls/result-excerpt.ts';
import { createSavedFiles } from '../../../electron/core/calls/saved-files.ts';
import { createPageResults } from '../../../electron/core/calls/steps/page-results.ts';
import { compileState } from '../../../electron/core/policy/decide/compile.ts';
import { createScopes } from '../../../electron/core/policy/scope.ts';
import type { Client, JsonObject, ToolCall } from '../../../electron/core/types.ts';
import { testHost } from '../../fixtures/host.ts';

const client: Client = { id: 'a', name: 'agent', identity: 'agent', mode: 'lazy', scope: {}, capabilities: {} };
const settings = { maxCharacters: 1_000, structured: false, except: ['pager'] };

const state = compileState({
  isPaused: false,
  servers: ['files', 'mail', 'pager'].map((name) => ({ name, isEnabled: true, isDiscovered: true })),
  tools: { get: () => undefined, ofServer: () => [] },
  rules: { byClient: new Map() },
  profiles: [{ name: 'work', servers: ['files'], tags: [] }],
  grants: [],
  known: [],
  approvals: { ask: 'acts', mode: 'ask', destinations: 'known', reads: 'leaks' },
});

function behind(result: JsonObject, more: Partial<typeof settings> = {}) {
  let time = 0;
  const host = testHost();
  onTestFinished(host.dispose);
  const files = createSavedFiles(host);
  const paging = createPageResults(
    {
      resultPaging: () => ({ ...settings, ...more }),
      hasApp: (_server, tool) => tool === 'chart',
      now: () => time,
    },
    files,
  );
  onTestFinished(() => files.close());
  const scopes = createScopes(() => state);
  const call = async (server: string, tool: string, args: JsonObject, from = client) => {
    const made: ToolCall = { client: from, server, tool, arguments: args, signal: new AbortController().signal };
    return paging.step(made, async () => {
      scopes.requireServer(from.scope, server);
      return result;
    });
  };
  return {
    call,
    result,
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
  ])('of %s is returned in parts that together are the whole', async (_name, long) => {
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

  it('keeps images, structured content, annotations and flags unchanged', async () => {
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

  it('has its structured content split into parts if the user chose that', async () => {
    const structuredContent = { rows: 'y'.repeat(5_000) };
    const { run } = behind({ content: [], structuredContent }, { structured: true });
    const result = await run();
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toContain('"rows":"yyy');
  });

  it('stays whole if it is below the limit, if paging is disabled, or if the client pages results', async () => {
    const short = { content: [text('x'.repeat(1_000))] };
    expect(await behind(short).run()).toBe(short);
    const long = { content: [text('x'.repeat(5_000))] };
    expect(await behind(long, { maxCharacters: 0 }).run()).toBe(long);
    expect(await behind(long).run({ ...client, name: 'pager' })).toBe(long);
    expect(await behind(long).run({ ...client, mode: 'full' })).toBe(long);
  });

  it('is kept for its own client only, for 15 minutes or until the client disconnects', async () => {
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

  it('displaces only results of its own client, if that one has most', async () => {
    const { run, follow, result } = behind({ content: [text('x'.repeat(5_000))] });
    const first = textOf(await run());
    const big = 'y'.repeat(30 * 1024 * 1024);
    Object.assign(result, { content: [text(big)] });
    const flood = { ...client, id: 'b' };
    const answers = [];
    for (let count = 0; count < 4; count++) answers.push(textOf(await run(flood)));
    expect(textOf(await follow(first))).toContain('xxx');
    await expect(follow(answers[0] ?? '', flood)).rejects.toMatchObject({ failure: { code: 'RESULT_NOT_FOUND' } });
    expect(textOf(await follow(answers[3] ?? '', flood))).toContain('yyy');
  });

  it('can be continued by a client with a profile, and by no other client', async () => {
    const { call, follow } = behind({ content: [text('y'.repeat(1_500))] });
    const profiled = { ...client, scope: { profile: 'work' } };
    const first = textOf(await call('files', 'read', {}, profiled));
    const { arguments: args } = JSON.parse(/execute_tool (\{.*\})\]$/.exec(first)?.[1] ?? '{}');
    expect(textOf(await call('toolkeep', 'read_more', args, profiled))).toBe('y'.repeat(500));
    await expect(call('toolkeep', 'read_more', args, { ...profiled, id: 'other' })).rejects.toThrow(
      'There is no stored result',
    );
    await expect(call('toolkeep', 'status', {}, profiled)).rejects.toThrow('not in the profile');
    expect(textOf(await follow(first, profiled))).toBe('y'.repeat(500));
  });
});

it('Counting the lines before the start of a search lets other work continue', async () => {
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await excerptOf('\n'.repeat(20_000_000), { grep: 'x', from: 20_000_000 });
  isDone = true;
  expect(turns).toBeGreaterThan(10);
});

describe('The parts that an agent selects', () => {
  const lines = Array.from(
    { length: 400 },
    (_, at) => `line ${at + 1} ${at === 300 ? 'ERROR disk full' : 'fine'}`,
  ).join('\n');
  async function kept(whole: string) {
    const { run, call } = behind({ content: [text(whole)] });
    const first = textOf(await run());
    const next = JSON.parse(/execute_tool (\{.*\})\]$/.exec(first)?.[1] ?? '');
    return async (args: JsonObject) =>
      textOf(await call(next.server, next.tool, { ...next.arguments, from: 0, ...args }));
  }

  it('are lines by number, matching lines, or values of a document', async () => {
    const pick = await kept(lines);
    expect(await pick({ lines: '2-3' })).toBe('line 2 fine\nline 3 fine');
    expect(await pick({ lines: 400 })).toBe('line 400 fine');
    expect(await pick({ grep: 'error.*full' })).toBe('301: line 301 ERROR disk full');
    expect(await pick({ grep: '(?=no lookahead)' })).toBe('No line matches.');
    const document = await kept(JSON.stringify({ items: [{ name: 'a/b', 'x/y': 1 }], more: 'z'.repeat(2_000) }));
    expect(await document({ pointer: '/items/0' })).toBe('{"name":"a/b","x/y":1}');
    expect(await document({ pointer: '/items/0/x~1y' })).toBe('1');
    expect(await document({ pointer: '/items/0/name' })).toBe('a/b');
    expect(await document({ pointer: '/more' })).toMatch(/^z{1000}\n\[Characters 0 to 1000 of 2000/);
  });

  it.each([
    [{ lines: '401-402' }, 'fewer than 401 lines'],
    [{ lines: '9-2' }, 'must be a range such as "10-40"'],
    [{ pointer: '/a' }, 'not JSON'],
    [{ grep: 'x'.repeat(501) }, 'the limit is 500'],
  ])('are refused with the reason: %j', async (args, reason) => {
    await expect((await kept(lines))(args)).rejects.toThrow(reason);
  });

  it.each(['(?i)[^a]{1000}'.repeat(3), `${'(a|b|é|é{1,100}){1,9}'.repeat(20)}z`])(
    'are refused if the expression is too costly: %s',
    async (grep) => {
      const pick = await kept(`${'é'.repeat(1_999)}\n`.repeat(300));
      await expect(pick({ grep })).rejects.toThrow('takes too long');
    },
  );

  it('have the position at which to continue if the search takes too long', async () => {
    const pick = await kept('some words of a line\n'.repeat(600_000));
    const found = await pick({ grep: '^(?:[a-z]+ ){12}nothing$' });
    const from = Number(/add "from": (\d+)/.exec(found)?.[1]);
    expect(from).toBeGreaterThan(0);
    expect(await pick({ grep: '^(?:[a-z]+ ){12}nothing$', from: 600_000 * 21 - 100 })).not.toContain('"from"');
  });
});

describe('Binary data', () => {
  const bytes = Buffer.alloc(6_000, 'PNG data 1');
  const png = Buffer.concat([Buffer.from('iVBORw0KGgoAAAAN', 'base64'), bytes]);
  const saved = (link: JsonObject | undefined) => readFileSync(new URL(String(link?.uri)));

  it('in text becomes a link to a file, and the surrounding text is kept', async () => {
    const inside = png.toString('base64');
    const whole = `before ${inside} between data:audio/wav;base64,${bytes.toString('base64')} after`;
    const { run } = behind({ content: [text(whole)] });
    const { content } = (await run()) as { content: JsonObject[] };
    expect(content[0]?.text).toMatch(
      /^before \[Saved 6 KB of image\/png to file:\S+\] between \[Saved 6 KB of audio\/wav to file:\S+\] after$/,
    );
    expect(content[1]).toMatchObject({ type: 'resource_link', mimeType: 'image/png', size: png.length });
    expect(saved(content[1])).toEqual(png);
    expect(saved(content[2])).toEqual(bytes);
  });

  it('from audio and files is saved, and images stay in the result', async () => {
    const data = bytes.toString('base64');
    const image = { type: 'image', data, mimeType: 'image/png' };
    const blocks = [
      { type: 'audio', data, mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'x://y', blob: data, mimeType: 'application/pdf' } },
      image,
    ];
    const { content } = (await behind({ content: blocks }).run()) as { content: JsonObject[] };
    expect(content.map(({ type }) => type)).toEqual(['text', 'resource_link', 'text', 'resource_link', 'image']);
    expect(content.at(-1)).toBe(image);
    expect(saved(content[3])).toEqual(bytes);
  });

  it('is not detected in hexadecimal digits or long words', async () => {
    const whole = `${'0123456789abcdef'.repeat(300)} ${'A'.repeat(3_000)}`;
    const { run } = behind({ content: [text(whole)] }, { maxCharacters: 5_000 });
    expect(textOf(await run())).toContain('0123456789abcdef');
    expect(JSON.stringify(await run())).not.toContain('resource_link');
  });
});

describe('A result of many texts', () => {
  it('is as short as a result of one long text, and one handle returns all of it', async () => {
    const texts = Array.from({ length: 20_000 }, (_, at) => `text ${at}`);
    const image = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' };
    const { run, follow } = behind({ content: [...texts.map(text), image, text('the end')] });
    const { content } = (await run()) as { content: JsonObject[] };
    expect(JSON.stringify(content).length).toBeLessThan(10_000);
    expect(content.at(-1)).toBe(image);
    const cut = content.findIndex((block) => String(block.text).includes('[Characters'));
    let received = content.slice(0, cut).map((block) => block.text);
    let last = String(content[cut]?.text);
    let rest = shown(last);
    for (let next = await follow(last); next; next = await follow(last)) {
      last = textOf(next);
      rest += shown(last);
    }
    received = [...received, ...rest.split('\n')];
    expect(received).toEqual([...texts, 'the end']);
  });

  it('with the same text twice is cut at the second', async () => {
    const same = 'x'.repeat(600);
    const { content } = (await behind({ content: [text(same), text(same)] }).run()) as { content: JsonObject[] };
    expect(content[0]?.text).toBe(same);
    expect(content[1]?.text).toMatch(/^x{400}\n\[Characters 0 to 400 of 600/);
  });
});

describe('A client that truncates long results itself', () => {
  const codex: Client = { ...client, stated: 'codex-mcp-client' };

  it('gets parts that it does not truncate, even without a user setting', async () => {
    const { run, follow } = behind({ content: [text('x'.repeat(15_000))] }, { maxCharacters: 0 });
    const first = textOf(await run(codex));
    expect(first.length).toBeLessThan(10_240);
    expect(shown(first) + shown(textOf(await follow(first, codex)))).toBe('x'.repeat(15_000));
    expect(textOf(await run())).toHaveLength(15_000);
  });

  it('gets the whole structured content of a tool with an app', async () => {
    const structuredContent = { points: 'y'.repeat(5_000) };
    const { call } = behind({ content: [text('chart')], structuredContent }, { structured: true });
    expect(await call('files', 'chart', {})).toMatchObject({ structuredContent });
    expect(await call('files', 'read', {})).not.toHaveProperty('structuredContent');
  });
});
