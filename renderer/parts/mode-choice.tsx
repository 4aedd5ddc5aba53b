/** Which of the ways to show tools an app gets. */
import type { ReactNode } from 'react';
import type { Mode } from '../../shared/model.ts';
import { Segments } from './controls.tsx';

const label = 'What it sees';
const modes = [
  ['lazy', 'Five tools'],
  ['hybrid', 'Pinned + five'],
  ['full', 'All tools'],
] as const;

/** `children`: what to know about the choice. */
export function ModeChoice({
  value,
  onChange,
  children,
}: {
  value: Mode;
  onChange(mode: Mode): void;
  children?: ReactNode;
}) {
  return (
    <div className="field">
      <span className="field-label" aria-hidden>
        {label}
      </span>
      <Segments label={label} value={value} options={modes} onChange={(mode) => onChange(mode as Mode)} />
      {children}
    </div>
  );
}
