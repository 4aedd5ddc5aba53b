/** What the other apps on this machine have configured, ready to be taken over. */
import { RefreshCw } from 'lucide-react';
import { useStore } from 'zustand';
import { Button } from '../parts/button.tsx';
import { ImportPlanPanel } from '../parts/import-plan.tsx';
import { Page } from '../parts/page.tsx';
import { useStores } from '../stores/stores.ts';

export function ImportView() {
  const { importing } = useStores();
  const looking = useStore(importing.state, (state) => state.looking);
  return (
    <Page
      title="Import"
      lead="Servers that your other apps use. Their files are only read, never changed."
      actions={
        <Button icon={RefreshCw} busy={looking} onClick={() => void importing.load()}>
          Look again
        </Button>
      }
    >
      <ImportPlanPanel />
    </Page>
  );
}
