/** The person's rules: what stands, the draft being edited, and what the draft would change. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CommandOutput } from '../../shared/contract.ts';
import { type Failure, toFailure } from '../../shared/failure.ts';
import type { Confirm, OwnRule, RuleView } from '../../shared/model.ts';
import type { Link } from './link.ts';
import { createResource, type Resource } from './resource.ts';

export type RulePreview = CommandOutput<'rules.preview'>;

/** A rule with an identity that survives reordering. */
export interface DraftRule extends OwnRule {
  id: number;
}

export interface DraftState {
  /** Undefined while nothing is edited. */
  draft: DraftRule[] | undefined;
  preview: RulePreview | undefined;
  failure: Failure | undefined;
}

export interface RulesStore {
  readonly list: Resource<RuleView[]>;
  readonly state: StoreApi<DraftState>;
  /** Changes the draft (begun from what stands) and asks for its preview. */
  edit(change: (rules: DraftRule[]) => DraftRule[]): void;
  discard(): void;
  save(): Promise<void>;
  newId(): number;
  /** Decides for one tool by a rule of its own in front of all others. */
  setForTool(server: string, tool: string, change: { enabled?: boolean; confirm?: Confirm }): Promise<void>;
}

export function createRules(link: Link): RulesStore {
  const list = createResource(link, () => link.call('rules.list'), ['rules.changed', 'tools.changed']);
  const state = createStore<DraftState>(() => ({ draft: undefined, preview: undefined, failure: undefined }));
  let lastId = 0;
  let lastPreview = 0;
  const newId = () => {
    lastId += 1;
    return lastId;
  };

  /** Identities of the standing rules, kept as long as the rules themselves stay the same. */
  let standing: { from: RuleView[] | undefined; rules: DraftRule[] } = { from: undefined, rules: [] };
  function own(): DraftRule[] {
    const { data } = list.state.getState();
    if (standing.from !== data)
      standing = { from: data, rules: ownRules(data ?? []).map((rule) => ({ ...rule, id: newId() })) };
    return standing.rules;
  }

  async function preview(draft: DraftRule[]): Promise<void> {
    lastPreview += 1;
    const turn = lastPreview;
    try {
      const shown = await link.call('rules.preview', { rules: draft.map(withoutId) });
      if (turn === lastPreview) state.setState({ preview: shown, failure: undefined });
    } catch (error) {
      if (turn === lastPreview) state.setState({ failure: toFailure(error) });
    }
  }

  const discard = () => {
    lastPreview += 1;
    state.setState({ draft: undefined, preview: undefined, failure: undefined });
  };

  return {
    list,
    state,
    newId,
    discard,
    edit(change) {
      const draft = change(state.getState().draft ?? own());
      state.setState({ draft });
      void preview(draft);
    },
    async save() {
      const { draft } = state.getState();
      if (!draft) return;
      await link.call('rules.save', { rules: draft.map(withoutId) });
      await list.load();
      discard();
    },
    async setForTool(server, tool, change) {
      const rules = ownRules(await link.call('rules.list'));
      const mine = (rule: OwnRule) =>
        rule.active &&
        rule.server === server &&
        rule.pattern.length === 1 &&
        rule.pattern[0] === exactPattern(tool) &&
        !rule.tags;
      const rest = rules.filter((rule) => !mine(rule));
      const { confirm, enabled } = { ...rules.find(mine), ...change };
      const rule: OwnRule = { server, pattern: [exactPattern(tool)], active: true };
      if (enabled === false) rule.enabled = false;
      if (confirm !== undefined && confirm !== 'auto') rule.confirm = confirm;
      const isEmpty = rule.enabled === undefined && rule.confirm === undefined;
      await link.call('rules.save', { rules: isEmpty ? rest : [rule, ...rest] });
      // Another rule may still say otherwise: then ours has to say it outright.
      const after = await link.call('tools.details', { server, tool });
      const insist = {
        ...(change.enabled !== undefined && after.enabled !== change.enabled ? { enabled: change.enabled } : {}),
        ...(change.confirm !== undefined && after.confirm !== change.confirm ? { confirm: change.confirm } : {}),
      };
      if (Object.keys(insist).length > 0) await link.call('rules.save', { rules: [{ ...rule, ...insist }, ...rest] });
    },
  };
}

export function ownRules(rules: readonly RuleView[]): OwnRule[] {
  return rules
    .filter(({ origin }) => origin === 'own')
    .map(({ server, pattern, enabled, confirm, tags, active }) => ({
      pattern,
      active,
      ...(server === undefined ? {} : { server }),
      ...(enabled === undefined ? {} : { enabled }),
      ...(confirm === undefined ? {} : { confirm }),
      ...(tags === undefined ? {} : { tags }),
    }));
}

/** A pattern that matches this name and no other, also when the name has characters that globs read as their own. */
export function exactPattern(tool: string): string {
  return /^[\w.-]+$/.test(tool) ? tool : `/^${tool.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$/`;
}

function withoutId({ id: _, ...rule }: DraftRule): OwnRule {
  return rule;
}
