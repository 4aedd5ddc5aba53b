/** Form controls with their labels. */
import { ChevronsUpDown, Search } from 'lucide-react';
import { Switch as RadixSwitch } from 'radix-ui';
import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { t } from '../text.tsx';

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange(checked: boolean): void;
  disabled?: boolean;
  /** True hides the label visually. */
  bare?: boolean;
}

export function Switch({ label, checked, onChange, disabled = false, bare = false }: SwitchProps) {
  const id = useId();
  const control = (
    <RadixSwitch.Root
      className="switch"
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      {...(bare ? { 'aria-label': label } : { id })}
    >
      <RadixSwitch.Thumb className="switch-thumb" />
    </RadixSwitch.Root>
  );
  if (bare) return control;
  return (
    <span className="switch-row">
      {control}
      <label htmlFor={id}>{label}</label>
    </span>
  );
}

export type Option = readonly [value: string, label: string];

interface SelectProps {
  label: string;
  value: string;
  options: readonly Option[];
  onChange(value: string): void;
  hint?: ReactNode;
  disabled?: boolean;
  bare?: boolean;
}

/** Wraps a native select, which has native keyboard, touch and screen reader behavior. */
export function Select({ label, value, options, onChange, hint, disabled = false, bare = false }: SelectProps) {
  const id = useId();
  const control = (
    <SelectBox>
      <select
        id={id}
        className="select"
        value={value}
        disabled={disabled}
        aria-label={bare ? label : undefined}
        aria-describedby={describedBy(id, hint, undefined)}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </SelectBox>
  );
  return bare ? (
    control
  ) : (
    <Labelled id={id} label={label} hint={hint}>
      {control}
    </Labelled>
  );
}

/** Draws the arrow of a select, which browsers omit from a styled control. */
export function SelectBox({ children }: { children: ReactNode }) {
  return (
    <span className="select-box">
      {children}
      <ChevronsUpDown className="icon" aria-hidden />
    </span>
  );
}

interface LabelledProps {
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  problem?: string;
  children: ReactNode;
}

/** Shows the label above the control, and the hint and problem below. The control refers to them with `describedBy(id, …)`. */
export function Labelled({ id, label, hint, problem, children }: LabelledProps) {
  return (
    <div className={problem ? 'field field-bad' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {children}
      {hint && (
        <div id={`${id}-hint`} className="field-hint">
          {hint}
        </div>
      )}
      {problem && (
        <p id={`${id}-problem`} className="field-problem">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Marks optional fields. */
export function FieldLabel({ label, isOptional }: { label: ReactNode; isOptional: boolean }) {
  return (
    <>
      {label}
      {isOptional && <span className="optional"> {t('optional')}</span>}
    </>
  );
}

export function describedBy(id: string, hint: unknown, problem: unknown): string | undefined {
  return [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined;
}

interface TextInputProps {
  label: string;
  value: string;
  onChange(value: string): void;
  hint?: ReactNode;
  problem?: string;
  placeholder?: string;
  rows?: number;
  mono?: boolean;
  optional?: boolean;
  /** Makes the field just wide enough for a number. */
  short?: boolean;
  /** With `rows`: receives the text of a dropped file. */
  onFile?(text: string): void;
}

export function TextInput({ label, value, onChange, hint, problem, placeholder, rows, ...rest }: TextInputProps) {
  const { mono = false, optional = false, short = false, onFile } = rest;
  const id = useId();
  const shared = {
    id,
    className: ['input', mono && 'mono', short && 'input-short'].filter(Boolean).join(' '),
    value,
    placeholder,
    spellCheck: false,
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': describedBy(id, hint, problem),
  };
  return (
    <Labelled id={id} label={<FieldLabel label={label} isOptional={optional} />} hint={hint} problem={problem}>
      {rows ? (
        <textarea
          {...shared}
          rows={rows}
          onChange={(event) => onChange(event.target.value)}
          onDrop={(event) => {
            const [file] = event.dataTransfer.files;
            if (!onFile || !file) return;
            event.preventDefault();
            void file.text().then(onFile);
          }}
        />
      ) : (
        <input
          {...shared}
          autoComplete="off"
          inputMode={short ? 'numeric' : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  );
}

interface FilterInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  label: string;
  value: string;
  onChange(value: string): void;
  /** Enter never submits the form around the input. */
  onEnter?(): void;
}

/** The label is also the placeholder, unless there is another one. */
export function FilterInput({ label, onChange, onEnter, onKeyDown, ...rest }: FilterInputProps) {
  return (
    <input
      className="input"
      type="search"
      aria-label={label}
      placeholder={label}
      {...rest}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (event.key !== 'Enter') return;
        event.preventDefault();
        onEnter?.();
      }}
    />
  );
}

/** A filter with a magnifying glass. `children` are beside the input. */
export function SearchInput({ children, ...input }: FilterInputProps & { children?: ReactNode }) {
  return (
    <div className="search-input">
      <Search className="icon faint" aria-hidden />
      <FilterInput {...input} />
      {children}
    </div>
  );
}

interface CheckProps {
  checked: boolean;
  /** The name of its group of radio buttons; a checkbox has none. */
  radio?: string | undefined;
  disabled?: boolean;
  onChange?(checked: boolean): void;
  children: ReactNode;
}

export function Check({ checked, radio, disabled = false, onChange, children }: CheckProps) {
  return (
    <label className="check">
      <input
        type={radio === undefined ? 'checkbox' : 'radio'}
        name={radio}
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange?.(target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

/** The items with or without this one. */
export const withItem = <I,>(items: readonly I[], item: I, isIn: boolean): I[] =>
  isIn ? [...items, item] : items.filter((other) => other !== item);

interface SegmentsProps {
  label: string;
  value: string;
  options: readonly Option[];
  onChange(value: string): void;
}

/** A segmented control: radio buttons side by side. */
export function Segments({ label, value, options, onChange }: SegmentsProps) {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="sr-only">{label}</legend>
      {options.map(([key, text]) => (
        <label key={key} className="segment">
          <input type="radio" name={name} value={key} checked={key === value} onChange={() => onChange(key)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
