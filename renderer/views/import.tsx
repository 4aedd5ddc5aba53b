/** What the other apps on this machine have configured, ready to be taken over. */
import { RefreshCw, Undo2 } from 'lucide-react';
import { useStore } from 'zustand';
import { Button } from '../parts/button.tsx';
import { count } from '../parts/format.ts';
import { ImportPlanPanel } from '../parts/import-plan.tsx';
import { Page } from '../parts/page.tsx';
import { useStores } from '../stores/stores.ts';

export function ImportView() {
  const { importing, link, notices } = useStores();
  const plan = useStore(importing.state, (state) => state.plan);
  const hasImported = plan?.entries.some(({ state }) => state === 'known') ?? false;
  const looking = useStore(importing.state, (state) => state.looking);

  async function undo(): Promise<void> {
    const done = await notices.attempt(() => link.call('import.undo'));
    if (!done) return;
    notices.good(`${count(done.removed.length, 'server')} taken out again.`);
    await importing.load();
  }
  return (
    <Page
      title="Import"
      lead="Servers that your other apps use. Their files are only read, never changed."
      actions={
        <>
          {hasImported && (
            <Button icon={Undo2} onClick={() => void undo()}>
              Undo the last import
            </Button>
          )}
          <Button icon={RefreshCw} busy={looking} onClick={() => void importing.load()}>
            Look again
          </Button>
        </>
      }
    >
      <ImportPlanPanel />
    </Page>
  );
}
