/** Undoes the last change to a client's config file, after showing the difference. */
import { Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { InstallStatus } from '../../../shared/model/install.ts';
import { ActionDialog } from '../../components/dialog.tsx';
import { Path } from '../../components/path.tsx';
import { FailureBox, Skeleton } from '../../components/states.tsx';
import { UnifiedDiff } from '../../components/unified-diff.tsx';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { t } from '../../text.tsx';

export function UndoDialog({ status: { client, app }, onClose }: { status: InstallStatus; onClose(): void }) {
  const { link, toasts, installs } = useStores();
  const [isReady, setReady] = useState(false);

  async function undo(): Promise<void> {
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
    <ActionDialog
      title={t('Undo the last change to {app}’s file?', { app })}
      action={t('Undo')}
      icon={Undo2}
      disabled={!isReady}
      run={undo}
      onClose={onClose}
    >
      <FileUndo client={client} onReady={setReady} />
    </ActionDialog>
  );
}

/** Shows what an undo would change in a client's file. `onReady` must stay the same function. */
export function FileUndo({ client, onReady }: { client: string; onReady(isReady: boolean): void }) {
  const { data: planned, failure } = useCommand('install.undo', [], { client, dryRun: true });
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
