/** A dialog in which the user enters one secret. The value leaves this component only to be saved. */
import { useState } from 'react';
import { TextInput } from '../../components/controls.tsx';
import { FormDialog } from '../../components/dialog.tsx';
import { FieldInput } from '../../components/field-input.tsx';
import { T, t } from '../../text.tsx';

interface SecretDialogProps {
  /** Empty for a new secret. */
  name: string;
  onSave(name: string, value: string): void;
  onClose(): void;
}

export function SecretDialog({ name: existingName, onSave, onClose }: SecretDialogProps) {
  const [name, setName] = useState(existingName);
  const [value, setValue] = useState('');
  const isNameValid = /^[^${}\n]{1,200}$/.test(name.trim());
  return (
    <FormDialog
      size="small"
      title={existingName ? t('Replace a secret') : t('Add a secret')}
      action={t('Save')}
      disabled={!isNameValid || !value}
      onSubmit={() => onSave(name.trim(), value)}
      onClose={onClose}
    >
      {existingName ? (
        <p>
          <code>{existingName}</code>
        </p>
      ) : (
        <TextInput
          mono
          label={t('Name')}
          value={name}
          placeholder="GITHUB_TOKEN"
          problem={name && !isNameValid ? t("Names cannot contain $, '{' or '}'.") : undefined}
          hint={
            <T
              text="Servers refer to it as {placeholder}."
              placeholder={<code>{`\${secret:${name.trim() || 'NAME'}}`}</code>}
            />
          }
          onChange={setName}
        />
      )}
      <FieldInput
        field={{ name: 'value', label: t('Value'), kind: 'secret', required: true }}
        value={value}
        onChange={(next) => setValue(typeof next === 'string' ? next : '')}
      />
    </FormDialog>
  );
}
