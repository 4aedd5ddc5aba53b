/** The input for one field of a question or of a tool's form. */
import { Eye, EyeOff, FolderOpen, Upload } from 'lucide-react';
import { useId, useState } from 'react';
import type { Field } from '../../shared/model/question.ts';
import { textFrom } from '../../shared/text-from.ts';
import { withEscapes } from '../../shared/visible-text.ts';
import { useStores } from '../stores/stores.ts';
import { t } from '../text.tsx';
import { Button, IconButton } from './button.tsx';
import { Check, describedBy, FieldLabel, Labelled, SelectBox, withItem } from './controls.tsx';
import { FileButton } from './file-button.tsx';
import { listOf } from './format.ts';
import { VisibleText } from './untrusted-text.tsx';

interface FieldInputProps {
  field: Field;
  value: unknown;
  problem?: string;
  onChange(value: unknown): void;
  /** Sends a file that the user chose in a page; resolves with its path. Missing where a file cannot be sent. */
  onUpload?: ((file: File) => Promise<string>) | undefined;
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
        <Check checked={props.value === true} onChange={props.onChange}>
          {label}
        </Check>
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

function hintOf({ description, file, pattern, format }: Field): React.ReactNode {
  const types = file?.extensions?.map((extension) => `.${extension}`) ?? [];
  const accepted = types.length > 0 ? t('Accepted types: {types}', { types: listOf(types) }) : '';
  const form =
    format === 'date-time'
      ? t('For example, 2026-11-20T09:30:00Z.')
      : pattern !== undefined && t('Pattern: {pattern}', { pattern });
  const text = [description, accepted, form].filter(Boolean).join(' ');
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
        <Check
          key={option.value}
          radio={isMany ? undefined : name}
          checked={chosen.includes(option.value)}
          onChange={(isSet) => onChange(isMany ? withItem(chosen, option.value, isSet) : option.value)}
        >
          <VisibleText text={option.label} />
        </Check>
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
  onUpload,
  id,
  describedBy: described,
}: FieldInputProps & { id: string; describedBy: string | undefined }) {
  const [isShown, setShown] = useState(false);
  const text = value === undefined || value === null ? '' : textFrom(value);
  const shared = {
    id,
    className: mono || field.kind === 'file' ? 'input mono' : 'input',
    'aria-invalid': problem ? (true as const) : undefined,
    'aria-describedby': described,
    'aria-required': field.required || undefined,
    placeholder: field.lines ? t('One entry per line') : field.placeholder && withEscapes(field.placeholder),
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
            placeholder={shared.placeholder ?? (asksForFolder(field) ? t('/path/to/folder') : t('/path/to/file'))}
            value={text}
            onChange={(event) => set(event.target.value)}
          />
          <PickButton field={field} onPick={set} onUpload={onUpload} />
        </span>
      );
    case 'text':
    case 'boolean':
    case 'multiselect':
      return <input {...shared} type={inputType(field)} value={text} onChange={(event) => set(event.target.value)} />;
  }
}

export function asksForFolder({ name, label, file }: Field): boolean {
  return file?.pick ? file.pick === 'folder' : /folder|director/i.test(`${name} ${label}`);
}

/** Opens the file dialog of the app. In a page, which cannot read the path of a chosen file, sends the file. */
function PickButton({
  field,
  onPick,
  onUpload,
}: {
  field: Field;
  onPick(path: string): void;
  onUpload: FieldInputProps['onUpload'];
}) {
  const { toasts } = useStores();
  const pick = window.toolkeep?.pickFile;
  const { pick: kind = asksForFolder(field) ? 'folder' : 'file', extensions } = field.file ?? {};
  if (pick)
    return (
      <Button
        icon={FolderOpen}
        onClick={() => void pick({ pick: kind, extensions }).then((path) => path && onPick(path))}
      >
        {t('Choose…')}
      </Button>
    );
  if (kind === 'folder' || !onUpload) return null;
  return (
    <FileButton
      label={field.label}
      accept={extensions?.map((extension) => `.${extension}`).join(',')}
      icon={Upload}
      onFile={(file) => toasts.attempt(async () => onPick(await onUpload(file)))}
    >
      {t('Upload…')}
    </FileButton>
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
