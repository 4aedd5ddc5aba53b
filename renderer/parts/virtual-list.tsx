/** A list box that stays quick with tens of thousands of entries: only what is on screen is in the page. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';

interface VirtualListProps<T> {
  label: string;
  items: readonly T[];
  keyOf(item: T): string;
  /** Key of the chosen entry. */
  chosen: string | undefined;
  onChoose(item: T): void;
  /** Enter: go into the entry. */
  onEnter?(item: T): void;
  render(item: T): ReactNode;
  rowHeight: number;
}

export function VirtualList<T>({
  label,
  items,
  keyOf,
  chosen,
  onChoose,
  onEnter,
  render,
  rowHeight,
}: VirtualListProps<T>) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // Rows grow with the text size; the first paint needs a size before the element is measured.
    initialRect: { width: 400, height: 600 },
  });
  const index = items.findIndex((item) => keyOf(item) === chosen);
  const { scrollToIndex } = virtual;
  useEffect(() => {
    if (index >= 0) scrollToIndex(index, { align: 'auto' });
  }, [index, scrollToIndex]);

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
    const now = items[index];
    if (event.key === 'Enter' && now !== undefined) onEnter?.(now);
    else if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    else {
      const next = items[Math.max(0, Math.min(last, target))];
      if (next !== undefined) onChoose(next);
    }
    event.preventDefault();
  }

  const shown = virtual.getVirtualItems();
  const isChosenShown = shown.some((row) => row.index === index);
  return (
    <div
      ref={scroller}
      className="virtual"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={isChosenShown ? `${id}-${index}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div className="virtual-space" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {shown.map((row) => {
          const item = items[row.index];
          if (item === undefined) return null;
          return (
            // The keys are handled by the list box itself, which holds the focus.
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
              className="virtual-row"
              style={{ transform: `translateY(${row.start}px)` }}
              onClick={() => onChoose(item)}
            >
              {render(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
