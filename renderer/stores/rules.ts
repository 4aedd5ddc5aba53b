/** The user's rules: the saved ones, the draft being edited, and a preview of what the draft would change. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Failure, toFailure } from '../../shared/failure.ts';
import type { OwnRule, RuleView } from '../../shared/model/rule.ts';
import type { CommandOutput } from '../../shared/protocol/contract.ts';
import type { Link } from './link.ts';
import { ownRules } from './own-rules.ts';
import { createResource, type Resource } from './resource.ts';

export type RulePreview = CommandOutput<'rules.preview'>;

/** A rule with an identity that survives reordering. */
export interface DraftRule extends OwnRule {
  id: number;
}

export interface DraftState {
  /** Undefined while nothing is being edited. */
  draft: DraftRule[] | undefined;
  preview: RulePreview | undefined;
  failure: Failure | undefined;
  /** A new rule that another view started; the rules view opens it in the editor. */
  proposed: DraftRule | undefined;
}

export interface RulesStore {
  readonly list: Resource<RuleView[]>;
  readonly state: StoreApi<DraftState>;
  /** Changes the draft, which starts as a copy of the saved rules, and requests its preview. */
  edit(change: (rules: DraftRule[]) => DraftRule[]): void;
  discard(): void;
  /** Saves the draft. Resolves with the rules that it replaces. */
  save(): Promise<OwnRule[]>;
  /** Saves these rules in place of the saved ones. */
  restore(rules: OwnRule[]): Promise<void>;
  newId(): number;
  propose(rule: OwnRule | undefined): void;
}

export function createRules(link: Link): RulesStore {
  const list = createResource(link, () => link.call('rules.list'), ['rules.changed', 'tools.changed']);
  const state = createStore<DraftState>(() => ({
    draft: undefined,
    preview: undefined,
    failure: undefined,
    proposed: undefined,
  }));
  let lastId = 0;
  let lastPreview = 0;
  const newId = () => {
    lastId += 1;
    return lastId;
  };

  /** The saved rules with ids that stay the same until the rules change. */
  let saved: { from: RuleView[] | undefined; rules: DraftRule[] } = { from: undefined, rules: [] };
  function own(): DraftRule[] {
    const { data } = list.state.getState();
    if (saved.from !== data)
      saved = { from: data, rules: ownRules(data ?? []).map((rule) => ({ ...rule, id: newId() })) };
    return saved.rules;
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

  async function restore(rules: OwnRule[]): Promise<void> {
    await link.call('rules.save', { rules });
    await list.load();
  }

  return {
    list,
    state,
    newId,
    propose: (rule) => state.setState({ proposed: rule && { ...rule, id: newId() } }),
    discard,
    edit(change) {
      const draft = change(state.getState().draft ?? own());
      state.setState({ draft });
      void preview(draft);
    },
    restore,
    async save() {
      const before = own().map(withoutId);
      await restore((state.getState().draft ?? []).map(withoutId));
      discard();
      return before;
    },
  };
}

function withoutId({ id: _, ...rule }: DraftRule): OwnRule {
  return rule;
}
