/** Undoes the last change to a client's config file, after showing the difference. */
import { Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import type { InstallStatus } from '../../../shared/model/install.ts';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import dialogStyles from '../../components/dialog.module.css';
import { Dialog, DialogFoot } from '../../components/dialog.tsx';
import { Path } from '../../components/path.tsx';
import { FailureBox, Skeleton } from '../../components/states.tsx';
import { UnifiedDiff } from '../../components/unified-diff.tsx';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';

export function UndoDialog({ status: { client, app }, onClose }: { status: InstallStatus; onClose(): void }) {
  const { link, toasts, installs } = useStores();
  const [isReady, setReady] = useState(false);
  const [isBusy, setBusy] = useState(false);

  async function undo(): Promise<void> {
    setBusy(true);
    const done = await toasts.attempt(() => link.call('install.undo', { client }));
    onClose();
    if (!done) return;
    toasts.success(
      done.restored === 'file'
        ? t('Restored {app}’s file.', { app })
        : t('{app}’s file has since changed, so only the Toolkeep entry was removed.', { app }),
    );
    await installs.load();
  }
  return (
    <Dialog title={t('Undo the last change to {app}’s file?', { app })} onClose={onClose}>
      <div className={`${dialogStyles.dialogBody} stack`}>
        <FileUndo client={client} onReady={setReady} />
      </div>
      <DialogFoot onCancel={onClose} icon={Undo2} busy={isBusy} disabled={!isReady} onClick={() => void undo()}>
        {t('Undo')}
      </DialogFoot>
    </Dialog>
  );
}

/** Shows what an undo would change in a client's file. `onReady` must stay the same function. */
export function FileUndo({ client, onReady }: { client: string; onReady(isReady: boolean): void }) {
  const { link } = useStores();
  const [planned, setPlanned] = useState<CommandOutput<'install.undo'>>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    link
      .call('install.undo', { client, dryRun: true })
      .then(setPlanned, (error: unknown) => setFailure(toFailure(error)));
  }, [link, client]);
  useEffect(() => onReady(planned !== undefined), [onReady, planned]);
  if (failure) return <FailureBox failure={failure} />;
  if (!planned) return <Skeleton label={t('Loading changes')} rows={3} />;
  return (
    <div>
      <p className="small">
        <Path path={planned.file} />
      </p>
      <UnifiedDiff text={planned.diff} label={t('Changes to the file')} />
    </div>
  );
}
