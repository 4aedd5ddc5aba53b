/** Removes Toolkeep from every client, after showing the changes to all their files. */
import { Unlink } from 'lucide-react';
import { ActionDialog } from '../../components/dialog.tsx';
import { FailureBox, Skeleton } from '../../components/states.tsx';
import { navigate } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { useCommand } from '../../stores/use-command.ts';
import { t } from '../../text.tsx';
import { PlannedChange } from './install-dialog.tsx';

export function RemovalDialog({ onClose }: { onClose(): void }) {
  const { link, toasts, installs, imports } = useStores();
  const { data: planned, failure } = useCommand('install.planRemoval', []);
  const plans = planned?.plans ?? [];
  const problems = [...(failure ? [failure] : []), ...(planned?.problems ?? [])];

  /** Shows what an undo would change in the clients' files. */
  async function undo(): Promise<void> {
    const changes = await toasts.attempt(() => link.call('changes.list'));
    const removal = changes?.find(({ items }) => items.some(({ subject }) => subject === 'clientFiles'));
    if (removal) navigate('history', 'changes', removal.id);
  }
  async function remove(): Promise<void> {
    const changes = plans.map(({ client, token }) => ({ client, token }));
    const done = await toasts.attempt(() => link.call('install.removeAll', { changes }));
    onClose();
    await Promise.all([installs.load(), imports.load()]);
    if (!done) return;
    for (const problem of done.problems) toasts.error(problem);
    if (done.removed.length === 0) return;
    toasts.success(
      t('Removed Toolkeep from {count, plural, one {# client} other {# clients}}. Restart them to finish.', {
        count: done.removed.length,
      }),
      { action: { label: t('Undo…'), run: () => void undo() } },
    );
  }
  return (
    <ActionDialog
      title={t('Disconnect all clients')}
      action={t('Disconnect {count, plural, one {# client} other {# clients}}', { count: plans.length })}
      icon={Unlink}
      disabled={plans.length === 0}
      run={remove}
      onClose={onClose}
    >
      <p>{t('Do this before you uninstall Toolkeep. Servers that were moved to Toolkeep return to their clients.')}</p>
      {problems.map((problem) => (
        <FailureBox key={problem.message} failure={problem} />
      ))}
      {!planned && !failure && <Skeleton label={t('Loading changes')} rows={3} />}
      {planned && plans.length === 0 && <p className="muted">{t('Toolkeep is not installed in any client.')}</p>}
      {plans.map((plan) => (
        <section key={plan.client} aria-label={plan.app}>
          <h3>{plan.app}</h3>
          <PlannedChange plan={plan} />
        </section>
      ))}
    </ActionDialog>
  );
}
