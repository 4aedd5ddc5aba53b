/** Sets the vault's passphrase on a computer without a keyring, or unlocks the vault with it. */
import { useState } from 'react';
import { minPassphraseCharacters, type VaultView } from '../../../shared/model/secret.ts';
import { Button } from '../../components/button.tsx';
import { FormDialog } from '../../components/dialog.tsx';
import { FieldInput } from '../../components/field-input.tsx';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';

interface PassphraseButtonProps {
  vault: Pick<VaultView, 'passphrase'> | undefined;
  onEntered?(): void;
}

/** Nothing unless the user can set a passphrase or must enter it. */
export function PassphraseButton({ vault, onEntered }: PassphraseButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const state = vault?.passphrase;
  if (state !== 'unset' && state !== 'locked') return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        {state === 'unset' ? t('Set a passphrase…') : t('Enter the passphrase…')}
      </Button>
      {isOpen && <PassphraseDialog isNew={state === 'unset'} onEntered={onEntered} onClose={() => setOpen(false)} />}
    </>
  );
}

interface PassphraseDialogProps extends Pick<PassphraseButtonProps, 'onEntered'> {
  isNew: boolean;
  onClose(): void;
}

function PassphraseDialog({ isNew, onEntered, onClose }: PassphraseDialogProps) {
  const { link, toasts, status } = useStores();
  const [passphrase, setPassphrase] = useState('');
  const [repeated, setRepeated] = useState('');
  const [isBusy, setBusy] = useState(false);
  const isComplete = isNew
    ? passphrase.length >= minPassphraseCharacters && repeated === passphrase
    : passphrase.length > 0;

  async function use(): Promise<void> {
    setBusy(true);
    const done = isNew ? t('Toolkeep keeps your secrets, encrypted with the passphrase.') : t('The vault is unlocked.');
    const isDone = await toasts.attempt(async () => {
      await link.call('secrets.usePassphrase', { passphrase });
      return true;
    }, done);
    setBusy(false);
    if (!isDone) return;
    onClose();
    onEntered?.();
    await status.load();
  }

  return (
    <FormDialog
      size="small"
      title={isNew ? t('Set a passphrase') : t('Enter the passphrase')}
      action={isNew ? t('Set passphrase') : t('Unlock')}
      disabled={!isComplete}
      busy={isBusy}
      onSubmit={() => void use()}
      onClose={onClose}
    >
      <p>
        {isNew
          ? t(
              'It encrypts your secrets on this computer. Toolkeep asks for it once after each start and never stores it.',
            )
          : t('It unlocks the secrets that your servers need.')}
      </p>
      <FieldInput
        field={{
          name: 'passphrase',
          label: t('Passphrase'),
          kind: 'secret',
          required: true,
          ...(isNew && { description: t('At least {count} characters', { count: minPassphraseCharacters }) }),
        }}
        value={passphrase}
        onChange={(next) => setPassphrase(String(next ?? ''))}
      />
      {isNew && (
        <FieldInput
          field={{ name: 'repeated', label: t('Repeat it'), kind: 'secret', required: true }}
          value={repeated}
          problem={repeated !== '' && repeated !== passphrase ? t('This is not the same passphrase.') : undefined}
          onChange={(next) => setRepeated(String(next ?? ''))}
        />
      )}
      {isNew && (
        <p className="muted small">
          {t('If you forget it, the secrets cannot be recovered, and you enter them again.')}
        </p>
      )}
    </FormDialog>
  );
}
