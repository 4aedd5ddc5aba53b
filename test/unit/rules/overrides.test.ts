/** Overrides of single tools. */
import { describe, expect, it } from 'vitest';
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
