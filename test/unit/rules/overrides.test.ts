/** Overrides of single tools, and the conversion of the user's own rules that older versions wrote. */
import { describe, expect, it } from 'vitest';
import { migrateRules } from '../../../electron/core/rules/migrate.ts';
import { withPolicy } from '../../../electron/core/rules/overrides.ts';
import { orderRules } from '../../../electron/core/tools/rule-order.ts';
import type { OwnRule } from '../../../shared/model/rule.ts';
import type { Tool } from '../../../shared/model/tool.ts';

const tool = (key: string) => {
  const [server, name] = key.split('/');
  return { server, name, category: 'general', annotations: { safetyLevel: 'safe' } } as unknown as Tool;
};
const own = (rule: Partial<OwnRule>): OwnRule => ({ pattern: [], active: true, ...rule });

describe('An override', () => {
  it('takes precedence over every rule, for exactly one tool', () => {
    const { decide } = orderRules(
      [own({ pattern: ['/.*/'], enabled: false, confirm: 'always', tags: ['t'] })],
      [],
      [{ server: 'git', tool: 'push', enabled: true, confirm: 'never' }],
    );
    expect(decide(tool('git/push'))).toEqual({
      enabled: true,
      confirm: 'never',
      tags: ['t'],
      enabledBy: 'override',
      override: { enabled: true, confirm: 'never' },
    });
    for (const other of ['git/Push', 'Git/push', 'git/push2', 'x/push'])
      expect(decide(tool(other)).enabled).toBe(false);
  });

  it('never creates an allow-list', () => {
    const { decide } = orderRules([], [], [{ server: 'git', tool: 'push', enabled: true }]);
    expect(decide(tool('git/pull')).enabled).toBe(true);
  });

  it('is changed one field at a time, and removed with its last field', () => {
    const place = { server: 'git', tool: 'push' };
    const disabled = withPolicy([], place, { enabled: false });
    expect(disabled).toEqual([{ ...place, enabled: false }]);
    const both = withPolicy(disabled, place, { confirm: 'always' });
    expect(both).toEqual([{ ...place, enabled: false, confirm: 'always' }]);
    const confirmOnly = withPolicy(both, place, { enabled: null });
    expect(confirmOnly).toEqual([{ ...place, confirm: 'always' }]);
    expect(withPolicy(confirmOnly, place, { confirm: null })).toEqual([]);
    expect(withPolicy(confirmOnly, { server: 'git', tool: 'pull' }, {})).toEqual(confirmOnly);
  });
});

describe('Own rules of an older version', () => {
  it('become overrides if they name one tool exactly', () => {
    expect(
      migrateRules([
        own({ server: 'git', pattern: ['push'], enabled: false }),
        own({ server: 'git', pattern: ['push'], enabled: true, confirm: 'always' }),
        own({ server: '/^a\\.b\\(c\\)$/', pattern: ['/^x\\-y\\+$/'], confirm: 'never' }),
      ]),
    ).toEqual({
      rules: [],
      overrides: [
        { server: 'git', tool: 'push', enabled: false, confirm: 'always' },
        { server: 'a.b(c)', tool: 'x-y+', confirm: 'never' },
      ],
    });
  });

  it.each<[string, Partial<OwnRule>]>([
    ['an inactive rule', { server: 'git', pattern: ['push'], enabled: false, active: false }],
    ['a rule with tags', { server: 'git', pattern: ['push'], tags: ['t'] }],
    ['a rule for all servers', { pattern: ['push'], enabled: false }],
    ['a rule with a wildcard', { server: 'git', pattern: ['push*'], enabled: false }],
    ['an expression that is not literal', { server: 'git', pattern: ['/^pu.h$/'], enabled: false }],
    ['an expression with a character class', { server: 'git', pattern: ['/^push\\d$/'], enabled: false }],
  ])('such as %s stay rules', (_case, rule) => {
    const { rules, overrides } = migrateRules([own(rule)]);
    expect(overrides).toEqual([]);
    expect(rules).toHaveLength(1);
  });

  it('keep every decision: no tool is enabled or disabled by the conversion', () => {
    const before = [
      own({ pattern: ['*'], server: 'locked', enabled: false }),
      own({ server: 'locked', pattern: ['read'], enabled: true }),
      own({ server: 'git', pattern: ['push'], enabled: false }),
      own({ pattern: ['*github*'], enabled: false }),
      own({ pattern: ['/secret/'], confirm: 'always' }),
      own({ pattern: ['create_*'], enabled: true }),
    ];
    const { rules, overrides } = migrateRules(before);
    const { decide } = orderRules(rules, [], overrides);
    const now = Object.fromEntries(
      ['locked/read', 'locked/write', 'git/push', 'git/pull', 'github/list', 'my-github-2/x', 'a/b', 'a/create_x'].map(
        (key) => [key, decide(tool(key)).enabled],
      ),
    );
    expect(now).toEqual({
      'locked/read': false,
      'locked/write': false,
      'git/push': false,
      'git/pull': true,
      'github/list': false,
      'my-github-2/x': false,
      'a/b': true,
      'a/create_x': true,
    });
    expect(decide(tool('secrets/list')).confirm).toBe('always');
    expect(decide(tool('a/get_secret')).confirm).toBe('always');
    expect(decide(tool('a/get')).confirm).toBe('auto');
  });

  it('keep the position of a catch-all that decided before other rules', () => {
    const { rules, overrides } = migrateRules([
      own({ pattern: ['*'], enabled: false }),
      own({ pattern: ['read'], enabled: true }),
    ]);
    const { decide } = orderRules(rules, [{ pattern: ['write'], enabled: true }], overrides);
    expect(decide(tool('a/read')).enabled).toBe(false);
    expect(decide(tool('a/write')).enabled).toBe(false);
  });
});
