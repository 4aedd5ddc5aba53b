/** The input for one field of a question or of a tool's form. */
import { Eye, EyeOff, FolderOpen } from 'lucide-react';
import { useId, useState } from 'react';
import type { Field } from '../../shared/model/question.ts';
import { withEscapes } from '../../shared/visible-text.ts';
import { t } from '../text.tsx';
import { Button, IconButton } from './button.tsx';
import { describedBy, FieldLabel, Labelled, SelectBox } from './controls.tsx';
import { listOf } from './format.ts';
import { VisibleText } from './untrusted-text.tsx';

interface FieldInputProps {
  field: Field;
  value: unknown;
  problem?: string;
  onChange(value: unknown): void;
  mono?: boolean;
}

export function FieldInput(props: FieldInputProps) {
  const { field, problem } = props;
  const id = useId();
  const hint = hintOf(field);
  const label = (
    <FieldLabel label={<VisibleText text={field.label} />} isOptional={!field.required && field.kind !== 'boolean'} />
  );
  if (field.kind === 'boolean')
    return (
      <div className={problem ? 'field field-bad' : 'field'}>
        <label className="check">
          <input
            type="checkbox"
            checked={props.value === true}
            onChange={(event) => props.onChange(event.target.checked)}
          />
          <span>{label}</span>
        </label>
        {hint && <div className="field-hint field-hint-check">{hint}</div>}
        {problem && <p className="field-problem">{problem}</p>}
      </div>
    );
  if ((field.kind === 'select' && (field.options?.length ?? 0) <= 6) || field.kind === 'multiselect')
    return <Choices {...props} label={label} hint={hint} />;
  return (
    <Labelled id={id} label={label} hint={hint} problem={problem}>
      <Control {...props} id={id} describedBy={describedBy(id, hint, problem)} />
    </Labelled>
  );
}

function hintOf({ description, file }: Field): React.ReactNode {
  const types = file?.extensions?.map((extension) => `.${extension}`) ?? [];
  const accepted = types.length > 0 ? t('Accepted types: {types}', { types: listOf(types) }) : '';
  const text = [description, accepted].filter(Boolean).join(' ');
  return text && <VisibleText text={text} />;
}

function Choices({
  field,
  value,
  problem,
  onChange,
  label,
  hint,
}: FieldInputProps & { label: React.ReactNode; hint: React.ReactNode }) {
  const name = useId();
  const isMany = field.kind === 'multiselect';
  const chosen = isMany ? (Array.isArray(value) ? value : []) : [value];
  return (
    <fieldset
      className={problem ? 'field choices field-bad' : 'field choices'}
      aria-describedby={describedBy(name, hint, problem)}
    >
      <legend>{label}</legend>
      {hint && (
        <div className="field-hint" id={`${name}-hint`}>
          {hint}
        </div>
      )}
      {(field.options ?? []).map((option) => (
        <label key={option.value} className="check">
          <input
            type={isMany ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.includes(option.value)}
            onChange={(event) =>
              onChange(
                !isMany
                  ? option.value
                  : event.target.checked
                    ? [...chosen, option.value]
                    : chosen.filter((entry) => entry !== option.value),
              )
            }
          />
          <span>
            <VisibleText text={option.label} />
          </span>
        </label>
      ))}
      {isMany && (field.minItems || field.maxItems) && (
        <p className="field-hint">
          {field.minItems && field.maxItems
            ? t('Choose {minItems, number} to {maxItems, number}.', {
                minItems: field.minItems,
                maxItems: field.maxItems,
              })
            : field.minItems
              ? t('Choose at least {minItems, number}.', { minItems: field.minItems })
              : t('Choose at most {maxItems, number}.', { maxItems: field.maxItems ?? 0 })}
        </p>
      )}
      {problem && (
        <p className="field-problem" id={`${name}-problem`}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function Control({
  field,
  value,
  problem,
  onChange,
  mono,
  id,
  describedBy: described,
}: FieldInputProps & { id: string; describedBy: string | undefined }) {
  const [isShown, setShown] = useState(false);
  const text = value === undefined || value === null ? '' : String(value);
  const shared = {
    id,
    className: mono || field.kind === 'file' ? 'input mono' : 'input',
    'aria-invalid': problem ? (true as const) : undefined,
    'aria-describedby': described,
    'aria-required': field.required || undefined,
    placeholder: field.placeholder && withEscapes(field.placeholder),
    autoComplete: 'off',
    spellCheck: false,
  };
  const set = (next: string) => onChange(next === '' ? undefined : next);
  switch (field.kind) {
    case 'multiline':
      return <textarea {...shared} rows={mono ? 4 : 5} value={text} onChange={(event) => set(event.target.value)} />;
    case 'select':
      return (
        <SelectBox>
          <select {...shared} className="select" value={text} onChange={(event) => set(event.target.value)}>
            <option value="">{t('Choose…')}</option>
            {field.options?.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        </SelectBox>
      );
    case 'number':
    case 'integer':
      return (
        <input
          {...shared}
          type="number"
          step={field.kind === 'integer' ? 1 : 'any'}
          min={field.minimum}
          max={field.maximum}
          value={text}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.valueAsNumber)}
        />
      );
    case 'secret':
      return (
        <span className="input-group">
          <input
            {...shared}
            type={isShown ? 'text' : 'password'}
            autoComplete="new-password"
            value={text}
            onChange={(event) => set(event.target.value)}
          />
          <IconButton
            label={isShown ? t('Hide value') : t('Show value')}
            icon={isShown ? EyeOff : Eye}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          />
        </span>
      );
    case 'file':
      return (
        <span className="input-group">
          <input
            {...shared}
            placeholder={shared.placeholder ?? t('/path/to/file')}
            value={text}
            onChange={(event) => set(event.target.value)}
          />
          <PickButton field={field} onPick={set} />
        </span>
      );
    case 'text':
    case 'boolean':
    case 'multiselect':
      return <input {...shared} type={inputType(field)} value={text} onChange={(event) => set(event.target.value)} />;
  }
}

/** Opens the native file dialog. Desktop app only: a web page cannot read the path of a chosen file. */
function PickButton({ field, onPick }: { field: Field; onPick(path: string): void }) {
  const pick = window.toolkeep?.pickFile;
  if (!pick) return null;
  const isFolder = /folder|director/i.test(`${field.name} ${field.label}`);
  const { pick: kind = isFolder ? 'folder' : 'file', extensions } = field.file ?? {};
  return (
    <Button
      icon={FolderOpen}
      onClick={() => void pick({ pick: kind, extensions }).then((path) => path && onPick(path))}
    >
      {t('Choose…')}
    </Button>
  );
}

/** Dates use the native picker. A date-time is typed, because the native picker has no time zone. */
function inputType(field: Field): string {
  return field.format === 'email'
    ? 'email'
    : field.format === 'uri'
      ? 'url'
      : field.format === 'date'
        ? 'date'
        : 'text';
}
