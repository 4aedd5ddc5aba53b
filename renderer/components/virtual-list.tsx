/** A virtualized list box: only the visible rows are in the DOM. */
import { measureElement, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './virtual-list.module.css';

interface VirtualListProps<T> {
  label: string;
  items: readonly T[];
  keyOf(item: T): string;
  /** Key of the selected entry. */
  selected: string | undefined;
  onSelect(item: T): void;
  render(item: T): ReactNode;
  rowHeight: number;
  /** Shows new items at the end if the end is in view and nothing is selected. */
  followsEnd?: boolean;
}

export function VirtualList<T>({
  label,
  items,
  keyOf,
  selected,
  onSelect,
  render,
  rowHeight,
  followsEnd = false,
}: VirtualListProps<T>) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // While the list is hidden, its rows have no height. Any number of them would then seem to be visible.
    measureElement: (row, entry, list) => measureElement(row, entry, list) || rowHeight,
    // The first paint needs a size before the element is measured.
    initialRect: { width: 400, height: 600 },
  });
  const index = items.findIndex((item) => keyOf(item) === selected);
  const { scrollToIndex } = virtual;
  useEffect(() => {
    if (index >= 0) scrollToIndex(index, { align: 'auto' });
  }, [index, scrollToIndex]);

  const isAtEnd = useRef(true);
  const isFollowing = followsEnd && index < 0;
  useEffect(() => {
    if (isFollowing && isAtEnd.current && items.length > 0) scrollToIndex(items.length - 1, { align: 'end' });
  }, [isFollowing, items, scrollToIndex]);

  function onKeyDown(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 1);
    const last = items.length - 1;
    const targets: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index < 0 ? last : index - 1,
      PageDown: index + page,
      PageUp: index - page,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = items[Math.max(0, Math.min(last, target))];
    if (next !== undefined) onSelect(next);
    event.preventDefault();
  }

  const shown = virtual.getVirtualItems();
  const isSelectedShown = shown.some((row) => row.index === index);
  return (
    <div
      ref={scroller}
      className={styles.virtual}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={isSelectedShown ? `${id}-${index}` : undefined}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < rowHeight;
      }}
    >
      <div className={styles.virtualSpace} role="presentation" style={{ height: virtual.getTotalSize() }}>
        {shown.map((row) => {
          const item = items[row.index];
          if (item === undefined) return null;
          return (
            // The list box has the focus and handles the keys.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            // biome-ignore lint/a11y/useFocusableInteractive: see above
            <div
              key={keyOf(item)}
              id={`${id}-${row.index}`}
              ref={virtual.measureElement}
              data-index={row.index}
              role="option"
              aria-selected={row.index === index}
              aria-posinset={row.index + 1}
              aria-setsize={items.length}
              className={styles.virtualRow}
              style={{ transform: `translateY(${row.start}px)` }}
              onClick={() => onSelect(item)}
            >
              {render(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
