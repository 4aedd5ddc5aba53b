/** Importing the selected servers: the button, and whether their secrets move to the vault. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { CommandOutput } from '../../../shared/protocol/contract.ts';
import { Button } from '../../components/button.tsx';
import { Switch } from '../../components/controls.tsx';
import { useResource } from '../../stores/resource.ts';
import { useStores } from '../../stores/stores.ts';
import { t } from '../../text.tsx';

type Imported = CommandOutput<'import.apply'>;
type ImportControls = ReturnType<typeof useImportControls>;

/** `onDone` is called before the new servers are loaded. */
export function useImportControls(onDone: (imported: Imported) => void = () => undefined) {
  const { imports, toasts, servers, status } = useStores();
  const count = useStore(imports.state, ({ picked }) => picked.size);
  const vault = useResource(status).data?.vault;
  const isPersistent = vault?.persistent !== false;
  const [wantsVault, setWantsVault] = useState(true);
  const [isImporting, setImporting] = useState(false);
  const movesSecrets = wantsVault && isPersistent;

  async function run(): Promise<void> {
    setImporting(true);
    const imported = await toasts.attempt(() => imports.apply(movesSecrets));
    setImporting(false);
    if (!imported) return;
    onDone(imported);
    await Promise.all([servers.load(), status.load()]);
  }

  return { count, vault, isPersistent, movesSecrets, setWantsVault, isImporting, run };
}

export function ImportButton({ controls: { count, isImporting, run } }: { controls: ImportControls }) {
  return (
    <Button look="primary" icon={Download} busy={isImporting} disabled={count === 0} onClick={() => void run()}>
      {count === 0 ? t('Import') : t('Import {count, plural, one {# server} other {# servers}}', { count })}
    </Button>
  );
}

export function VaultSwitch({ controls }: { controls: ImportControls }) {
  const { isPersistent, movesSecrets, setWantsVault } = controls;
  return (
    <Switch
      label={t('Keep secrets in the vault')}
      checked={movesSecrets}
      disabled={!isPersistent}
      onChange={setWantsVault}
    />
  );
}
