/**
 * The configuration examples of the discovery specification. Each example is written to the config file unchanged, and the
 * command line of the built product shows which tools it enables, with which tags.
 *
 * @module-tag exhaustive
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commands } from '../../fixtures/commands.ts';
import { newProduct } from '../product.ts';

interface Example {
  title: string;
  rules: object[];
  github: string[];
  filesystem: string[];
  /** Tags of a tool, as `server/tool`. */
  tags?: Record<string, string[]>;
  /** Tools that an earlier rule enables although a later rule would disable them. */
  warnsOf?: string[];
}

const offered = {
  github: [
    'create_issue',
    'update_issue',
    'delete_issue',
    'create_pr',
    'list_repos',
    'delete_repo',
    'github_find_issue',
  ],
  filesystem: [
    'read_file',
    'write_file',
    'list-files',
    'update-notes',
    'fs_read',
    'remove_file',
    'delete_file',
    'rm_all',
  ],
};
const issues = ['create_issue', 'delete_issue', 'github_find_issue', 'update_issue'];
const without = (names: string[], ...gone: string[]) => names.filter((name) => !gone.includes(name));
const harmless = without(offered.filesystem, 'remove_file', 'delete_file', 'rm_all');

const examples: Example[] = [
  { title: 'a bare star enables everything', rules: [{ pattern: ['*'], enabled: true }], ...offered },
  {
    title: 'rules enable the tools of single servers, and a rule for all servers disables the rest',
    rules: [
      { server: 'github', pattern: ['*issue*'], enabled: true, tags: ['github', 'issues'] },
      { server: 'filesystem', pattern: ['*read*', '*list*'], enabled: true, tags: ['filesystem', 'safe'] },
      { pattern: ['*delete*', '*remove*', '*rm*'], enabled: false, tags: ['dangerous'] },
    ],
    github: issues,
    filesystem: ['fs_read', 'list-files', 'read_file'],
    tags: {
      'github/create_issue': ['github', 'issues'],
      'github/delete_issue': ['github', 'issues', 'dangerous'],
      'filesystem/read_file': ['filesystem', 'safe'],
      'filesystem/rm_all': ['dangerous'],
    },
    warnsOf: ['delete_issue'],
  },
  {
    title: 'a bare star is the default, even before a rule that disables',
    rules: [
      { pattern: ['*'], enabled: true },
      { pattern: ['*delete*', '*destroy*'], enabled: false },
    ],
    github: without(offered.github, 'delete_issue', 'delete_repo'),
    filesystem: without(offered.filesystem, 'delete_file'),
  },
  {
    title: 'regular expressions',
    rules: [
      { server: 'github', pattern: ['/^(create|update)_/'], enabled: true, tags: ['github', 'write'] },
      { server: 'filesystem', pattern: ['/\\b(read|list|get)\\b/i'], enabled: true, tags: ['filesystem', 'read'] },
      { pattern: ['/(delete|remove|destroy)/i'], enabled: false, tags: ['dangerous'] },
    ],
    github: ['create_issue', 'create_pr', 'update_issue'],
    filesystem: ['fs_read', 'list-files', 'read_file'],
    tags: { 'github/create_pr': ['github', 'write'], 'filesystem/read_file': ['filesystem', 'read'] },
  },
  {
    title: 'globs and expressions in one rule, which disables all other tools',
    rules: [
      { pattern: ['*github*', '/issue/'], enabled: true, tags: ['github', 'issues'] },
      { pattern: ['*filesystem*', '/read/', '/write/'], enabled: true, tags: ['filesystem'] },
      { pattern: ['*dangerous*', '*delete*'], enabled: false, tags: ['dangerous'] },
    ],
    github: issues,
    filesystem: ['fs_read', 'read_file', 'write_file'],
    tags: { 'filesystem/write_file': ['filesystem'], 'github/delete_repo': ['dangerous'] },
    warnsOf: ['delete_issue'],
  },
  {
    title: 'a negation beside positive patterns',
    rules: [{ pattern: ['*github*', '/issue/', '!*delete*'], enabled: true, tags: ['github', 'safe'] }],
    github: without(issues, 'delete_issue'),
    filesystem: [],
    tags: { 'github/update_issue': ['github', 'safe'], 'github/delete_issue': [] },
  },
  {
    title: 'an allow-list of one server, and a rule that disables on another',
    rules: [
      { server: 'github', pattern: ['*issue*', '*pr*'], enabled: true },
      { server: 'filesystem', pattern: ['*delete*', '*rm*', '*remove*'], enabled: false },
    ],
    github: [...issues, 'create_pr'],
    filesystem: harmless,
  },
  ...(
    [
      ['*github*', ['github_find_issue'], []],
      ['github_*', ['github_find_issue'], []],
      ['*_issue', issues, []],
      ['!*delete*', without(offered.github, 'delete_issue', 'delete_repo'), without(offered.filesystem, 'delete_file')],
      ['/github.*issue/i', ['github_find_issue'], []],
      ['/^fs_(read|write)$/', [], ['fs_read']],
      ['/\\b(create|update)\\b/', ['create_issue', 'create_pr', 'update_issue'], ['update-notes']],
    ] as [string, string[], string[]][]
  ).map(([pattern, github, filesystem]) => ({
    title: `the pattern ${pattern}`,
    rules: [{ pattern: [pattern], enabled: true }],
    github,
    filesystem,
  })),
];

const product = newProduct();
const configure = (rules: object[]) =>
  product.file('.toolkeep/config.json', {
    discovery: {
      enabled: true,
      cache: { enabled: true, ttl: 3600 },
      sources: [{ type: 'docker-mcp', path: '~/.docker/mcp-servers.json' }],
      toolRules: rules,
    },
  });
const json = async (...args: string[]) => JSON.parse((await product.cli(...args, '--json')).stdout);

beforeAll(async () => {
  const server = (name: keyof typeof offered) => {
    const file = join(product.home, `${name}.json`);
    const tools = offered[name].map((tool) => ({ name: tool, description: tool, inputSchema: { type: 'object' } }));
    product.file(`${name}.json`, tools);
    return commands.misbehaving('normal', `tools-file=${file}`);
  };
  product.file('.docker/mcp-servers.json', {
    mcpServers: { github: server('github'), filesystem: server('filesystem') },
  });
  configure([]);
  product.env.NODE_OPTIONS = `--require ${join(import.meta.dirname, '../../fixtures/clock-ahead.cjs')}`;
  await product.serve();
  await vi.waitFor(
    async () => {
      for (const [name, tools] of Object.entries(offered))
        expect((await json('tools', name)).tools).toHaveLength(tools.length);
    },
    { timeout: 30_000 },
  );
});
afterAll(() => product.dispose());

describe('An example of the discovery specification has the stated effect:', () => {
  it.each(examples)('$title', async ({ rules, github, filesystem, tags = {}, warnsOf = [] }) => {
    configure(rules);
    const { valid, warnings } = await json('config', 'validate');
    expect(valid).toBe(true);
    const [ofGithub, ofFilesystem] = await Promise.all([
      json('tools', 'github', '--all'),
      json('tools', 'filesystem', '--all'),
    ]);
    const lists = { github: ofGithub, filesystem: ofFilesystem };
    const enabled = (server: keyof typeof lists) =>
      (lists[server].tools as { name: string; enabled: boolean }[])
        .filter((tool) => tool.enabled)
        .map(({ name }) => name)
        .sort();
    expect(enabled('github')).toEqual([...github].sort());
    expect(enabled('filesystem')).toEqual([...filesystem].sort());
    for (const [ref, expected] of Object.entries(tags)) {
      const [server = '', name] = ref.split('/');
      const list = lists[server as keyof typeof lists].tools as { name: string; tags: string[] }[];
      expect(list.find((tool) => tool.name === name)?.tags, ref).toEqual(expected);
    }
    for (const tool of warnsOf) expect(warnings.join('\n')).toContain(tool);
    if (warnsOf.length === 0) expect(warnings.filter((text: string) => text.includes('disable'))).toEqual([]);
  });
});
