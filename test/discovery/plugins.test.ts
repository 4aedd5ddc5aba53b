/** Plug-ins around a discovery: order, time bounds, failure isolation, and how they are loaded. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type DiscoverOptions, discover } from '../../electron/core/discovery/discovery.ts';
import { loadPlugins } from '../../electron/core/discovery/load.ts';
import { type DiscoveryPlugin, definePlugin } from '../../electron/core/extension/plugin.ts';
import { memoryServer, plain, tool } from './servers.ts';

const forever = () => new Promise<never>(() => {});
const server = () => memoryServer({ 'tools/list': () => ({ tools: [tool('a'), tool('b'), tool('c')] }) });
const run = (plugins: DiscoveryPlugin[], more: Partial<DiscoverOptions> = {}) =>
  discover(server(), { ...plain, plugins, ...more });
const names = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name);

describe('hooks', () => {
  it('run before, for each tool and after, in the order of the config (B17)', async () => {
    const said: string[] = [];
    const plugin = (name: string) =>
      definePlugin({
        name,
        beforeDiscovery: ({ server }) => void said.push(`${name} before ${server}`),
        transformTool: (given) => {
          said.push(`${name} ${given.name}`);
          return { ...given, metadata: { ...given.metadata, [name]: true } };
        },
        afterDiscovery: async (tools) => void said.push(`${name} after ${tools.length}`),
      });
    const { tools } = await run([plugin('one'), plugin('two')]);
    expect(said).toEqual([
      ...['one before memory', 'two before memory'],
      ...['one a', 'one b', 'one c', 'two a', 'two b', 'two c'],
      ...['one after 3', 'two after 3'],
    ]);
    expect(tools[0]?.metadata).toEqual({ one: true, two: true });
  });

  it('leave a tool out by null, and change what is said of one, in time or later (B17)', async () => {
    const plugin = definePlugin({
      name: 'p',
      transformTool: async (given) =>
        given.name === 'b' ? null : { ...given, annotations: { ...given.annotations, safetyLevel: 'dangerous' } },
    });
    const found = await run([plugin]);
    expect(names(found)).toEqual(['a', 'c']);
    expect(found.tools[0]?.annotations.safetyLevel).toBe('dangerous');
  });

  it('cannot change what routing and trust stand on, nor take findings away', async () => {
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

  it('that change a tool in place and then fail leave no trace', async () => {
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
      'PLUGIN_FAILED: plug-in "clumsy" failed on 3 of 3 tools, which were left as they were; first "a": tripped',
    ]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no network')), 'no network'],
    ['hangs', forever, 'took longer than 30 ms'],
  ])('that %s are named and left out, and the others go on (B17, A10)', async (_what, fails, reason) => {
    const bad = definePlugin({ name: 'bad', timeoutMs: 30, beforeDiscovery: fails, afterDiscovery: fails });
    const good = definePlugin({ name: 'good', transformTool: (given) => ({ ...given, metadata: { good: true } }) });
    const { tools, warnings } = await run([bad, good]);
    expect(tools.map(({ metadata }) => metadata)).toEqual([{ good: true }, { good: true }, { good: true }]);
    expect(warnings).toEqual(
      ['beforeDiscovery', 'afterDiscovery'].map((hook) =>
        expect.stringMatching(new RegExp(`plug-in "bad" was left out of ${hook}: .*${reason}`)),
      ),
    );
  });

  it.each([
    ['keep', ['a', 'b', 'c']],
    ['reject', ['a', 'c']],
  ] as const)('that fail on one tool %s it, as they declare (B17)', async (onFailure, left) => {
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

  it('that guard access and run out of time let nothing pass that they did not see', async () => {
    const plugin = definePlugin({
      name: 'guard',
      timeoutMs: 30,
      onFailure: 'reject',
      transformTool: (given) => (given.name === 'a' ? given : forever()),
    });
    const found = await run([plugin]);
    expect(names(found)).toEqual(['a']);
    expect(found.warnings).toContainEqual(expect.stringContaining('did not get to were left out'));
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'tool'],
    ['no definition', { metadata: {} }],
  ])('that return %s fail on the tool', async (_what, result) => {
    const plugin = definePlugin({ name: 'odd', transformTool: () => result as never });
    const found = await run([plugin]);
    expect(names(found)).toEqual(['a', 'b', 'c']);
    expect(found.warnings).toEqual([expect.stringContaining('failed on 3 of 3 tools')]);
  });
});

describe('loading', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-plugins-'));
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
      `import { definePlugin, gateTools } from 'gatehouse/plugin';\nimport { defineConfig } from 'gatehouse/config';\nif (!gateTools || !defineConfig) throw new Error('not there');\nexport default definePlugin({ name: 'p', ${body} });`,
    ],
  ])('takes %s (B17, A12)', async (_what, name, text) => {
    const { plugins, problems } = await load(write(name, text));
    expect(problems).toEqual([]);
    expect(plugins.map((plugin) => plugin.name)).toEqual(['p']);
  });

  it('gives options to a module that exports a function', async () => {
    const path = write('options.ts', `export default ({ name }: { name: string }) => ({ name, ${body} });`);
    const { plugins } = await load({ path, options: { name: 'q' } });
    expect(plugins[0]?.name).toBe('q');
  });

  it('names each entry that cannot be used and keeps the others (A10)', async () => {
    const good = write('good.ts', `export default { name: 'good', ${body} };`);
    const entries: [entry: unknown, why: string][] = [
      ['./missing.ts', 'Cannot find module'],
      [write('syntax.ts', 'export default {'), 'cannot be used'],
      [write('throws.ts', 'throw new Error("at once")'), 'at once'],
      [write('empty.ts', 'export {}'), 'exports no plug-in'],
      [{ transformTool: () => null }, 'has no "name"'],
      [{ name: 'a::b', transformTool: () => null }, 'holds "::"'],
      [{ name: 'x' }, 'has none of'],
      [{ name: 'x', transformTool: 'yes' }, 'is not a function'],
      [{ name: 'x', provideTools: () => [] }, 'no execute'],
      [{ name: 'x', transformTool: () => null, timeoutMs: 'soon' }, 'is not a number'],
      [good, 'called "good" already'],
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

  it('has another version after each change that could matter, and the same without one', async () => {
    const path = write('versioned.ts', `export default () => ({ name: 'v', ${body} });`);
    const first = (await load({ path })).version;
    expect((await load({ path })).version).toBe(first);
    const others = [(await load({ path, options: { a: 1 } })).version];
    write('versioned.ts', `export default () => ({ name: 'v', version: '2', ${body} });`);
    others.push((await load({ path })).version, (await load()).version);
    expect(new Set([first, ...others]).size).toBe(4);
  });
});
