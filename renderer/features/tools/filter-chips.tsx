/** Toggles for the frequent filters of the tool list, and one for each other filter that is set. */
import { X } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { ToolSummary } from '../../../shared/model/tool.ts';
import { categoryLabels, effectLabels } from '../../components/labels.ts';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { useStores } from '../../stores/stores.ts';
import { hasState, type ToolFilters } from '../../stores/tools.ts';
import { t } from '../../text.tsx';
import styles from './filter-chips.module.css';
import { behaviorLabels, stateLabels } from './filter-labels.ts';

const safeties = [
  ['safe', t('Read-only')],
  ['moderate', t('Changes')],
  ['dangerous', t('Dangerous')],
] as const;
const states = ['disabled', 'held', 'flagged'] as const;

export function FilterChips({ tools }: { tools: readonly ToolSummary[] }) {
  const { tools: store } = useStores();
  const { filters } = useStore(store.state);
  const existing = useMemo(() => states.filter((state) => tools.some((tool) => hasState(tool, state))), [tools]);
  return (
    <div className="badges">
      {safeties.map(([safety, label]) => (
        <Toggle
          key={safety}
          label={label}
          isSet={filters.safety === safety}
          onToggle={(isSet) => store.setFilters({ safety: isSet ? safety : '' })}
        />
      ))}
      {states
        .filter((state) => filters.state === state || existing.includes(state))
        .map((state) => (
          <Toggle
            key={state}
            label={stateLabels[state]}
            isSet={filters.state === state}
            onToggle={(isSet) => store.setFilters({ state: isSet ? state : '' })}
          />
        ))}
      {othersOf(filters).map(([label, without]) => (
        <button
          key={label}
          type="button"
          className={styles.chip}
          data-set
          aria-label={t('Remove the filter {name}', { name: label })}
          onClick={() => store.setFilters(without)}
        >
          <VisibleText as="span" className="ellipsis" text={label} />
          <X className="icon" aria-hidden />
        </button>
      ))}
    </div>
  );
}

function Toggle({ label, isSet, onToggle }: { label: string; isSet: boolean; onToggle(isSet: boolean): void }) {
  return (
    <button type="button" className={styles.chip} aria-pressed={isSet} onClick={() => onToggle(!isSet)}>
      {label}
    </button>
  );
}

/** The filters of the selects that are set, each with the change that removes it. */
function othersOf({ servers, effect, category, behavior, tag, state }: ToolFilters): [string, Partial<ToolFilters>][] {
  const [server, ...more] = servers;
  const others: [string | undefined, Partial<ToolFilters>][] = [
    [
      more.length > 0 ? t('{count, plural, one {# server} other {# servers}}', { count: servers.length }) : server,
      { servers: [] },
    ],
    [effect ? effectLabels[effect] : undefined, { effect: '' }],
    [category ? categoryLabels[category] : undefined, { category: '' }],
    [behavior ? behaviorLabels[behavior] : undefined, { behavior: '' }],
    [tag || undefined, { tag: '' }],
    [state === 'enabled' || state === 'available' ? stateLabels[state] : undefined, { state: '' }],
  ];
  return others.flatMap(([label, without]) => (label === undefined ? [] : [[label, without]]));
}
