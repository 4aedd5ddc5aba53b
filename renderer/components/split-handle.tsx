/** The line between a list and the details. The user drags it or moves it with the arrow keys; a double-click resets it. */
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { useStore } from 'zustand';
import { listWidths } from '../stores/layout.ts';
import { useStores } from '../stores/stores.ts';
import { t } from '../text.tsx';
import styles from './page.module.css';

const step = 16;
const { smallest, largest } = listWidths;
const within = (width: number) => Math.round(Math.min(largest, Math.max(smallest, width)));

export function SplitHandle() {
  const { layout } = useStores();
  const { listWidth } = useStore(layout.state);
  const [isDragging, setDragging] = useState(false);
  const set = (width: number) => layout.set({ listWidth: within(width) });

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const now = listWidth || boxOfList(event.currentTarget).width;
    const targets: Record<string, number> = {
      ArrowLeft: now - step,
      ArrowRight: now + step,
      Home: smallest,
      End: largest,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    set(target);
  }
  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    if (isDragging) set(event.clientX - boxOfList(event.currentTarget).left);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be a movable separator
    <div
      className={`${styles.splitHandle} inset-focus`}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('List width')}
      aria-valuemin={smallest}
      aria-valuemax={largest}
      aria-valuenow={listWidth || 368}
      aria-valuetext={listWidth === 0 ? t('Standard') : t('{width, number} pixels', { width: listWidth })}
      tabIndex={0}
      title={t('Drag to resize. Double-click to reset.')}
      data-dragging={isDragging || undefined}
      onKeyDown={onKeyDown}
      onDoubleClick={() => layout.set({ listWidth: 0 })}
      onPointerDown={(event) => {
        event.currentTarget.focus();
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragging(true);
      }}
      // Otherwise, the browser drags a link that the moving handle uncovers.
      onMouseDown={(event) => event.preventDefault()}
      onPointerMove={onPointerMove}
      onPointerUp={() => setDragging(false)}
      onPointerCancel={() => setDragging(false)}
    />
  );
}

const boxOfList = (handle: HTMLElement): DOMRect => (handle.previousElementSibling ?? handle).getBoundingClientRect();
