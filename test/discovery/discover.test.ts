import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { discover } from '../../electron/core/discovery/discovery.ts';
import { fixtureServer, memoryServer, plain, tool } from './servers.ts';

const forever = () => new Promise<never>(() => {});

describe('discovery of a running server', () => {
  it('lists tools, prompts, resources and templates with all they declare (D4)', async () => {
    await using server = fixtureServer('normal');
    const found = await discover(server.upstream, { ...plain, slug: 'fixture' });
    expect(found.tools.map(({ key }) => key)).toContain('fixture::echo');
    expect(found.tools.find(({ name }) => name === 'echo')).toMatchObject({
      shownName: 'fixture-echo',
      definition: { name: 'echo', description: 'Gives back what it gets.' },
    });
    expect(found.prompts).toEqual([{ name: 'greet', description: 'Greets.' }]);
    expect(found.resources).toEqual([{ uri: 'test://one', name: 'one' }]);
    expect(found.resourceTemplates).toEqual([]);
    expect(found.instructions).toBe('Does: normal');
    expect(found.warnings).toEqual([]);
  });

  it('asks for the lists of all kinds at once, not one after the other (D4)', async () => {
    const all = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
    const begun: string[] = [];
    const together = Promise.withResolvers<void>();
    const list = (method: string) => async () => {
      begun.push(method);
      if (begun.length === all.length) together.resolve();
      // None is answered before the last one has been asked for.
      await together.promise;
      return { tools: [], prompts: [], resources: [], resourceTemplates: [] };
    };
    const answers = Object.fromEntries(all.map((method) => [method, list(method)]));
    await discover(memoryServer(answers, { tools: {}, prompts: {}, resources: {} }), plain);
    expect(begun.toSorted()).toEqual(all.toSorted());
  });

  it('reads 5,000 tools in pages of 50 and keeps their order (A16)', async () => {
    await using server = fixtureServer('many-tools', 'page=50');
    const { tools, warnings } = await discover(server.upstream, plain);
    expect(tools).toHaveLength(5000);
    expect(tools[4999]?.name).toBe('tool_4999');
    expect(warnings).toEqual([]);
  });

  it('notices pages that go round and round, and keeps the tools (B4)', async () => {
    await using server = fixtureServer('loop-pages');
    const { tools, warnings } = await discover(server.upstream, plain);
    expect(tools.map(({ name }) => name)).toContain('echo');
    expect(warnings).toEqual([
      expect.stringContaining('round and round'),
      'The server declares 6 tools more than once in the same words; each counts once.',
    ]);
  });

  it('fails as a whole when a page of tools is lost, rather than showing half of them', async () => {
    await using server = fixtureServer('bad-pages');
    await expect(discover(server.upstream, plain)).rejects.toThrow('page lost');
  });

  it('skips schema bombs and keeps their good siblings (B4, B14)', async () => {
    await using server = fixtureServer('schema-bomb');
    const { tools, warnings } = await discover(server.upstream, plain);
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['echo', 'slow-pattern']));
    for (const bomb of ['deep', 'wide', 'endless', 'no-schema']) {
      expect(names).not.toContain(bomb);
      expect(warnings).toContainEqual(expect.stringContaining(`TOOL_INVALID: tool "${bomb}" was skipped`));
    }
  });

  it('lets the first of two tools of one name win, and says so (B4)', async () => {
    await using server = fixtureServer('duplicate-names');
    const { tools, warnings } = await discover(server.upstream, plain);
    const echoes = tools.filter(({ name }) => name === 'echo');
    expect(echoes.map(({ definition }) => definition.description)).toEqual(['Gives back what it gets.']);
    expect(warnings).toEqual([expect.stringContaining('declares the name twice')]);
  });

  it('skips tools without name or schema, each with its own warning (B4)', async () => {
    await using server = fixtureServer('bad-tools');
    const { tools, warnings } = await discover(server.upstream, plain);
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'pid', 'env', 'sleep', 'fail', 'exit']);
    expect(warnings).toHaveLength(5);
    expect(warnings[1]).toBe('TOOL_INVALID: tool "bare" was skipped: it has no inputSchema.');
  });

  it('tells of the first fifty unusable tools and counts the rest', async () => {
    const bad = Array.from({ length: 80 }, (_, index) => ({ name: `t${index}` }));
    const { warnings } = await discover(memoryServer({ 'tools/list': () => ({ tools: bad }) }), plain);
    expect(warnings).toHaveLength(51);
    expect(warnings[50]).toBe('30 more tools were skipped for reasons like these.');
  });

  it('gives up on a server that never answers, with the time it waited (B3, E7)', async () => {
    await using server = fixtureServer('hang-at-list');
    await server.upstream.start();
    const failed = discover(server.upstream, { ...plain, timeoutMs: 200 });
    await expect(failed).rejects.toMatchObject({ failure: { code: 'SERVER_TIMEOUT' } });
  });
});

describe('discovery', () => {
  it('asks only for what the server says it offers', async () => {
    const server = memoryServer({ 'prompts/list': () => ({ prompts: [{ name: 'p' }] }) }, { prompts: {} });
    const found = await discover(server, plain);
    expect(server.asked).toEqual(['prompts/list']);
    expect(found.prompts).toHaveLength(1);
  });

  it('says when a server offers nothing at all', async () => {
    const { warnings } = await discover(memoryServer({}, {}), plain);
    expect(warnings).toEqual(['The server says that it offers no tools, prompts or resources.']);
  });

  it('keeps the tools when another list fails, and names the list', async () => {
    const server = memoryServer(
      {
        'tools/list': () => ({ tools: [tool('a')] }),
        'resources/list': () => {
          throw new Error('disk on fire');
        },
      },
      { tools: {}, resources: {} },
    );
    const { tools, warnings } = await discover(server, plain);
    expect(tools).toHaveLength(1);
    expect(warnings).toEqual(['resources/list failed: disk on fire']);
  });

  it('keeps unknown fields of a definition as they are', async () => {
    const odd = tool('a', { 'x-vendor': { deep: [1] }, execution: { taskSupport: 'optional' }, _meta: { 'a/b': 1 } });
    const { tools } = await discover(memoryServer({ 'tools/list': () => ({ tools: [odd] }) }), plain);
    expect(tools[0]?.definition).toEqual(odd);
  });

  it('refuses an answer that holds no list', async () => {
    const server = memoryServer({ 'tools/list': () => ({ tools: 'none' }) });
    await expect(discover(server, plain)).rejects.toMatchObject({ failure: { code: 'SERVER_PROTOCOL_ERROR' } });
  });

  it('ends a list whose cursor never repeats and never ends', async () => {
    const server = memoryServer({ 'tools/list': () => ({ tools: [], nextCursor: randomUUID() }) });
    const { warnings } = await discover(server, plain);
    expect(warnings).toEqual([expect.stringMatching(/more than \d+ pages/)]);
  });

  it('ends a list of too many items', async () => {
    const tools = Array.from({ length: 9_000 }, (_, index) => tool(`t${index}`));
    const server = memoryServer({ 'tools/list': () => ({ tools, nextCursor: randomUUID() }) });
    const { warnings } = await discover(server, plain);
    expect(server.asked).toHaveLength(3);
    expect(warnings).toContainEqual(expect.stringMatching(/more than \d+ items/));
  });

  it('asks a server once for all who want to know at the same time (B1)', async () => {
    const server = memoryServer({ 'tools/list': () => ({ tools: [tool('a')] }) });
    const [one, other] = await Promise.all([discover(server, plain), discover(server, plain)]);
    expect(server.asked).toEqual(['tools/list']);
    expect(one).toBe(other);
    await discover(server, plain);
    expect(server.asked).toHaveLength(2);
  });

  it('lets one caller go without taking the discovery from the others', async () => {
    let answer: (value: unknown) => void = () => {};
    const server = memoryServer({ 'tools/list': () => new Promise((resolve) => (answer = resolve)) });
    const impatient = new AbortController();
    const left = discover(server, { ...plain, signal: impatient.signal });
    const stays = discover(server, plain);
    await new Promise(setImmediate);
    impatient.abort();
    await expect(left).rejects.toMatchObject({ failure: { code: 'CANCELLED' } });
    answer({ tools: [tool('a')] });
    expect((await stays).tools).toHaveLength(1);
  });

  it('passes the end of interest on to the server once nobody waits any more', async () => {
    let heard: AbortSignal | undefined;
    const server = memoryServer({
      'tools/list': (_params, signal) => {
        heard = signal;
        return forever();
      },
    });
    const stop = new AbortController();
    const failed = discover(server, { ...plain, signal: stop.signal });
    await new Promise(setImmediate);
    stop.abort();
    await expect(failed).rejects.toMatchObject({ failure: { code: 'CANCELLED' } });
    expect(heard?.aborted).toBe(true);
  });

  it('takes no notice of a caller that had gone before it began', async () => {
    const server = memoryServer({ 'tools/list': forever });
    const failed = discover(server, { ...plain, signal: AbortSignal.abort() });
    await expect(failed).rejects.toMatchObject({ failure: { code: 'CANCELLED' } });
  });

  it('skips the tools of a server whose name would break their keys (B4)', async () => {
    const server = { ...memoryServer({ 'tools/list': () => ({ tools: [tool('a')] }) }), server: { name: 'a::b' } };
    const { tools, warnings } = await discover(server, plain);
    expect(tools).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('cannot name a server')]);
  });
});
