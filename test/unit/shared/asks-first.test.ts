/** When a call needs approval: a rule or override decides first, then the safety level. */
import { describe, expect, it } from 'vitest';
import { needsApproval, type SafetyLevel, type ToolView } from '../../../shared/model/tool.ts';

const tool = (confirm: ToolView['confirm'], safetyLevel: SafetyLevel, requiresConfirmation = false) => ({
  confirm,
  annotations: { safetyLevel, requiresConfirmation } as ToolView['annotations'],
});

describe('needsApproval', () => {
  it.each([
    ['safe', 'acts', 'none'],
    ['moderate', 'acts', 'once'],
    ['dangerous', 'acts', 'each'],
    ['safe', 'dangerous', 'none'],
    ['moderate', 'dangerous', 'none'],
    ['dangerous', 'dangerous', 'each'],
    ['safe', 'all', 'once'],
    ['moderate', 'all', 'once'],
    ['dangerous', 'all', 'each'],
  ] as const)('decides for a %s tool with approvals.ask "%s": %s', (level, ask, need) => {
    expect(needsApproval(tool('auto', level), ask)).toBe(need);
    expect(needsApproval(tool('always', level), ask)).toBe('each');
    expect(needsApproval(tool('never', level), ask)).toBe('none');
  });

  it('follows the level of the chosen action', () => {
    const manage = tool('auto', 'dangerous', true);
    manage.annotations.choice = { parameter: 'action', levels: { list: 'safe', show: 'moderate' } };
    expect(needsApproval(manage, 'acts', { action: 'list' })).toBe('none');
    expect(needsApproval(manage, 'acts', { action: 'show' })).toBe('once');
    for (const action of ['delete', 'List', 'toString', ['list'], undefined])
      expect(needsApproval(manage, 'acts', { action })).toBe('each');
    expect(needsApproval(manage, 'acts')).toBe('each');
    expect(needsApproval({ ...manage, confirm: 'always' }, 'acts', { action: 'list' })).toBe('each');
  });

  it('requires approval each time for a tool that a plug-in marks with requiresConfirmation', () => {
    expect(needsApproval(tool('auto', 'safe', true), 'dangerous')).toBe('each');
  });
});
