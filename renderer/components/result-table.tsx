/** A list of similar objects in a tool's result, as a table. */
import { useState } from 'react';
import { isObject } from '../../shared/is-object.ts';
import { textFrom } from '../../shared/text-from.ts';
import { t } from '../text.tsx';
import { ScrollRegion } from './scroll-region.tsx';
import tableStyles from './table.module.css';
import { VisibleText } from './untrusted-text.tsx';

interface Table {
  /** The name of the list, if it is the only property of an object. */
  name?: string;
  columns: string[];
  rows: Record<string, unknown>[];
}

const maxColumns = 12;
const rowsAtOnce = 50;

/** Undefined if the value is not a list of objects with simple values. */
export function tableOf(value: unknown): Table | undefined {
  if (isObject(value)) {
    const [entry, ...others] = Object.entries(value);
    const table = entry && others.length === 0 ? tableOf(entry[1]) : undefined;
    return entry && table && !table.name ? { ...table, name: entry[0] } : undefined;
  }
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) return undefined;
  const columns = [...new Set(value.flatMap((row) => Object.keys(row)))];
  const isFlat = value.every((row) => Object.values(row).every((cell) => typeof cell !== 'object' || cell === null));
  return isFlat && columns.length > 0 && columns.length <= maxColumns ? { columns, rows: value } : undefined;
}

export function ResultTable({ name, columns, rows }: Table) {
  const [shownCount, setShownCount] = useState(rowsAtOnce);
  return (
    <>
      <ScrollRegion className={`${tableStyles.tableScroll} card`} label={name ?? t('Result')}>
        <table>
          {name && (
            <caption className="sr-only">
              <VisibleText text={name} />
            </caption>
          )}
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  <VisibleText text={column} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shownCount).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
              <tr key={index}>
                {columns.map((column) => (
                  <td
                    key={column}
                    translate="no"
                    className={typeof row[column] === 'number' ? tableStyles.number : undefined}
                  >
                    <VisibleText text={row[column] === undefined ? '' : textFrom(row[column])} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {rows.length > shownCount && (
        <button type="button" className="link-button" onClick={() => setShownCount(shownCount + rowsAtOnce)}>
          {t('Show more ({count, number})', { count: rows.length - shownCount })}
        </button>
      )}
    </>
  );
}
