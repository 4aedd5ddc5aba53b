/** Bars per day as SVG, with the same numbers in a table for screen readers. */

import { t } from '../text.tsx';
import styles from './bar-chart.module.css';

export type BarTone = 'accent' | 'good' | 'bad' | 'quiet';

export interface BarSeries {
  name: string;
  tone: BarTone;
}

export interface Bar {
  /** A date, such as `2026-11-21`. */
  day: string;
  /** One value per series. Only a single series may have values below zero. */
  values: readonly number[];
}

interface BarChartProps {
  label: string;
  series: readonly BarSeries[];
  bars: readonly Bar[];
  /** Formats a value. */
  format(value: number): string;
}

const height = 64;
const width = 20;
const gap = 8;
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const fullDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const noon = (day: string) => new Date(`${day}T12:00`);

export function BarChart({ label, series, bars, format }: BarChartProps) {
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const top = Math.max(0, ...sums);
  const bottom = Math.min(0, ...sums);
  const scale = height / (top - bottom || 1);
  const zero = top * scale;
  return (
    <figure className={`${styles.chart} stack-closest`}>
      <div>
        <span className={styles.top} aria-hidden>
          {format(top)}
        </span>
        <svg
          aria-hidden="true"
          viewBox={`0 -1 ${bars.length * (width + gap)} ${height + 2}`}
          preserveAspectRatio="none"
          className={styles.plot}
          focusable="false"
        >
          {bars.map((bar, index) => (
            <Column key={bar.day} bar={bar} x={index * (width + gap) + gap / 2} {...{ series, scale, zero, format }} />
          ))}
          <line
            x1="0"
            x2={bars.length * (width + gap)}
            y1={zero}
            y2={zero}
            className={styles.axis}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <div className={styles.days} aria-hidden="true">
          {bars.map(({ day }) => (
            <time key={day} dateTime={day}>
              {weekday.format(noon(day))}
            </time>
          ))}
        </div>
      </div>
      {series.length > 1 && (
        <ul className={styles.legend} aria-hidden="true">
          {series.map(({ name, tone }) => (
            <li key={name} data-tone={tone}>
              {name}
            </li>
          ))}
        </ul>
      )}
      {/* Hide the container instead of the table, because a table is never narrower than its content. */}
      <div className="sr-only">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{t('Day')}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ day, values }) => (
              <tr key={day}>
                <th scope="row">
                  <time dateTime={day}>{fullDay.format(noon(day))}</time>
                </th>
                {series.map(({ name }, index) => (
                  <td key={name}>{format(values[index] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

interface ColumnProps {
  bar: Bar;
  x: number;
  series: readonly BarSeries[];
  scale: number;
  /** The y coordinate of zero. */
  zero: number;
  format(value: number): string;
}

/** The segments of one day, stacked upwards from zero; the tooltip gives the numbers. */
function Column({ bar, x, series, scale, zero, format }: ColumnProps) {
  let y = zero;
  const lines = series.map(({ name }, index) => t('{name}: {value}', { name, value: format(bar.values[index] ?? 0) }));
  return (
    <g>
      <title>{t('{day}\n{values}', { day: fullDay.format(noon(bar.day)), values: lines.join('\n') })}</title>
      <rect x={x} y="0" width={width} height={height} fill="transparent" />
      {series.map(({ name, tone }, index) => {
        const value = bar.values[index] ?? 0;
        const size = Math.abs(value) * scale;
        if (value === 0) return null;
        if (value > 0) y -= size;
        return <rect key={name} x={x} y={value > 0 ? y : zero} width={width} height={size} data-tone={tone} />;
      })}
    </g>
  );
}
