/** Imports servers from the config files of clients. */
import { RefreshCw, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { someOf } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { TextList } from '../../components/untrusted-text.tsx';
import { hrefOf } from '../../stores/route.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';
import styles from './import-plan.module.css';
import { ImportPlanPanel } from './import-plan.tsx';

export function ImportView() {
  const { imports, link, toasts } = useStores();
  const plan = useStore(imports.state, (state) => state.plan);
  const [isConfirming, setConfirming] = useState(false);
  const lastImport = plan?.lastImport ?? [];
  const isScanning = useStore(imports.state, (state) => state.isScanning);

  async function undo(): Promise<void> {
    const done = await toasts.attempt(() => link.call('import.undo'));
    if (!done) return;
    toasts.success(t('Removed {names}.', { names: someOf(done.removed) }));
    await imports.load();
  }
  return (
    <Page
      title={t('Import')}
      back={{ href: hrefOf('servers'), label: t('Servers') }}
      lead={t('Servers that your clients already use. Import never changes their files.')}
      actions={
        <>
          {lastImport.length > 0 && (
            <Button icon={Undo2} onClick={() => setConfirming(true)}>
              {t('Undo last import')}
            </Button>
          )}
          <Button icon={RefreshCw} busy={isScanning} onClick={() => void imports.load()}>
            {t('Scan again')}
          </Button>
        </>
      }
    >
      {isConfirming && (
        <ConfirmDialog
          title={t('Undo the last import?')}
          action={t('Remove {count, plural, one {# server} other {# servers}}', { count: lastImport.length })}
          onClose={() => setConfirming(false)}
          onConfirm={() => void undo()}
        >
          <p>{t('This removes the servers that the last import added:')}</p>
          <TextList className={styles.undone} texts={lastImport} />
          <p>{t('Your clients’ config files are not changed, so you can import them again.')}</p>
        </ConfirmDialog>
      )}
      <ImportPlanPanel />
    </Page>
  );
}
