/** Discovery hooks of plug-ins: order, timeouts, failure isolation, and loading. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { loadPlugins } from '../../../electron/core/plugins/load.ts';
import { type DiscoveryPlugin, definePlugin } from '../../../electron/core/plugins/plugin-api.ts';
import { type DiscoverOptions, discover } from '../../../electron/core/tools/discovery/discovery.ts';
import { memoryServer, plain, tool } from '../../fixtures/discovery-servers.ts';

const forever = () => new Promise<never>(() => {});
const server = () => memoryServer({ 'tools/list': () => ({ tools: [tool('a'), tool('b'), tool('c')] }) });
const run = (plugins: DiscoveryPlugin[], more: Partial<DiscoverOptions> = {}) =>
  discover(server(), { ...plain, plugins, ...more });
const names = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name);

describe('Hooks', () => {
  it('run before, for each tool and after, in the order of the config', async () => {
    const said: string[] = [];
    const plugin = (name: string) =>
      definePlugin({
        name,
        beforeDiscovery: (server) => void said.push(`${name} before ${server}`),
        transformTool: (given) => {
          said.push(`${name} ${given.name}`);
          return { ...given, metadata: { ...given.metadata, [name]: true } };
        },
        afterDiscovery: async (server, tools) => void said.push(`${name} after ${server}: ${tools.length}`),
      });
    const { tools } = await run([plugin('one'), plugin('two')]);
    expect(said).toEqual([
      ...['one before memory', 'two before memory'],
      ...['one a', 'one b', 'one c', 'two a', 'two b', 'two c'],
      ...['one after memory: 3', 'two after memory: 3'],
    ]);
    expect(tools[0]?.metadata).toEqual({ one: true, two: true });
  });

  it('remove a tool with null or change it, synchronously or asynchronously', async () => {
    const plugin = definePlugin({
      name: 'p',
      transformTool: async (given) =>
        given.name === 'b' ? null : { ...given, annotations: { ...given.annotations, safetyLevel: 'dangerous' } },
    });
    const found = await run([plugin]);
    expect(names(found)).toEqual(['a', 'c']);
    expect(found.tools[0]?.annotations.safetyLevel).toBe('dangerous');
  });

  it('cannot change the identity of a tool or remove its findings', async () => {
    const before = await run([]);
    const sly = definePlugin({
      name: 'sly',
      transformTool: (given) => ({ ...given, key: 'x::y', server: 'x', name: 'y', shownName: 'z', fingerprint: 'f' }),
    });
    const { tools } = await run([sly]);
    const identity = ({ key, server, name, shownName, fingerprint, findings }: (typeof tools)[number]) => ({
      ...{ key, server, name, shownName, fingerprint, findings },
    });
    expect(tools.map(identity)).toEqual(before.tools.map(identity));
  });

  it('leave a tool unchanged if they modify it in place and then fail', async () => {
    const plugin = definePlugin({
      name: 'clumsy',
      transformTool: (given) => {
        given.definition.description = 'Broken';
        throw new Error('tripped');
      },
    });
    const { tools, warnings } = await run([plugin]);
    expect(tools[0]?.definition.description).toBe('Gets a.');
    expect(warnings).toEqual([
      'PLUGIN_FAILED: plug-in "clumsy" failed on 3 of 3 tools, which are unchanged; first failure: "a": tripped',
    ]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no network')), 'no network'],
    ['hangs', forever, 'took longer than 30 ms'],
  ])('that %s are reported and skipped, and the others run', async (_what, fails, reason) => {
    const bad = definePlugin({ name: 'bad', timeoutMs: 30, beforeDiscovery: fails, afterDiscovery: fails });
    const good = definePlugin({ name: 'good', transformTool: (given) => ({ ...given, metadata: { good: true } }) });
    const { tools, warnings } = await run([bad, good]);
    expect(tools.map(({ metadata }) => metadata)).toEqual([{ good: true }, { good: true }, { good: true }]);
    expect(warnings).toEqual(
      ['beforeDiscovery', 'afterDiscovery'].map((hook) =>
        expect.stringMatching(new RegExp(`${hook} of plug-in "bad" was skipped: .*${reason}`)),
      ),
    );
  });

  it.each([
    ['keep', ['a', 'b', 'c']],
    ['reject', ['a', 'c']],
  ] as const)('that fail for one tool %s it, as they declare', async (onFailure, left) => {
    const plugin = definePlugin({
      name: 'picky',
      onFailure,
      transformTool: (given) => {
        if (given.name === 'b') throw new Error('odd one');
        return given;
      },
    });
    const found = await run([plugin]);
    expect(names(found)).toEqual(left);
    expect(found.warnings).toEqual([expect.stringContaining('failed on 1 of 3 tools')]);
  });

  it('that reject on failure hide every tool that they did not process before the timeout', async () => {
    const plugin = definePlugin({
      name: 'guard',
      timeoutMs: 30,
      onFailure: 'reject',
      transformTool: (given) => (given.name === 'a' ? given : forever()),
    });
    const found = await run([plugin]);
    expect(names(found)).toEqual(['a']);
    expect(found.warnings).toContainEqual(expect.stringContaining('did not process were left out'));
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'tool'],
    ['no definition', { metadata: {} }],
  ])('that return %s fail for the tool', async (_what, result) => {
    const plugin = definePlugin({ name: 'odd', transformTool: () => result as never });
    const found = await run([plugin]);
    expect(names(found)).toEqual(['a', 'b', 'c']);
    expect(found.warnings).toEqual([expect.stringContaining('failed on 3 of 3 tools')]);
  });
});

describe('A plug-in written for another MCP host', () => {
  const tools = (found: Awaited<ReturnType<typeof run>>) =>
    Object.fromEntries(found.tools.map((one) => [one.name, one]));

  it('adds metadata to the tool, and finds its server, description and schema on it', async () => {
    const plugin = definePlugin({
      name: 'org-metadata',
      version: '1.0.0',
      transformTool: (tool) => {
        const { serverId, description, inputSchema } = tool as typeof tool & Record<string, unknown>;
        const isComplete = serverId === tool.server && description !== undefined && typeof inputSchema === 'object';
        const team = tool.name === 'a' ? 'platform' : 'unassigned';
        return { ...tool, metadata: { ...tool.metadata, team, isComplete } };
      },
    });
    const found = tools(await run([plugin]));
    expect(found.a?.metadata).toEqual({ team: 'platform', isComplete: true });
    expect(found.b?.metadata).toEqual({ team: 'unassigned', isComplete: true });
    expect(Object.keys(found.a ?? {})).not.toContain('serverId');
  });

  it('decides access by the category in the metadata', async () => {
    const seen: unknown[] = [];
    const plugin = definePlugin({
      name: 'access-control',
      version: '1.0.0',
      transformTool: (tool) => {
        seen.push(tool.metadata?.category);
        return tool.metadata?.category === tool.category && tool.name === 'a' ? null : tool;
      },
    });
    expect(names(await run([plugin]))).toEqual(['b', 'c']);
    expect(seen).not.toContain(undefined);
  });

  it('hides a tool if it uses something that does not exist', async () => {
    const plugin = definePlugin({
      name: 'access-control',
      transformTool: (tool) => ((tool as unknown as { roles: string[] }).roles.includes('user') ? tool : null),
    });
    const found = await run([plugin]);
    expect(names(found)).toEqual([]);
    expect(found.warnings).toEqual([expect.stringContaining('which are hidden if it used something undefined')]);
  });
});

describe('Loading', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolkeep-plugins-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return `./${name}`;
  };
  const load = (...entries: unknown[]) => loadPlugins(entries, { baseDir: folder });
  const body = `transformTool: (tool) => tool`;

  it.each([
    [
      'TypeScript',
      'default.ts',
      `const name: string = 'p';\nexport default { name, ${body.replace('tool)', 'tool: object)')} };`,
    ],
    ['a named export', 'named.ts', `export const plugin = { name: 'p', ${body} };`],
    ['an ES module', 'module.mjs', `export default { name: 'p', ${body} };`],
    ['CommonJS', 'common.cjs', `module.exports = { name: 'p', ${body} };`],
    ['CommonJS with a named export', 'named.cjs', `exports.plugin = { name: 'p', ${body} };`],
    ['a function', 'function.js', `module.exports = () => ({ name: 'p', ${body} });`],
    [
      'our own module',
      'ours.ts',
      `import { definePlugin, gatedTools } from 'toolkeep/plugin';\nimport { defineConfig } from 'toolkeep/config';\nif (!gatedTools || !defineConfig) throw new Error('not there');\nexport default definePlugin({ name: 'p', ${body} });`,
    ],
  ])('accepts %s', async (_what, name, text) => {
    const { plugins, problems } = await load(write(name, text));
    expect(problems).toEqual([]);
    expect(plugins.map((plugin) => plugin.name)).toEqual(['p']);
  });

  it('passes options to a module that exports a function', async () => {
    const path = write('options.ts', `export default ({ name }: { name: string }) => ({ name, ${body} });`);
    const { plugins } = await load({ path, options: { name: 'q' } });
    expect(plugins[0]?.name).toBe('q');
  });

  it('reports each unusable entry and loads the others', async () => {
    const good = write('good.ts', `export default { name: 'good', ${body} };`);
    const entries: [entry: unknown, why: string][] = [
      ['./missing.ts', 'Cannot find module'],
      [write('syntax.ts', 'export default {'), 'cannot be used'],
      [write('throws.ts', 'throw new Error("at once")'), 'at once'],
      [write('empty.ts', 'export {}'), 'exports no plug-in'],
      [{ transformTool: () => null }, 'has no "name"'],
      [{ name: 'a::b', transformTool: () => null }, 'contains "::"'],
      [{ name: 'x' }, 'has none of'],
      [{ name: 'x', transformTool: 'yes' }, 'is not a function'],
      [{ name: 'x', provideTools: () => [] }, 'no execute'],
      [{ name: 'x', transformTool: () => null, timeoutMs: 'soon' }, 'is not a number'],
      [good, 'already has the name "good"'],
      [null, 'exports no plug-in'],
    ];
    const { plugins, problems } = await load(good, ...entries.map(([entry]) => entry));
    expect(plugins.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toHaveLength(entries.length);
    for (const [index, [, why]] of entries.entries())
      expect(problems[index]).toMatchObject({
        code: 'PLUGIN_FAILED',
        path: `plugins[${index + 1}]`,
        message: expect.stringContaining(why),
      });
  });

  it('hides every tool and reports it if a plug-in expects a key that this version does not have', async () => {
    const { plugins, problems } = await load({ name: 'guard', filterTool: () => false, transformTool: () => null });
    expect(problems).toMatchObject([
      {
        code: 'PLUGIN_FAILED',
        message: expect.stringContaining('has "filterTool", which this version does not support'),
      },
    ]);
    expect(names(await run(plugins))).toEqual([]);
  });

  it("sends a module's output to stderr, never to stdout", async () => {
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      await load(write('loud.ts', `console.log('loud-42'); export default { name: 'loud', ${body} };`));
      expect(out.mock.calls.join()).not.toContain('loud-42');
      expect(err.mock.calls.join()).toContain('loud-42');
    } finally {
      out.mockRestore();
      err.mockRestore();
    }
  });

  it('changes the version only after a relevant change', async () => {
    const path = write('versioned.ts', `export default () => ({ name: 'v', ${body} });`);
    const first = (await load({ path })).version;
    expect((await load({ path })).version).toBe(first);
    const others = [(await load({ path, options: { a: 1 } })).version];
    write('versioned.ts', `export default () => ({ name: 'v', version: '2', ${body} });`);
    others.push((await load({ path })).version, (await load()).version);
    expect(new Set([first, ...others]).size).toBe(4);
  });
});
