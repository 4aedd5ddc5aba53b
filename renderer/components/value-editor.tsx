/** The inputs for one property of a tool's arguments: a field, a list, or a group of fields. */
import { Plus, X } from 'lucide-react';
import { isObject } from '../../shared/is-object.ts';
import { t } from '../text.tsx';
import { Button, IconButton } from './button.tsx';
import { FieldLabel } from './controls.tsx';
import { FieldInput } from './field-input.tsx';
import type { FormField } from './schema-form.ts';
import { VisibleText } from './untrusted-text.tsx';
import styles from './value-editor.module.css';

interface ValueEditorProps {
  form: FormField;
  value: unknown;
  /** The path of the value, to look up its problems. */
  path: string;
  problems: Record<string, string>;
  onChange(value: unknown): void;
}

export function ValueEditor(props: ValueEditorProps) {
  const { form, value, path, problems, onChange } = props;
  const { field } = form;
  if (form.kind === 'list') return <ListEditor {...props} form={form} />;
  if (form.kind !== 'group')
    return (
      <FieldInput
        field={field}
        mono={form.kind === 'json'}
        value={value}
        problem={problems[path]}
        onChange={onChange}
      />
    );
  const values = isObject(value) ? value : {};
  return (
    <Frame {...props}>
      {form.fields.map((inner) => {
        const { name } = inner.field;
        return (
          <ValueEditor
            key={name}
            form={inner}
            value={values[name]}
            path={`${path}.${name}`}
            problems={problems}
            onChange={(next) => onChange({ ...values, [name]: next })}
          />
        );
      })}
    </Frame>
  );
}

function ListEditor(props: ValueEditorProps & { form: Extract<FormField, { kind: 'list' }> }) {
  const { form, value, path, problems, onChange } = props;
  const items: unknown[] = Array.isArray(value) ? value : [];
  const { label, maxItems = Number.POSITIVE_INFINITY } = form.field;
  return (
    <Frame {...props}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their position
        <div key={index} className={styles.item}>
          <ValueEditor
            form={numbered(form.item, label, index)}
            value={item}
            path={`${path}.${index}`}
            problems={problems}
            onChange={(next) => onChange(items.with(index, next))}
          />
          <IconButton
            label={t('Remove {label} {number}', { label, number: index + 1 })}
            icon={X}
            onClick={() => onChange(items.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div>
        <Button
          look="quiet"
          icon={Plus}
          disabled={items.length >= maxItems}
          onClick={() => onChange([...items, undefined])}
        >
          {items.length === 0 ? t('Add an item') : t('Add another')}
        </Button>
      </div>
    </Frame>
  );
}

function numbered(form: FormField, label: string, index: number): FormField {
  return { ...form, field: { ...form.field, label: t('{label} {number}', { label, number: index + 1 }) } };
}

function Frame({ form: { field }, path, problems, children }: ValueEditorProps & { children: React.ReactNode }) {
  const problem = problems[path];
  return (
    <fieldset className={problem ? `field field-bad ${styles.frame}` : `field ${styles.frame}`}>
      <legend>
        <FieldLabel label={<VisibleText text={field.label} />} isOptional={!field.required} />
      </legend>
      {field.description && <VisibleText as="div" className="field-hint" text={field.description} />}
      {children}
      {problem && <p className="field-problem">{problem}</p>}
    </fieldset>
  );
}
