/** Chooses how a client sees the tools. */
import type { ReactNode } from 'react';
import type { Mode } from '../../../shared/model/call.ts';
import { Segments } from '../../components/controls.tsx';

const label = 'Tool list';
const modes = [
  ['lazy', 'Five tools'],
  ['hybrid', 'Five + pinned'],
  ['full', 'All tools'],
] as const;

/** `children` are hints below the control. */
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
