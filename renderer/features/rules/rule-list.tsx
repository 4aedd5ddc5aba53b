/** The user's rules: enable, edit, delete, and reorder by dragging the handle or with the arrow keys. */
import { ArrowDown, ArrowUp, Copy, GripVertical, Pencil, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { RuleView } from '../../../shared/model/rule.ts';
import { Switch } from '../../components/controls.tsx';
import { Menu } from '../../components/menu.tsx';
import rowsStyles from '../../components/rows.module.css';
import type { DraftRule } from '../../stores/rules.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import { describeRule } from './describe-rule.ts';
import { RuleText } from './rule-text.tsx';
import rulesStyles from './rules.module.css';

interface OwnRuleListProps {
  rules: readonly DraftRule[];
  /** The same rules in the same order, as Core evaluates them. */
  views: readonly RuleView[];
  onEdit(rule: DraftRule): void;
}

export function OwnRuleList({ rules, views, onEdit }: OwnRuleListProps) {
  const { rules: store } = useStores();
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number>();
  const [announcement, setAnnouncement] = useState('');

  function move(from: number, to: number): void {
    if (to < 0 || to >= rules.length || from === to) return;
    store.edit((current) => current.toSpliced(from, 1).toSpliced(to, 0, ...current.slice(from, from + 1)));
    setAnnouncement(t('Rule moved to position {number} of {count, number}.', { number: to + 1, count: rules.length }));
  }
  /** Identifies the rule by index, because the first edit assigns the ids. */
  const change = (index: number, update: Partial<DraftRule>) =>
    store.edit((current) => current.map((rule, position) => (position === index ? { ...rule, ...update } : rule)));

  function startDraft(index: number): DraftRule | undefined {
    let draft: DraftRule | undefined;
    store.edit((current) => {
      draft = current[index];
      return current;
    });
    return draft;
  }

  function onHandleKey(event: KeyboardEvent, index: number): void {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const to = index + by;
    move(index, to);
    // The handle moves with its rule. Move the focus after the list has rendered.
    requestAnimationFrame(() => handles()[Math.max(0, Math.min(rules.length - 1, to))]?.focus());
  }

  const handles = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-handle]') ?? [])];

  /** Moves the dragged rule when the pointer passes the middle of another one. */
  function onDrag(event: PointerEvent<HTMLButtonElement>, index: number): void {
    if (dragged === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const rows = [...(list.current?.children ?? [])];
    const over = rows.findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return event.clientY >= top && event.clientY < bottom;
    });
    if (over >= 0 && over !== index) {
      const { top, height } = (rows[over] as Element).getBoundingClientRect();
      const hasPassed = over > index ? event.clientY > top + height / 2 : event.clientY < top + height / 2;
      if (hasPassed) move(index, over);
    }
  }

  return (
    <>
      <ol className={`${rulesStyles.ruleList} ${rowsStyles.rows} card`} ref={list}>
        {rules.map((rule, index) => (
          <li
            key={rule.id}
            className={dragged === rule.id ? `${rulesStyles.rule} ${rulesStyles.ruleDragged}` : rulesStyles.rule}
          >
            <button
              type="button"
              className={rulesStyles.ruleHandle}
              data-handle
              aria-label={t('Move rule {number} with the arrow keys', { number: index + 1 })}
              title={t('Drag, or use the arrow keys')}
              onKeyDown={(event) => onHandleKey(event, index)}
              onPointerDown={(event) => {
                // React's keys keep the element while it moves in the list, so the pointer capture persists.
                event.currentTarget.setPointerCapture(event.pointerId);
                setDragged(startDraft(index)?.id);
              }}
              onPointerMove={(event) => onDrag(event, index)}
              onPointerUp={() => setDragged(undefined)}
              onPointerCancel={() => setDragged(undefined)}
            >
              <GripVertical className="icon" aria-hidden />
            </button>
            <RuleText rule={rule} view={views[index]} number={index + 1} />
            <Switch
              bare
              label={t('Rule {number} enabled: {rule}', {
                number: index + 1,
                rule: describeRule(rule),
              })}
              checked={rule.active}
              onChange={(active) => change(index, { active })}
            />
            <RuleMenu
              number={index + 1}
              count={rules.length}
              onEdit={() => {
                const draft = startDraft(index);
                if (draft) onEdit(draft);
              }}
              onDuplicate={() =>
                store.edit((current) => current.toSpliced(index + 1, 0, { ...rule, id: store.newId() }))
              }
              onMove={(by) => move(index, index + by)}
              onDelete={() => store.edit((current) => current.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ol>
      <p className="sr-only" role="status">
        {announcement}
      </p>
    </>
  );
}

interface RuleMenuProps {
  /** The position of the rule, from 1. */
  number: number;
  count: number;
  onEdit(): void;
  onDuplicate(): void;
  onMove(by: 1 | -1): void;
  onDelete(): void;
}

function RuleMenu({ number, count, onEdit, onDuplicate, onMove, onDelete }: RuleMenuProps) {
  return (
    <Menu
      label={t('More for rule {number}', { number })}
      items={[
        { label: t('Edit…'), icon: Pencil, onSelect: onEdit },
        { label: t('Duplicate'), icon: Copy, onSelect: onDuplicate },
        { label: t('Move up'), icon: ArrowUp, disabled: number === 1, onSelect: () => onMove(-1) },
        { label: t('Move down'), icon: ArrowDown, disabled: number === count, onSelect: () => onMove(1) },
        { label: t('Delete'), icon: Trash2, danger: true, onSelect: onDelete },
      ]}
    />
  );
}
