/** Takes one secret, masked. The value leaves this component only to be saved. */
import { useState } from 'react';
import { Button } from './button.tsx';
import { TextInput } from './controls.tsx';
import { Dialog } from './dialog.tsx';
import { FieldInput } from './field-input.tsx';

interface SecretDialogProps {
  /** Empty for a new one. */
  name: string;
  onSave(name: string, value: string): void;
  onClose(): void;
}

export function SecretDialog({ name: known, onSave, onClose }: SecretDialogProps) {
  const [name, setName] = useState(known);
  const [value, setValue] = useState('');
  const isNameGood = /^[^${}\n]{1,200}$/.test(name.trim());
  return (
    <Dialog size="small" title={known ? 'Replace a secret' : 'Add a secret'} onClose={onClose}>
      <form
        className="dialog-form"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNameGood && value) onSave(name.trim(), value);
        }}
      >
        <div className="dialog-body stack">
          {known ? (
            <p>
              <code>{known}</code>
            </p>
          ) : (
            <TextInput
              mono
              label="Name"
              value={name}
              placeholder="GITHUB_TOKEN"
              problem={name && !isNameGood ? 'A name has none of $ { }.' : undefined}
              hint={
                <>
                  Servers refer to it as <code>{`\${secret:${name.trim() || 'NAME'}}`}</code>.
                </>
              }
              onChange={setName}
            />
          )}
          <FieldInput
            field={{ name: 'value', label: 'Value', kind: 'secret', required: true }}
            value={value}
            onChange={(next) => setValue(typeof next === 'string' ? next : '')}
          />
        </div>
        <footer className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={!isNameGood || !value}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
