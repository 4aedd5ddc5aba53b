/** Imports servers from the config files of clients. */
import { RefreshCw, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { count } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { useStores } from '../../stores/stores.ts';
import { ImportPlanPanel } from './import-plan.tsx';

export function ImportView() {
  const { imports, link, toasts } = useStores();
  const plan = useStore(imports.state, (state) => state.plan);
  const [isConfirming, setConfirming] = useState(false);
  const hasImported = plan?.entries.some(({ state }) => state === 'known') ?? false;
  const isScanning = useStore(imports.state, (state) => state.isScanning);

  async function undo(): Promise<void> {
    const done = await toasts.attempt(() => link.call('import.undo'));
    if (!done) return;
    toasts.success(`${count(done.removed.length, 'server')} removed.`);
    await imports.load();
  }
  return (
    <Page
      title="Import"
      lead="Servers that your clients already use. Import never changes their files."
      actions={
        <>
          {hasImported && (
            <Button icon={Undo2} onClick={() => setConfirming(true)}>
              Undo last import
            </Button>
          )}
          <Button icon={RefreshCw} busy={isScanning} onClick={() => void imports.load()}>
            Scan again
          </Button>
        </>
      }
    >
      {isConfirming && (
        <ConfirmDialog
          title="Undo the last import?"
          action="Remove servers"
          onClose={() => setConfirming(false)}
          onConfirm={() => void undo()}
        >
          <p>This removes the servers of the last import from Gatehouse. Your clients’ config files are not changed.</p>
        </ConfirmDialog>
      )}
      <ImportPlanPanel />
    </Page>
  );
}
