/** A virtualized list box: only the visible rows are in the DOM. */
import { defaultRangeExtractor, measureElement, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useMemo, useRef } from 'react';
import styles from './virtual-list.module.css';

interface VirtualListProps<T> {
  label: string;
  items: readonly T[];
  /** Must stay the same function, like `groupOf`. */
  keyOf(item: T): string;
  /** The group of an item. The items of a group follow each other, below its heading. */
  groupOf?: ((item: T) => string) | undefined;
  renderGroup?(group: string, count: number): ReactNode;
  /** Key of the selected entry. */
  selected: string | undefined;
  onSelect(item: T): void;
  render(item: T): ReactNode;
  rowHeight: number;
  /** Shows new items at the end if the end is in view and nothing is selected. */
  followsEnd?: boolean;
}

const headingHeight = 30;

/** An item or, without one, the heading of a group with `count` items. */
interface Row<T> {
  key: string;
  group: string;
  item?: T;
  /** The index of the item. */
  index: number;
  count: number;
}

export function VirtualList<T>({
  label,
  items,
  keyOf,
  groupOf,
  renderGroup,
  selected,
  onSelect,
  render,
  rowHeight,
  followsEnd = false,
}: VirtualListProps<T>) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, headings } = useMemo(() => rowsOf(items, keyOf, groupOf), [items, keyOf, groupOf]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((at: number) => rows[at]?.key ?? at, [rows]),
    estimateSize: (at) => (rows[at]?.item === undefined ? headingHeight : rowHeight),
    scrollPaddingStart: headings.length > 0 ? headingHeight : 0,
    // The heading of the group at the top is always in the DOM, because it stays in view.
    rangeExtractor: useCallback(
      (range: Range) => withHeading(defaultRangeExtractor(range), range, headings),
      [headings],
    ),
    overscan: 8,
    // While the list is hidden, its rows have no height. Any number of them would then seem to be visible.
    measureElement: (row, entry, list) => measureElement(row, entry, list) || rowHeight,
    // The first paint needs a size before the element is measured.
    initialRect: { width: 400, height: 600 },
  });
  const rowIndex = rows.findIndex(({ key, item }) => item !== undefined && key === selected);
  const index = rows[rowIndex]?.index ?? -1;
  const { scrollToIndex } = virtual;
  useEffect(() => {
    if (rowIndex >= 0) scrollToIndex(rowIndex, { align: 'auto' });
  }, [rowIndex, scrollToIndex]);

  const isAtEnd = useRef(true);
  const isFollowing = followsEnd && index < 0;
  useEffect(() => {
    if (isFollowing && isAtEnd.current && rows.length > 0) scrollToIndex(rows.length - 1, { align: 'end' });
  }, [isFollowing, rows, scrollToIndex]);

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
  const isSelectedShown = shown.some((row) => row.index === rowIndex);
  const top = headingAt(virtual.range?.startIndex ?? 0, headings);
  return (
    <div
      ref={scroller}
      className={`${styles.virtual} inset-focus`}
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
          const entry = rows[row.index];
          if (entry === undefined) return null;
          const place = { ref: virtual.measureElement, 'data-index': row.index };
          const style = { transform: `translateY(${row.start}px)` };
          if (entry.item === undefined)
            return (
              <div
                key={entry.key}
                role="presentation"
                className={styles.virtualHeading}
                {...(row.index === top ? { 'data-top': true } : { style })}
                {...place}
              >
                {renderGroup?.(entry.group, entry.count)}
              </div>
            );
          const { item } = entry;
          return (
            // The list box has the focus and handles the keys.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            // biome-ignore lint/a11y/useFocusableInteractive: see above
            <div
              key={entry.key}
              id={`${id}-${entry.index}`}
              role="option"
              aria-selected={row.index === rowIndex}
              aria-posinset={entry.index + 1}
              aria-setsize={items.length}
              className={styles.virtualRow}
              style={style}
              onClick={() => onSelect(item)}
              {...place}
            >
              {render(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** `headings`: the indexes of the headings in `rows`. */
function rowsOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  groupOf: ((item: T) => string) | undefined,
): { rows: Row<T>[]; headings: number[] } {
  const rows: Row<T>[] = [];
  const headings: number[] = [];
  let heading: Row<T> | undefined;
  for (const [index, item] of items.entries()) {
    const group = groupOf?.(item);
    if (group !== undefined && group !== heading?.group) {
      heading = { key: `group ${group}`, group, index: -1, count: 0 };
      headings.push(rows.push(heading) - 1);
    }
    if (heading) heading.count += 1;
    rows.push({ key: keyOf(item), group: group ?? '', item, index, count: 0 });
  }
  return { rows, headings };
}

const headingAt = (row: number, headings: readonly number[]): number | undefined =>
  headings.findLast((heading) => heading <= row);

function withHeading(rows: number[], { startIndex }: Range, headings: readonly number[]): number[] {
  const top = headingAt(startIndex, headings);
  return top === undefined || rows.includes(top) ? rows : [top, ...rows];
}
