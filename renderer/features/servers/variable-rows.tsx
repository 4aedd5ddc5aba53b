/** Environment variables or headers, one row each. Values of secrets are hidden, and stored secrets are never shown. */
import { Eye, EyeOff, Plus, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { parseEnvLine } from '../../../shared/env-line.ts';
import { isHiddenSecret } from '../../../shared/hidden-secret.ts';
import { isSecretName } from '../../../shared/secret-name.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { FieldLabel } from '../../components/controls.tsx';
import { t } from '../../text.tsx';
import styles from './variable-rows.module.css';

interface VariableRowsProps {
  label: string;
  /** The accessible name of the row with this number. */
  rowLabel(number: number): string;
  /** `NAME=value` lines. */
  value: string;
  /** Examples of a name and a value. */
  examples: readonly [name: string, value: string];
  hint: ReactNode;
  problem: string | undefined;
  onChange(value: string): void;
}

interface Row {
  name: string;
  value: string;
}

const rowOf = (line: string): Row => {
  const [, name = line, value = ''] = /^([^=]*)=(.*)$/.exec(line) ?? [];
  return { name, value };
};
const lineOf = ({ name, value }: Row): string => (name || value ? `${name}=${value}` : '');

export function VariableRows({ label, rowLabel, value, examples, hint, problem, onChange }: VariableRowsProps) {
  const id = useId();
  // The stored secrets, so that clearing a new value restores them.
  const [stored] = useState(() => new Map(rowsOf(value).map((row) => [row.name, row.value])));
  const rows = rowsOf(value);
  const set = (next: readonly Row[]) => onChange(next.map(lineOf).join('\n'));

  function change(index: number, row: Row): void {
    // While it is being typed, a name may briefly equal the name of a stored secret.
    const kept = (row.name === rows[index]?.name && stored.get(row.name)) || '';
    set(rows.with(index, row.value === '' && isHiddenSecret(kept) ? { ...row, value: kept } : row));
  }
  /** Several `NAME=value` lines, or one with its name, become rows. */
  function paste(index: number, text: string): boolean {
    const lines = text.split(/\r?\n/).filter((line) => !/^\s*(?:#|$)/.test(line));
    const pasted = lines.flatMap((line) => parseEnvLine(line) ?? []);
    if (lines.length === 0 || pasted.length < lines.length) return false;
    set(rows.toSpliced(index, 1, ...pasted));
    return true;
  }

  return (
    <fieldset
      className={problem ? 'field field-bad stack-closest' : 'field stack-closest'}
      aria-describedby={`${id}-hint`}
    >
      <legend>
        <FieldLabel label={label} isOptional />
      </legend>
      {rows.map((row, index) => (
        <VariableRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their position
          key={index}
          label={rowLabel(index + 1)}
          row={row}
          examples={index === 0 ? examples : ['', '']}
          isBad={problem !== undefined && row.name === '' && row.value !== ''}
          onChange={(next) => change(index, next)}
          onPaste={(text) => paste(index, text)}
          onRemove={() => set(rows.toSpliced(index, 1))}
        />
      ))}
      <div>
        <Button look="quiet" icon={Plus} onClick={() => onChange(`${value}\n`)}>
          {t('Add another')}
        </Button>
      </div>
      <div id={`${id}-hint`} className="field-hint">
        {hint}
      </div>
      {problem && <p className="field-problem">{problem}</p>}
    </fieldset>
  );
}

const rowsOf = (text: string): Row[] => text.split('\n').map(rowOf);

interface VariableRowProps {
  label: string;
  row: Row;
  examples: readonly [name: string, value: string];
  isBad: boolean;
  onChange(row: Row): void;
  /** True if the pasted text was used. */
  onPaste(text: string): boolean;
  onRemove(): void;
}

function VariableRow({ label, row, examples, isBad, onChange, onPaste, onRemove }: VariableRowProps) {
  const { name, value } = row;
  // Stored by name, because another row may take the place of this one.
  const [shownName, setShownName] = useState<string>();
  const isShown = shownName === name;
  const isKept = isHiddenSecret(value);
  // A placeholder is not a secret.
  const isSecret = !isKept && isSecretName(name) && !value.includes('${');
  const shared = { spellCheck: false, autoComplete: 'off', className: 'input mono' } as const;
  return (
    <div className={styles.row}>
      <input
        {...shared}
        aria-label={label}
        aria-invalid={isBad || undefined}
        placeholder={examples[0]}
        value={name}
        onChange={(event) => onChange({ name: event.target.value.replaceAll('=', ''), value })}
        onPaste={(event) => onPaste(event.clipboardData.getData('text')) && event.preventDefault()}
      />
      <span className="input-group">
        <input
          {...shared}
          type={isSecret && !isShown ? 'password' : 'text'}
          {...(isSecret && { autoComplete: 'new-password' })}
          aria-label={t('Value of {name}', { name: name || label })}
          placeholder={isKept ? t('Stored secret') : examples[1]}
          value={isKept ? '' : value}
          onChange={(event) => onChange({ name, value: event.target.value })}
        />
        {isSecret && value !== '' && (
          <IconButton
            label={isShown ? t('Hide value') : t('Show value')}
            icon={isShown ? EyeOff : Eye}
            aria-pressed={isShown}
            onClick={() => setShownName(isShown ? undefined : name)}
          />
        )}
      </span>
      <IconButton label={t('Remove {name}', { name: name || label })} icon={X} onClick={onRemove} />
    </div>
  );
}
