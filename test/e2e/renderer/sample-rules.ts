/** Rules and overrides of the sample Core: which tools they enable, and which calls they ask for. */
import type { OwnRule, Rule, RuleView } from '../../../shared/model/rule.ts';
import type { ToolView } from '../../../shared/model/tool.ts';
import type { CommandHandlers, CommandInput } from '../../../shared/protocol/contract.ts';
import type { SampleCore } from './sample-core.ts';
import { configRules } from './sample-state.ts';

type Handlers = Pick<
  CommandHandlers,
  'tools.setPolicy' | 'tools.setPolicies' | 'rules.overrides' | 'rules.list' | 'rules.save' | 'rules.preview'
>;

interface SampleRulesOptions extends Pick<SampleCore, 'state' | 'emit'> {
  isEmpty: boolean;
  findTool(server: string, name: string): ToolView;
}

export function createSampleRules({
  state,
  isEmpty,
  findTool,
  emit,
}: SampleRulesOptions): Omit<Handlers, 'rules.list'> & { 'rules.list'(): RuleView[] } {
  function view(own: OwnRule[]): RuleView[] {
    const all = [
      ...own.map((rule) => ({ ...rule, origin: 'own' as const })),
      ...(isEmpty ? [] : configRules).map((rule) => ({ ...rule, origin: 'config' as const, active: true })),
    ];
    return all.map((rule, index) => ({
      ...rule,
      matches: rule.pattern.includes('[broken') ? 0 : state.tools.filter((tool) => matches(rule, tool)).length,
      ...(rule.origin === 'config' && index === own.length + 1 && own.length > 0 ? { shadowedBy: 0 } : {}),
      ...(rule.pattern.includes('[broken')
        ? { problem: 'The pattern “[broken” has an open bracket. It matches nothing.' }
        : {}),
    }));
  }
  function decided(
    own: OwnRule[],
    tool: ToolView,
  ): { enabled: boolean; confirm: ToolView['confirm']; decidedBy?: number } {
    const active = own.map((rule, index) => ({ rule, index })).filter(({ rule }) => rule.active && matches(rule, tool));
    const on = active.find(({ rule }) => rule.enabled !== undefined);
    const ask = active.find(({ rule }) => rule.confirm !== undefined);
    return {
      enabled: on?.rule.enabled ?? true,
      confirm: ask?.rule.confirm ?? 'auto',
      ...(on ? { decidedBy: on.index } : {}),
    };
  }

  function setPolicy({ server: id, tool, enabled, confirm }: CommandInput<'tools.setPolicy'>): void {
    const found = findTool(id, tool);
    const override = { ...found.override };
    if (enabled !== undefined) override.enabled = enabled ?? undefined;
    if (confirm !== undefined) override.confirm = confirm ?? undefined;
    const byRules = decided(state.rules, found);
    found.override = override.enabled === undefined && override.confirm === undefined ? undefined : override;
    found.enabled = override.enabled ?? byRules.enabled;
    found.confirm = override.confirm ?? byRules.confirm;
    found.decidedBy = override.enabled === undefined ? byRules.decidedBy : undefined;
    found.enabledBy = override.enabled === undefined ? undefined : 'override';
    emit('tools.changed', { servers: [id] });
  }

  return {
    'tools.setPolicy': setPolicy,
    'tools.setPolicies': ({ tools, enabled }) => {
      for (const ref of tools) setPolicy({ ...ref, enabled });
    },
    'rules.overrides': () =>
      state.tools.flatMap(({ server: id, name, override }) =>
        override ? { server: id, tool: name, ...override } : [],
      ),
    'rules.list': () => view(state.rules),
    'rules.save': ({ rules }) => {
      state.rules = rules;
      for (const tool of state.tools) {
        delete tool.decidedBy;
        Object.assign(tool, decided(rules, tool));
      }
      emit('rules.changed', {});
    },
    'rules.preview': ({ rules }) => {
      const word = (entry: { enabled: boolean; confirm: string }) =>
        `${entry.enabled ? 'on' : 'off'}${entry.confirm === 'always' ? ', asks' : ''}`;
      const changes = state.tools
        .map((tool) => ({
          server: tool.server,
          tool: tool.name,
          before: word(decided(state.rules, tool)),
          after: word(decided(rules, tool)),
        }))
        .filter(({ before, after }) => before !== after);
      return { rules: view(rules), changes: changes.slice(0, 50), total: changes.length };
    },
  };
}

/** Supports `*` only. */
function matches(rule: Rule, tool: ToolView): boolean {
  const one = (glob: string) =>
    new RegExp(`^${glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(tool.name);
  const positive = rule.pattern.filter((entry) => !entry.startsWith('!'));
  if (rule.server && rule.server !== tool.server) return false;
  if (rule.pattern.some((entry) => entry.startsWith('!') && one(entry.slice(1)))) return false;
  return positive.length === 0 || positive.some(one);
}
