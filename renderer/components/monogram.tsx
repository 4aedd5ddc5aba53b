/** The mark of a client or server: its initials on a background color that its name determines. */
import styles from './monogram.module.css';

const tintCount = 6;

/** A mark is decorative unless it has a `label`. */
export const markAttributes = (label: string | undefined) =>
  label ? ({ title: label, role: 'img', 'aria-label': label } as const) : ({ 'aria-hidden': true } as const);

/** Decorative unless it has a `label`. */
export function Monogram({ name, label, isDim = false }: { name: string; label?: string; isDim?: boolean }) {
  const tint = [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 997, 7) % tintCount;
  return (
    <span className={styles.monogram} data-tint={tint} data-dim={isDim || undefined} {...markAttributes(label)}>
      {lettersOf(name)}
    </span>
  );
}

/**
 * "Claude Desktop" → "CD", "filesystem" → "Fi". Uses only letters and digits, so that a name cannot imitate an icon.
 */
function lettersOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? ['?'];
  const [first = '?', second] = words;
  const letters = second ? `${[...first][0]}${[...second][0]}`.toUpperCase() : [...first].slice(0, 2).join('');
  return letters.charAt(0).toUpperCase() + letters.slice(1);
}
