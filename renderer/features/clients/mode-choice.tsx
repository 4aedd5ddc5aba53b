/** Controls that choose how a client sees the tools. */
import type { ReactNode } from 'react';
import type { Mode } from '../../../shared/model/call.ts';
import { Segments, Switch } from '../../components/controls.tsx';
import { t } from '../../text.tsx';

const label = t('Tool list');
export const modes = [
  ['lazy', t('Five tools')],
  ['hybrid', t('Five + pinned')],
  ['full', t('All tools')],
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

/** Offers `read_tool` beside `execute_tool`. */
export function ReadToolSwitch({ checked, onChange }: { checked: boolean; onChange(checked: boolean): void }) {
  return (
    <div className="field">
      <Switch label={t('Separate read-only tool')} checked={checked} onChange={onChange} />
      <p className="field-hint">
        {t(
          'Adds read_tool, which runs only read-only tools. Set the client to always allow it, and the client asks only before execute_tool.',
        )}
      </p>
    </div>
  );
}
