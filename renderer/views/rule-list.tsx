/** The person's rules: switch, edit, delete, and a new order by dragging the handle or with the arrow keys on it. */
import { ArrowDown, ArrowUp, Copy, GripVertical, Pencil, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { RuleView } from '../../shared/model.ts';
import { Switch } from '../parts/controls.tsx';
import { Menu } from '../parts/menu.tsx';
import { ruleSummary } from '../parts/rule-words.ts';
import type { DraftRule } from '../stores/rules.ts';
import { useStores } from '../stores/stores.ts';
import { RuleText } from './rule-text.tsx';

interface OwnRuleListProps {
  rules: readonly DraftRule[];
  /** As Core sees them, in the same order. */
  views: readonly RuleView[];
  onEdit(rule: DraftRule): void;
}

export function OwnRuleList({ rules, views, onEdit }: OwnRuleListProps) {
  const { rules: store } = useStores();
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<number>();
  const [said, setSaid] = useState('');

  function move(from: number, to: number): void {
    if (to < 0 || to >= rules.length || from === to) return;
    store.edit((current) => current.toSpliced(from, 1).toSpliced(to, 0, ...current.slice(from, from + 1)));
    setSaid(`Rule moved to place ${to + 1} of ${rules.length}.`);
  }
  /** By place, since a first edit gives the rules their lasting identities. */
  const change = (index: number, part: Partial<DraftRule>) =>
    store.edit((current) => current.map((rule, place) => (place === index ? { ...rule, ...part } : rule)));

  function begin(index: number): DraftRule | undefined {
    let begun: DraftRule | undefined;
    store.edit((current) => {
      begun = current[index];
      return current;
    });
    return begun;
  }

  function onHandleKey(event: KeyboardEvent, index: number): void {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const to = index + by;
    move(index, to);
    // The handle moves with its rule; the focus follows after the list is drawn again.
    requestAnimationFrame(() => handles()[Math.max(0, Math.min(rules.length - 1, to))]?.focus());
  }

  const handles = () => [...(list.current?.querySelectorAll<HTMLElement>('.rule-handle') ?? [])];

  /** While the handle is held, the rule takes the place whose middle the pointer passes. */
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
      <ol className="rule-list" ref={list}>
        {rules.map((rule, index) => (
          <li key={rule.id} className={dragged === rule.id ? 'rule rule-dragged' : 'rule'}>
            <button
              type="button"
              className="rule-handle"
              aria-label={`Move rule ${index + 1} with the arrow keys`}
              title="Drag, or use the arrow keys"
              onKeyDown={(event) => onHandleKey(event, index)}
              onPointerDown={(event) => {
                // Keys keep the element while it moves through the list, so the capture holds.
                event.currentTarget.setPointerCapture(event.pointerId);
                setDragged(begin(index)?.id);
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
              label={`Rule ${index + 1} in use: ${ruleSummary(rule)}`}
              checked={rule.active}
              onChange={(active) => change(index, { active })}
            />
            <Menu
              label={`More for rule ${index + 1}`}
              items={[
                {
                  label: 'Edit…',
                  icon: Pencil,
                  onSelect: () => {
                    const begun = begin(index);
                    if (begun) onEdit(begun);
                  },
                },
                {
                  label: 'Duplicate',
                  icon: Copy,
                  onSelect: () =>
                    store.edit((current) => current.toSpliced(index + 1, 0, { ...rule, id: store.newId() })),
                },
                { label: 'Move up', icon: ArrowUp, disabled: index === 0, onSelect: () => move(index, index - 1) },
                {
                  label: 'Move down',
                  icon: ArrowDown,
                  disabled: index === rules.length - 1,
                  onSelect: () => move(index, index + 1),
                },
                {
                  label: 'Delete',
                  icon: Trash2,
                  danger: true,
                  onSelect: () => store.edit((current) => current.toSpliced(index, 1)),
                },
              ]}
            />
          </li>
        ))}
      </ol>
      <p className="sr-only" role="status">
        {said}
      </p>
    </>
  );
}
