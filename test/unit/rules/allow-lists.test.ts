/** Allow-lists, defaults and selection, including every example of the specification with the result that it states. */
import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../electron/core/rules/rules.ts';
import { orderRules, ruleViews, ruleWarnings } from '../../../electron/core/tools/rule-order.ts';
import type { Rule } from '../../../shared/model/rule.ts';
import type { Tool } from '../../../shared/model/tool.ts';

const target = (key: string) => {
  const [server = '', name = ''] = key.split('/');
  return { server, name };
};

interface Example {
  title: string;
  rules: Rule[];
  enabled: string[];
  disabled: string[];
  tags?: Record<string, string[]>;
}

const examples: Example[] = [
  {
    title: 'Pattern lists enable what they match, and nothing else is enabled',
    rules: [
      { pattern: ['*github*', '/issue/'], enabled: true, tags: ['github', 'issues'] },
      { pattern: ['*filesystem*', '/read/', '/write/'], enabled: true, tags: ['filesystem'] },
      { pattern: ['*dangerous*', '*delete*'], enabled: false, tags: ['dangerous'] },
    ],
    enabled: ['a/list_github_repos', 'github/create_issue', 'fs/read_file', 'fs/write_file'],
    disabled: ['fs/delete_file', 'fs/dangerous_thing', 'github/list_branches'],
    tags: { 'github/create_issue': ['github', 'issues'], 'fs/delete_file': ['dangerous'] },
  },
  {
    title: 'A mixed list with a negation',
    rules: [{ pattern: ['*github*', '/issue/', '!*delete*'], enabled: true, tags: ['github', 'safe'] }],
    enabled: ['x/github_search', 'x/list_issues'],
    disabled: ['x/delete_issue', 'x/github_delete_repo', 'x/list_files'],
    tags: { 'x/list_issues': ['github', 'safe'], 'x/delete_issue': [] },
  },
  {
    title: 'Server-specific filtering',
    rules: [
      { server: 'github', pattern: ['*issue*', '*pr*'], enabled: true },
      { server: 'filesystem', pattern: ['*delete*', '*rm*', '*remove*'], enabled: false },
    ],
    enabled: ['github/create_issue', 'github/list_prs', 'filesystem/read_file', 'slack/post'],
    disabled: ['github/push', 'filesystem/delete_file', 'filesystem/rmdir', 'filesystem/remove'],
  },
  {
    title: 'Example 1: all tools are available',
    rules: [{ pattern: ['*'], enabled: true }],
    enabled: ['a/x', 'b/delete_everything'],
    disabled: [],
  },
  {
    title: 'Example 2: only safe, specific tools are enabled, and dangerous operations are blocked',
    rules: [
      { server: 'github', pattern: ['*issue*'], enabled: true, tags: ['github', 'issues'] },
      { server: 'filesystem', pattern: ['*read*', '*list*'], enabled: true, tags: ['filesystem', 'safe'] },
      { pattern: ['*delete*', '*remove*', '*rm*'], enabled: false, tags: ['dangerous'] },
    ],
    enabled: ['github/create_issue', 'filesystem/read_file', 'filesystem/list_directory'],
    disabled: ['github/push', 'filesystem/write_file', 'filesystem/delete_file', 'slack/delete_message'],
    tags: { 'filesystem/list_directory': ['filesystem', 'safe'], 'slack/delete_message': ['dangerous'] },
  },
  {
    title: 'Example 3: tools of all sources are merged and filtered',
    rules: [
      { pattern: ['*'], enabled: true },
      { pattern: ['*delete*', '*destroy*'], enabled: false },
    ],
    enabled: ['a/read', 'b/create'],
    disabled: ['a/delete_file', 'b/destroy_cluster'],
  },
  {
    title: 'Example 4: fine-grained control with regular expressions',
    rules: [
      { server: 'github', pattern: ['/^(create|update)_/'], enabled: true, tags: ['github', 'write'] },
      { server: 'filesystem', pattern: ['/\\b(read|list|get)\\b/i'], enabled: true, tags: ['filesystem', 'read'] },
      { pattern: ['/(delete|remove|destroy)/i'], enabled: false, tags: ['dangerous'] },
    ],
    enabled: ['github/create_issue', 'github/update_file', 'filesystem/read', 'filesystem/List files', 'slack/post'],
    disabled: ['github/list_issues', 'github/DeleteRepo', 'filesystem/write', 'slack/remove_user'],
    tags: { 'github/create_issue': ['github', 'write'], 'slack/remove_user': ['dangerous'] },
  },
];

describe('An example of the specification', () => {
  it.each(examples)('$title', ({ rules, enabled, disabled, tags = {} }) => {
    const set = compileRules(rules);
    expect(set.problems).toEqual([]);
    expect(enabled.filter((key) => !set.decide(target(key)).enabled)).toEqual([]);
    expect(disabled.filter((key) => set.decide(target(key)).enabled)).toEqual([]);
    for (const [key, expected] of Object.entries(tags)) expect(set.decide(target(key)).tags).toEqual(expected);
  });

  it.each([
    ['*github*', ['list_github_repos'], ['list_repos']],
    ['github_*', ['github_create'], ['my_github']],
    ['*_issue', ['create_issue'], ['create_issues']],
    ['/github.*issue/i', ['GitHub_list_Issues'], ['list_issues']],
    ['/^fs_(read|write)$/', ['fs_read', 'fs_write'], ['fs_reads']],
    ['/\\b(create|update)\\b/', ['create thing'], ['created']],
  ])('The pattern %s enables only the matching tools', (pattern, matching, others) => {
    const set = compileRules([{ pattern: [pattern], enabled: true }]);
    for (const name of matching) expect(set.decide({ server: 'x', name }).enabled).toBe(true);
    for (const name of others) expect(set.decide({ server: 'x', name }).enabled).toBe(false);
  });
});

describe('A bare catch-all', () => {
  it.each([
    [
      [
        { pattern: ['*'], enabled: false },
        { pattern: ['*read*'], enabled: true },
      ] as Rule[],
    ],
    [
      [
        { pattern: ['*read*'], enabled: true },
        { pattern: ['*'], enabled: false },
      ] as Rule[],
    ],
  ])('is the default at any position', (rules) => {
    const set = compileRules(rules);
    expect(set.decide(target('a/read')).enabled).toBe(true);
    expect(set.decide(target('a/write')).enabled).toBe(false);
  });

  it('keeps undecided tools enabled if another rule enables some tools', () => {
    const set = compileRules([
      { pattern: ['*'], enabled: true },
      { server: 'a', pattern: ['read'], enabled: true },
    ]);
    expect(set.decide(target('a/write')).enabled).toBe(true);
  });

  it('is the default for confirm as well', () => {
    const set = compileRules([
      { pattern: ['*'], confirm: 'always' },
      { pattern: ['read'], confirm: 'never' },
    ]);
    expect(set.decide(target('a/read')).confirm).toBe('never');
    expect(set.decide(target('a/write')).confirm).toBe('always');
  });
});

describe('An allow-list', () => {
  it('is reported as the reason for a disabled tool, with the rule that created the list', () => {
    const set = compileRules([
      { pattern: ['x'], tags: ['t'] },
      { pattern: ['read'], enabled: true },
    ]);
    expect(set.decide(target('a/write'))).toMatchObject({ enabled: false, enabledBy: 'allow-list', decidedBy: 1 });
  });

  it('for one server leaves the tools of other servers enabled', () => {
    const set = compileRules([{ server: 'a', pattern: ['read'], enabled: true }]);
    expect(set.decide(target('a/write')).enabled).toBe(false);
    expect(set.decide(target('b/write')).enabled).toBe(true);
  });

  it('remains if its only pattern is invalid, so no tool is enabled by accident', () => {
    const set = compileRules([{ server: 'a', pattern: ['[read'], enabled: true }]);
    expect(set.problems).toHaveLength(1);
    expect(set.decide(target('a/read')).enabled).toBe(false);
    expect(set.decide(target('b/read')).enabled).toBe(true);
  });
});

describe('A selection', () => {
  const set = compileRules([
    { pattern: [], safety: ['dangerous'], enabled: false },
    { pattern: [], category: 'data', confirm: 'always' },
  ]);
  it('by safety level disables the tools of that level', () => {
    expect(set.decide({ server: 'a', name: 'x', safety: 'dangerous', category: 'api' }).enabled).toBe(false);
    expect(set.decide({ server: 'a', name: 'y', safety: 'moderate', category: 'api' }).enabled).toBe(true);
  });
  it('by category decides confirm', () => {
    expect(set.decide({ server: 'a', name: 'z', safety: 'safe', category: 'data' }).confirm).toBe('always');
    expect(set.decide({ server: 'a', name: 'w', safety: 'safe', category: 'api' }).confirm).toBe('auto');
  });
  it('follows a tool whose safety level changes', () => {
    expect(set.decide({ server: 'a', name: 'v', safety: 'safe', category: 'api' }).enabled).toBe(true);
    expect(set.decide({ server: 'a', name: 'v', safety: 'dangerous', category: 'api' }).enabled).toBe(false);
  });
});

describe('Warnings about rules', () => {
  const tool = (key: string) =>
    ({ ...target(key), category: 'general', annotations: { safetyLevel: 'moderate' } }) as unknown as Tool;
  it('name every tool that an earlier rule enables although a later rule would disable it', () => {
    const order = orderRules(
      [],
      [
        { pattern: ['*issue*'], enabled: true },
        { pattern: ['*delete*'], enabled: false },
        { pattern: ['delete_issue'], confirm: 'always', enabled: false },
      ],
      [],
    );
    const views = ruleViews(order, ['a/delete_issue', 'b/delete_issues', 'a/list_issues'].map(tool));
    expect(views[1]?.enabledFirst).toEqual([
      { server: 'a', tool: 'delete_issue', rule: 0 },
      { server: 'b', tool: 'delete_issues', rule: 0 },
    ]);
    const known = { servers: ['a', 'b'], tools: 2, awaited: [] };
    expect(ruleWarnings(views, known).filter((warning) => warning.includes('a:delete_issue'))).toHaveLength(1);
    expect(ruleWarnings(views, known)).toContainEqual(expect.stringContaining('Rule 1 enables b:delete_issues'));
  });
  it('do not count a default as a conflict', () => {
    const order = orderRules(
      [],
      [
        { pattern: ['*'], enabled: true },
        { pattern: ['*delete*'], enabled: false },
      ],
      [],
    );
    expect(
      ruleWarnings(ruleViews(order, [tool('a/delete_x'), tool('a/b')]), { servers: ['a'], tools: 2, awaited: [] }),
    ).toEqual([]);
  });
  it('name rules that can never decide anything, and invalid ones', () => {
    const order = orderRules(
      [{ pattern: ['*git*'], enabled: false, active: true }],
      [
        { pattern: ['git_push'], enabled: false },
        { pattern: ['git_pull'], enabled: true },
        { pattern: ['['], enabled: false },
      ],
      [],
    );
    const warnings = ruleWarnings(ruleViews(order, []), { servers: [], tools: 0, awaited: [] });
    expect(warnings[0]).toBe('Rule 2 can never decide anything: rule 1 decides first.');
    expect(warnings[1]).toMatch(/^Rule 3 can never enable a tool: rule 1 decides first\. It only makes an allow-list/);
    expect(warnings[2]).toContain('Rule 4: The pattern "[" is invalid');
  });

  it('include rules that set nothing, match no known tool, or name an unknown server', () => {
    const rules = [
      { pattern: ['read_*'] },
      { pattern: ['nothing_like_this'], enabled: false },
      { server: 'gitlab', pattern: [], enabled: false },
      { server: 'A', pattern: ['/\\b(read|list)\\b/i'], confirm: 'always' as const },
    ];
    const order = orderRules([], rules, []);
    const tools = [tool('a/read_file'), tool('a/listTools')];
    expect(ruleWarnings(ruleViews(order, tools), { servers: ['a'], tools: 2, awaited: [] })).toEqual([
      'Rule 1 sets nothing: it has none of `enabled`, `confirm`, `destinations` and `tags`.',
      'Rule 2 matches none of the known tools.',
      'Rule 3 names the server "gitlab", which is not configured.',
    ]);
    // Any server whose tools are not known yet may have such a tool, unless the rule names another.
    const awaiting = (rule: object) =>
      ruleWarnings(ruleViews(orderRules([], [{ pattern: ['nothing'], enabled: false, ...rule }], []), tools), {
        ...{ servers: ['a', 'b'], tools: 2, awaited: ['b'] },
      });
    for (const rule of [{}, { server: 'B' }, { server: '*' }]) expect(awaiting(rule)).toEqual([]);
    expect(awaiting({ server: 'a' })).toEqual(['Rule 1 matches none of the known tools.']);
    expect(ruleViews(order, tools).at(-1)?.matches).toBe(2);
    expect(ruleWarnings(ruleViews(order, []), { servers: ['a'], tools: 0, awaited: [] })).toHaveLength(2);
  });

  it("include a folder's rule that can never decide, counted after the user's rules", () => {
    const folder = (pattern: string[]) => ({ origin: 'folder' as const, pattern, enabled: false });
    const order = orderRules(
      [],
      [{ pattern: ['read_*'], enabled: false }],
      [],
      [folder(['delete_*']), folder(['delete_all'])],
    );
    const views = ruleViews(order, [tool('a/delete_all'), tool('a/read_file')]);
    expect(views.map(({ shadowedBy }) => shadowedBy)).toEqual([undefined, undefined, 1]);
    expect(ruleWarnings(views, { servers: ['a'], tools: 2, awaited: [] })).toEqual([
      'Rule 3 can never decide anything: rule 2 decides first.',
    ]);
  });
});
