/** A dialog that adds or edits a server: a command line, a URL, or a snippet from the server's documentation. */
import { CircleCheck, FlaskConical } from 'lucide-react';
import { useState } from 'react';
import type { ServerTrial } from '../../../shared/model/server.ts';
import { Button } from '../../components/button.tsx';
import { Segments, TextInput } from '../../components/controls.tsx';
import dialogStyles from '../../components/dialog.module.css';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { duration } from '../../components/format.ts';
import noteStyles from '../../components/note.module.css';
import { FailureBox } from '../../components/states.tsx';
import { VisibleText } from '../../components/untrusted-text.tsx';
import { T, t } from '../../text.tsx';
import { BundleButton } from '../browse/bundle.tsx';
import { AdvancedFields } from './advanced-fields.tsx';
import { ConnectionFields } from './connection-fields.tsx';
import type { InputKind } from './server-input.ts';
import { type ServerFormOptions, useServerForm } from './use-server-form.ts';

export function ServerDialog(options: ServerFormOptions) {
  const { config, isCopy = false, onClose } = options;
  const { input, change, isChanged, isRenamed, problems, form, submit, isSaving, test, isTesting, trial } =
    useServerForm(options);
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => (isChanged ? setLeaving(true) : onClose());

  return (
    <Dialog
      title={
        !config
          ? t('Add a server')
          : isCopy
            ? t('Duplicate {server}', { server: config.name })
            : t('Edit {server}', { server: config.name })
      }
      onClose={leave}
    >
      {isLeaving && (
        <ConfirmDialog
          title={t('Discard your input?')}
          action={t('Discard')}
          onClose={() => setLeaving(false)}
          onConfirm={onClose}
        >
          <p>{t('The server is not saved yet.')}</p>
        </ConfirmDialog>
      )}
      <Form ref={form} className={dialogStyles.dialogForm} onSubmit={submit}>
        <div className={`${dialogStyles.dialogBody} stack`}>
          {!config && (
            <Segments
              label={t('Connection type')}
              value={input.kind}
              options={[
                ['command', t('Command')],
                ['url', 'URL'],
                ['paste', t('Paste')],
              ]}
              onChange={(kind) => change({ kind: kind as InputKind })}
            />
          )}
          <ConnectionFields input={input} problems={problems} onChange={change} />
          {input.kind !== 'paste' && (
            <TextInput
              label={t('Name')}
              value={input.name}
              placeholder={config ? undefined : t('Generated if empty')}
              hint={
                isRenamed &&
                t('Renaming updates rules and profiles, and removes the server’s saved approvals and sign-in.')
              }
              problem={problems.name}
              onChange={(name) => change({ name })}
            />
          )}
          {input.kind !== 'paste' && (
            <AdvancedFields key={input.kind} input={input} problems={problems} isNew={!config} onChange={change} />
          )}
          <div aria-live="polite">{trial && <TrialResult trial={trial} />}</div>
        </div>
        <footer className={dialogStyles.dialogFoot}>
          {!config && <BundleButton onChosen={onClose} />}
          <Button icon={FlaskConical} busy={isTesting} onClick={() => void test()}>
            {isTesting ? t('Starting…') : t('Test')}
          </Button>
          <Button onClick={leave}>{t('Cancel')}</Button>
          <Button look="primary" type="submit" busy={isSaving}>
            {config && !isCopy ? t('Save') : t('Add')}
          </Button>
        </footer>
      </Form>
    </Dialog>
  );
}

function TrialResult({ trial: { failure, toolCount, durationMs, version } }: { trial: ServerTrial }) {
  if (failure?.code === 'SERVER_AUTH_REQUIRED')
    return <p className={noteStyles.note}>{t('The server responds but requires a sign-in. Save it, then sign in.')}</p>;
  if (failure) return <FailureBox failure={failure} />;
  const facts = { count: toolCount, duration: duration(durationMs) };
  return (
    <p className={noteStyles.note}>
      <CircleCheck className="icon" aria-hidden />{' '}
      {version ? (
        <T
          text="The server works: {count, plural, one {# tool} other {# tools}}, version {version}, started in {duration}."
          version={<VisibleText text={version} />}
          {...facts}
        />
      ) : (
        <T text="The server works: {count, plural, one {# tool} other {# tools}}, started in {duration}." {...facts} />
      )}
    </p>
  );
}
