/** The look of the window: colors, density, text size, motion, and shortcuts. Each browser stores its own. */
import { useStore } from 'zustand';
import { Segments, Switch } from '../../components/controls.tsx';
import { Section } from '../../components/page.tsx';
import type { AppearanceState, Density, TextSize, Theme } from '../../stores/appearance.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './settings.module.css';

const themes: readonly (readonly [Theme, string])[] = [
  ['system', t('System')],
  ['light', t('Light')],
  ['dark', t('Dark')],
];
const densities: readonly (readonly [Density, string])[] = [
  ['comfortable', t('Comfortable')],
  ['compact', t('Compact')],
];
const textSizes: readonly (readonly [TextSize, string])[] = [
  ['small', t('Small')],
  ['standard', t('Standard')],
  ['large', t('Large')],
  ['larger', t('Larger')],
];

export function AppearanceSettings() {
  const { appearance } = useStores();
  const { theme, density, textSize, reducesMotion, singleKeyShortcuts } = useStore(appearance.state);
  const set = (change: Partial<AppearanceState>) => appearance.set(change);
  return (
    <Section title={t('Appearance')}>
      <div className={styles.choices}>
        <Choice label={t('Theme')} value={theme} options={themes} onChange={(next) => set({ theme: next })} />
        <Choice label={t('Density')} value={density} options={densities} onChange={(next) => set({ density: next })} />
        <Choice
          label={t('Text size')}
          value={textSize}
          options={textSizes}
          onChange={(next) => set({ textSize: next })}
        />
      </div>
      <Switch label={t('Reduce motion')} checked={reducesMotion} onChange={(next) => set({ reducesMotion: next })} />
      <p className={`field-hint ${styles.under}`}>{t('Motion is always reduced if the system requests it.')}</p>
      <Switch
        label={t('Single-key shortcuts: / filters the list, ? shows all shortcuts')}
        checked={singleKeyShortcuts}
        onChange={(next) => set({ singleKeyShortcuts: next })}
      />
    </Section>
  );
}

interface ChoiceProps<V extends string> {
  label: string;
  value: V;
  options: readonly (readonly [V, string])[];
  onChange(value: V): void;
}

function Choice<V extends string>({ label, value, options, onChange }: ChoiceProps<V>) {
  return (
    <>
      <span aria-hidden>{label}</span>
      <Segments label={label} value={value} options={options} onChange={(next) => onChange(next as V)} />
    </>
  );
}
