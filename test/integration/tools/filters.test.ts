/** The user's list of tools, filtered and sorted, from running servers and finished calls. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CommandInput } from '../../../shared/protocol/contract.ts';
import { commands } from '../../fixtures/commands.ts';
import { type ExternalProject, externalProject, shopTools, toolNames } from '../plugins/external-project.ts';

let folder: ExternalProject;
const list = async (filter: CommandInput<'tools.list'>) =>
  (await folder.core.handlers['tools.list'](filter)).map(({ name }) => name);

beforeAll(async () => {
  folder = await externalProject(({ configure, offer, host }) => {
    offer([
      ...shopTools,
      { name: 'commit', description: 'Commits to the git repository.', inputSchema: { type: 'object' } },
      { name: 'web_search', description: 'Searches the web.', inputSchema: { type: 'object' } },
    ]);
    const shop = commands.misbehaving('normal', `tools-file=${host.cwd}/offered.json`);
    configure({
      servers: { shop, bench: commands.misbehaving('normal') },
      toolRules: [
        { pattern: ['add_note'], enabled: false },
        { pattern: ['*_order*'], tags: ['sales'] },
      ],
    });
  });
  for (const server of ['shop', 'bench'])
    await vi.waitFor(async () => expect(await toolNames(folder, server)).toHaveLength(6), 20_000);
});
afterAll(() => folder[Symbol.asyncDispose]());

describe('The list of tools', () => {
  it.each<[string, CommandInput<'tools.list'>, string[]]>([
    ['part of the name', { name: 'ORDER' }, ['delete_order', 'list_orders']],
    ['a glob for the name', { server: 'shop', name: '*_ORDER*' }, ['delete_order', 'list_orders']],
    ['a glob for the whole name', { server: 'shop', name: '{commit,order}' }, ['commit']],
    ['a regular expression for the name', { name: '/^(add|web)_/' }, ['add_note', 'web_search']],
    ['an expression that must not match', { server: 'shop', name: '!/_/' }, ['commit']],
    ['server and name', { name: 'shop:web_*' }, ['web_search']],
    ['words of the description, in any order', { description: 'order note' }, ['add_note']],
    ['text anywhere', { text: 'production' }, ['deploy_shop']],
    [
      'a server',
      { server: 'shop', name: 'e' },
      ['add_note', 'delete_order', 'deploy_shop', 'list_orders', 'web_search'],
    ],
    ['several servers', { servers: ['bench'], name: 'e' }, ['echo', 'env', 'exit', 'sleep']],
    ['a category', { category: 'version-control' }, ['commit']],
    ['what only reads', { server: 'shop', readOnly: true }, ['list_orders', 'web_search']],
    ['what destroys', { server: 'shop', destructive: true }, ['delete_order', 'deploy_shop']],
    ['what can be repeated', { server: 'shop', idempotent: true }, ['list_orders', 'web_search']],
    ['what reaches outside', { server: 'shop', openWorld: true }, ['web_search']],
    ['a tag', { tag: 'sales' }, ['delete_order', 'list_orders']],
    ['what agents can run', { server: 'shop', available: true, name: 'n' }, []],
    ['what is on', { server: 'shop', includeDisabled: false, name: 'note' }, []],
    ['several at once', { server: 'shop', safetyLevel: 'moderate', includeDisabled: false }, ['commit']],
    ['a number', { server: 'shop', limit: 2 }, ['add_note', 'commit']],
  ])('is filtered by %s', async (_what, filter, names) => {
    expect(await list(filter)).toEqual(names);
  });

  it('says what is wrong with a pattern for the name', async () => {
    await expect(list({ name: '/(/' })).rejects.toMatchObject({
      failure: { code: 'INPUT_INVALID', message: expect.stringContaining('The pattern "/(/" is invalid') },
    });
  });

  it('filters by safety level and by required confirmation', async () => {
    const of = (safetyLevel: 'safe' | 'moderate' | 'dangerous') => list({ server: 'shop', safetyLevel });
    const [safe, moderate, dangerous] = await Promise.all([of('safe'), of('moderate'), of('dangerous')]);
    expect({ safe, moderate, dangerous }).toEqual({
      safe: ['list_orders', 'web_search'],
      moderate: ['add_note', 'commit'],
      dangerous: ['delete_order', 'deploy_shop'],
    });
    const asking = ['add_note', 'commit', 'delete_order', 'deploy_shop'];
    expect(await list({ server: 'shop', requiresConfirmation: true })).toEqual(asking);
  });

  it('is sorted by name, calls, success rate and time, in both directions', async () => {
    const run = (tool: string, args: Record<string, unknown> = {}) =>
      folder.core.handlers['tools.execute']({ server: 'bench', tool, arguments: args });
    // The start of the server must not count as the time of a tool.
    await folder.core.handlers['servers.restart']({ server: 'bench' });
    for (let call = 0; call < 3; call += 1) await run('echo', { text: 'x' });
    await run('sleep', { ms: 1000 });
    await expect(run('fail')).rejects.toThrow();
    await expect(run('fail')).rejects.toThrow();
    const sorted = async (sortBy: 'name' | 'callCount' | 'successRate' | 'averageTime', desc = true) =>
      list({ server: 'bench', sortBy, ...(desc && { sortDirection: 'desc' }), limit: 2 });
    expect(await sorted('name')).toEqual(['sleep', 'pid']);
    expect(await sorted('name', false)).toEqual(['echo', 'env']);
    const all = await list({ sortBy: 'name' });
    expect(all).toEqual(all.toSorted());
    const parts = [0, 3, 6, all.length].map((offset) => list({ sortBy: 'name', offset, limit: 3 }));
    expect(await Promise.all(parts)).toEqual([all.slice(0, 3), all.slice(3, 6), all.slice(6, 9), []]);
    expect(await sorted('callCount')).toEqual(['echo', 'fail']);
    expect(await sorted('successRate')).toEqual(['echo', 'sleep']);
    expect((await sorted('averageTime'))[0]).toBe('sleep');
  });
});
